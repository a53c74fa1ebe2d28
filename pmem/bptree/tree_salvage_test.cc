#include "pmem/bptree/tree_salvage.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "entry/value_ref.h"
#include "pmem/bptree/builder.h"
#include "pmem/bptree/footer_layout.h"
#include "pmem/bptree/tree.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/bptree/tree_testing.h"
#include "pmem/media/extent_header.h"
#include "testing/comparators.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kExtent = 64 << 10;

class TreeSalvageTest : public testing::TestWithParam<const Comparator*> {
 protected:
  TreeSalvageTest() : maker_(AnnouncedSeed()) {
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    options_.context.comparator = &comparator_;
    options_.number = 12;
    options_.leaf_bytes = 1024;
    entries_ = maker_.Make(comparator_, 2000);
    tree_ = BuildTree(options_, entries_, &record_);
    EXPECT_TRUE(ReadTreeMeta(options_.context, record_, &meta_).ok());
  }

  char* At(PoolOffset pool_offset) { return scratch_.pool()->At(pool_offset); }
  Random& random() { return *maker_.random(); }
  void Damage(PoolOffset pool_offset) {
    *At(pool_offset) = static_cast<char>(*At(pool_offset) ^ 4);
  }
  void DamageFooter() { Damage(record_.footer_offset + random().Uniform(record_.footer_bytes)); }

  // Damages a leaf, and removes its entries from the expected ones.
  void DamageLeaf(size_t leaf) {
    size_t begin = 0;
    LeafView view;
    for (size_t i = 0; i < leaf; i++) {
      // An earlier leaf may be damaged, too, but its header still tells the count.
      ASSERT_TRUE(meta_->OpenLeaf(*scratch_.pool(), i, false, &view).ok());
      begin += view.count();
    }
    ASSERT_TRUE(meta_->OpenLeaf(*scratch_.pool(), leaf, false, &view).ok());
    for (size_t i = begin; i < begin + view.count(); i++) lost_.insert(entries_[i].first);
    const size_t fingerprints_end = kLeafHeaderSize + view.count();
    Damage(meta_->leaves[leaf].pool_offset() + fingerprints_end +
           random().Uniform(view.used() - fingerprints_end));
  }

  // Expects that everything but lost_ is visited once. Returns how many damages are reported.
  size_t ExpectTheRest() {
    std::map<std::string, std::string> expected;
    for (const auto& [key, value] : entries_) {
      if (lost_.count(key) == 0) expected[key] = value;
    }
    size_t shown = 0;
    std::map<std::string, std::string> found;
    damages_.clear();
    const Status status = SalvageTree(
        options_.context, record_,
        [&](const Slice& key, const Slice& value) {
          shown++;
          found[key.ToString()] = value.ToString();
          return Status::OK();
        },
        [&](const Status& damage) {
          EXPECT_NE(std::string::npos, damage.ToString().find("tree #12 in pool"));
          damages_ += damage.ToString() + "\n";
        });
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(expected.size(), shown);
    EXPECT_TRUE(expected == found) << found.size() << " entries: " << damages_;
    return static_cast<size_t>(std::count(damages_.begin(), damages_.end(), '\n'));
  }

  const InternalKeyComparator comparator_{GetParam()};
  EntryMaker maker_;
  ScratchPool scratch_{32 << 20, kExtent};
  TreeBuildOptions options_;
  Entries entries_;
  TreeRecord record_;
  TreePtr tree_;
  std::unique_ptr<TreeMeta> meta_;
  std::set<std::string> lost_;
  std::string damages_;
};

INSTANTIATE_TEST_SUITE_P(Comparators, TreeSalvageTest,
                         testing::Values(BytewiseComparator(),
                                         testkit::CaseInsensitiveComparator()));

TEST_P(TreeSalvageTest, ASoundTree) {
  EXPECT_EQ(0u, ExpectTheRest()) << damages_;
}

TEST_P(TreeSalvageTest, ADamagedFooterCostsNothing) {
  DamageFooter();
  EXPECT_EQ(1u, ExpectTheRest()) << damages_;
}

TEST_P(TreeSalvageTest, ADamagedIndexCostsNothing) {
  const char* const footer = At(record_.footer_offset);
  const char* const pieces =
      footer + footer_layout::kHeaderSize +
      LoadFixed32(footer + footer_layout::kRunCountAt) * footer_layout::kRunSize;
  Damage(LoadFixed64(pieces) + random().Uniform(LoadFixed32(pieces + 8)));
  EXPECT_EQ(1u, ExpectTheRest()) << damages_;
}

TEST_P(TreeSalvageTest, DamagedHeadersCostNothing) {
  for (const ExtentRun& run : meta_->runs) Damage(run.begin + random().Uniform(64));
  EXPECT_EQ(0u, ExpectTheRest()) << damages_;
}

TEST_P(TreeSalvageTest, DamagedLeavesCostWhatIsInThem) {
  const size_t leaves = meta_->leaves.size();
  ASSERT_GT(leaves, 100u);
  DamageLeaf(leaves / 4);
  DamageLeaf(leaves / 2);
  DamageLeaf(leaves - 2);
  EXPECT_EQ(3u, ExpectTheRest()) << damages_;
  // The footer, and each leaf; leaves that were the last of a run are reported together.
  DamageFooter();
  const size_t damages = ExpectTheRest();
  EXPECT_GE(damages, 2u) << damages_;
  EXPECT_LE(damages, 4u) << damages_;
}

TEST_P(TreeSalvageTest, TheLastLeafIsMissedAlthoughNothingFollows) {
  DamageLeaf(meta_->leaves.size() - 1);
  DamageFooter();
  EXPECT_EQ(2u, ExpectTheRest());
  EXPECT_NE(std::string::npos,
            damages_.find("has lost " + std::to_string(meta_->leaves.back().size()) + " bytes"))
      << damages_;
}

TEST_P(TreeSalvageTest, AHeaderAndTheFooterCostARun) {
  ASSERT_GT(meta_->runs.size(), 2u);
  const ExtentRun& run = meta_->runs[1];
  size_t entry = 0;
  for (size_t i = 0; i < meta_->leaves.size(); i++) {
    LeafView leaf;
    ASSERT_TRUE(meta_->OpenLeaf(*scratch_.pool(), i, true, &leaf).ok());
    const uint64_t at = meta_->leaves[i].pool_offset() - run.begin;
    for (size_t end = entry + leaf.count(); entry < end; entry++) {
      if (at < run.length * kExtent) lost_.insert(entries_[entry].first);
    }
  }
  Damage(run.begin + random().Uniform(64));
  DamageFooter();
  EXPECT_EQ(2u, ExpectTheRest()) << damages_;
}

TEST_P(TreeSalvageTest, ReferencesAreShownWhateverTheyLeadTo) {
  PoolOffset extent;
  ASSERT_TRUE(scratch_.extents()->Reserve(1, &extent).ok());
  ExtentHeader header;
  header.kind = ExtentKind::kValue;
  WriteExtentHeader(scratch_.pool(), extent, header);
  std::string reference(kValueRefSize, '\0');
  EncodeValueRef({extent + 64, false, 100, 0}, reference.data());
  entries_ = {{InternalKey("k", 1, kTypeValueRef).Encode().ToString(), reference},
              {InternalKey("l", 2, kTypeValue).Encode().ToString(), "value"}};
  const TreePtr tree = BuildTree(options_, entries_, &record_);
  Damage(extent);
  EXPECT_EQ(0u, ExpectTheRest()) << damages_;
}

TEST_P(TreeSalvageTest, StopsWhenAnEntryCannotBeKept) {
  for (const bool with_index : {true, false}) {
    if (!with_index) DamageFooter();
    int shown = 0;
    const Status status = SalvageTree(
        options_.context, record_,
        [&](const Slice&, const Slice&) {
          return ++shown < 50 ? Status::OK() : Status::IOError("full");
        },
        [](const Status&) {});
    EXPECT_TRUE(status.IsIOError());
    EXPECT_EQ(50, shown);
  }
}

// Every entry that is visited was in the tree.
TEST_P(TreeSalvageTest, RandomDamage) {
  const std::map<std::string, std::string> written(entries_.begin(), entries_.end());
  for (int round = 0; round < Scaled(20); round++) {
    for (int i = 0; i < 20; i++) {
      const ExtentRun& run = meta_->runs[random().Uniform(meta_->runs.size())];
      *At(run.begin + random().Uniform(run.length * kExtent)) = static_cast<char>(random().Next());
    }
    const Status status = SalvageTree(
        options_.context, record_,
        [&](const Slice& key, const Slice& value) {
          const auto found = written.find(key.ToString());
          EXPECT_TRUE(found != written.end() && found->second == value.ToString());
          return Status::OK();
        },
        [](const Status&) {});
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_FALSE(HasFailure());
  }
}

}  // namespace
}  // namespace leveldb
