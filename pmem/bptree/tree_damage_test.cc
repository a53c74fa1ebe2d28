// Tests damaged bytes in each structure of a tree: clear errors, no crash, and the rest stays
// readable.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "entry/value_ref.h"
#include "pmem/bptree/builder.h"
#include "pmem/bptree/footer_layout.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/tree.h"
#include "pmem/bptree/tree_testing.h"
#include "pmem/media/extent_header.h"
#include "testing/comparators.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"
#include "util/crc32c.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kExtent = 64 << 10;

class TreeDamageTest : public testing::TestWithParam<const Comparator*> {
 protected:
  TreeDamageTest() : maker_(AnnouncedSeed()) {
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    options_.context.comparator = &comparator_;
    options_.number = 12;
    options_.leaf_bytes = 1024;
    entries_ = maker_.Make(comparator_, 600);
    tree_ = BuildTree(options_, entries_, &record_);
  }

  char* At(PoolOffset pool_offset) { return scratch_.pool()->At(pool_offset); }
  Random& random() { return *maker_.random(); }

  Status Open(const TreeRecord& record, TreePtr* tree) {
    return Tree::Open(options_.context, record, tree);
  }

  // Opens the tree although all of its extents are in use already.
  void ExpectRefused(const TreeRecord& record, const std::string& what) {
    TreePtr tree;
    const uint64_t used = scratch_.extents()->used_bytes();
    const Status status = Open(record, &tree);
    EXPECT_TRUE(status.IsCorruption()) << what << ": " << status.ToString();
    EXPECT_NE(std::string::npos, status.ToString().find("12")) << status.ToString();
    EXPECT_EQ(used, scratch_.extents()->used_bytes());
  }

  // Returns the pool offset of the tree's first leaf, which follows the first run's header.
  PoolOffset FirstLeaf() { return Run(0) + kLeafUnit; }
  PoolOffset Run(int i) {
    return LoadFixed64(At(record_.footer_offset) + footer_layout::kHeaderSize +
                       i * footer_layout::kRunSize);
  }

  char* Pieces() {
    char* const footer = At(record_.footer_offset);
    return footer + footer_layout::kHeaderSize +
           LoadFixed32(footer + footer_layout::kRunCountAt) * footer_layout::kRunSize;
  }
  size_t PieceCount() {
    return LoadFixed32(At(record_.footer_offset) + footer_layout::kPieceCountAt);
  }

  // Makes all checksums right again, as an attacker would.
  TreeRecord WithRightSums() {
    char* piece = Pieces();
    for (size_t i = 0; i < PieceCount(); i++, piece += footer_layout::kPieceSize) {
      const PoolOffset pool_offset = LoadFixed64(piece);
      const uint32_t bytes = LoadFixed32(piece + 8);
      if (scratch_.pool()->Contains(pool_offset, bytes)) {
        StoreFixed32(piece + 12, crc32c::Value(At(pool_offset), bytes));
      }
    }
    TreeRecord record = record_;
    record.footer_crc = crc32c::Value(At(record.footer_offset), record.footer_bytes);
    return record;
  }

  // Reads the tree in every way; the results do not matter.
  void UseInEveryWay(const Tree& tree) {
    for (const bool verify : {false, true}) {
      const std::unique_ptr<Iterator> iterator(tree.NewIterator(verify));
      size_t steps = 0;
      for (iterator->SeekToFirst(); iterator->Valid() && steps < 2000; iterator->Next()) steps++;
      for (iterator->SeekToLast(); iterator->Valid() && steps < 4000; iterator->Prev()) steps++;
      for (int i = 0; i < 20; i++) {
        const auto& [key, value] = entries_[random().Uniform(entries_.size())];
        iterator->Seek(key);
        if (iterator->Valid()) (void)iterator->value().size();
        (void)tree.ApproximateOffset(key);
        const LookupKey lookup(ExtractUserKey(key), random().Uniform(2000000));
        TreeHit hit;
        (void)tree.Get(lookup, HashKey64(lookup.user_key()), verify, &hit);
      }
    }
    (void)tree.Check({});
  }

  const InternalKeyComparator comparator_{GetParam()};
  EntryMaker maker_;
  ScratchPool scratch_{32 << 20, kExtent};
  TreeBuildOptions options_;
  Entries entries_;
  TreeRecord record_;
  TreePtr tree_;
};

INSTANTIATE_TEST_SUITE_P(Comparators, TreeDamageTest,
                         testing::Values(BytewiseComparator(),
                                         testkit::CaseInsensitiveComparator()));

TEST_P(TreeDamageTest, EveryByteOfTheFooterCounts) {
  TreePtr again;
  ASSERT_TRUE(Open(record_, &again).ok());
  char* const footer = At(record_.footer_offset);
  for (size_t i = 0; i < record_.footer_bytes; i++) {
    const char original = footer[i];
    footer[i] = static_cast<char>(original ^ (1 << random().Uniform(8)));
    ExpectRefused(record_, "footer byte " + std::to_string(i));
    footer[i] = original;
  }
}

TEST_P(TreeDamageTest, EveryByteOfIndexAndFilterCounts) {
  char* piece = Pieces();
  for (size_t p = 0; p < PieceCount(); p++, piece += footer_layout::kPieceSize) {
    char* const bytes = At(LoadFixed64(piece));
    for (size_t i = 0; i < LoadFixed32(piece + 8); i += 1 + random().Uniform(5)) {
      const char original = bytes[i];
      bytes[i] = static_cast<char>(original ^ (1 << random().Uniform(8)));
      ExpectRefused(record_, "byte " + std::to_string(i) + " of piece " + std::to_string(p));
      bytes[i] = original;
    }
  }
  TreePtr again;
  ASSERT_TRUE(Open(record_, &again).ok());
}

TEST_P(TreeDamageTest, EveryRunMustBeginWithTheTreesHeader) {
  for (size_t i = 0; i < tree_->pool_bytes() / kExtent && i < 3; i++) {
    char* const header = At(Run(static_cast<int>(i)));
    for (size_t byte = 0; byte < ExtentHeader::kSize; byte++) {
      const char original = header[byte];
      header[byte] = static_cast<char>(original ^ 1);
      TreePtr tree;
      EXPECT_TRUE(Open(record_, &tree).IsCorruption()) << byte;
      header[byte] = original;
    }
    // A valid header, but of an earlier use of the extent.
    ExtentHeader earlier;
    earlier.kind = ExtentKind::kTree;
    earlier.object = record_.number;
    earlier.salt = record_.salt + 1;
    earlier.position = static_cast<uint32_t>(i);
    const std::string original(header, ExtentHeader::kSize);
    WriteExtentHeader(scratch_.pool(), Run(static_cast<int>(i)), earlier);
    TreePtr tree;
    EXPECT_TRUE(Open(record_, &tree).IsCorruption());
    memcpy(header, original.data(), original.size());
    if (tree_->record().leaf_bytes < kExtent) break;
  }
}

TEST_P(TreeDamageTest, TheRecordMustBeTheTrees) {
  TreeRecord record = record_;
  record.salt++;
  ExpectRefused(record, "salt");
  record = record_;
  record.entries++;
  ExpectRefused(record, "entries");
  record = record_;
  record.user_bytes++;
  ExpectRefused(record, "user bytes");
  record = record_;
  record.leaf_bytes++;
  ExpectRefused(record, "leaf bytes");
  record = record_;
  record.footer_crc++;
  ExpectRefused(record, "footer crc");
  for (const uint32_t bytes : {0u, 1u, record_.footer_bytes - 1, record_.footer_bytes + 1, ~0u}) {
    record = record_;
    record.footer_bytes = bytes;
    ExpectRefused(record, "footer bytes");
  }
  for (const PoolOffset pool_offset :
       {PoolOffset{1}, record_.footer_offset + 1, PoolOffset{32 << 20}, ~PoolOffset{0} - 3}) {
    record = record_;
    record.footer_offset = pool_offset;
    ExpectRefused(record, "footer offset");
  }
  record = record_;
  std::swap(record.smallest, record.largest);
  ExpectRefused(record, "bounds");
  record = record_;
  record.number = 112;  // a "12" for the message
  ExpectRefused(record, "number");
}

// Lookups and iterators that verify checksums notice the damage; the rest of the tree stays
// readable.
TEST_P(TreeDamageTest, ADamagedLeafIsNamedAndTheRestReadable) {
  char* const leaf = At(FirstLeaf());
  char* const last = leaf + LoadFixed32(leaf + 4) - 1;  // zeros may follow
  *last = static_cast<char>(*last ^ 4);
  const Slice first = ExtractUserKey(entries_.front().first);
  const LookupKey lookup(first, kMaxSequenceNumber);
  TreeHit hit;
  Status status = tree_->Get(lookup, HashKey64(first), true, &hit);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(std::string::npos, status.ToString().find("tree #12")) << status.ToString();
  EXPECT_NE(std::string::npos, status.ToString().find("leaf 0")) << status.ToString();
  EXPECT_FALSE(hit.found);

  const std::unique_ptr<Iterator> iterator(tree_->NewIterator(true));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsCorruption());
  iterator->SeekToLast();
  size_t readable = 0;
  for (; iterator->Valid(); iterator->Prev()) {
    readable++;
    ASSERT_EQ(entries_[entries_.size() - readable].first, iterator->key().ToString());
  }
  EXPECT_TRUE(iterator->status().IsCorruption());
  EXPECT_GT(readable, entries_.size() / 2);

  std::vector<std::string> findings;
  status = tree_->Check([&](const std::string& finding) { findings.push_back(finding); });
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_EQ(1u, findings.size());
  UseInEveryWay(*tree_);
}

// The page is as the fault guard leaves a page that was lost.
TEST_P(TreeDamageTest, ALeafOfZerosIsNoticedWithoutChecksums) {
  memset(At(FirstLeaf()), 0, kLeafUnit);
  const Slice first = ExtractUserKey(entries_.front().first);
  TreeHit hit;
  EXPECT_TRUE(tree_->Get(LookupKey(first, kMaxSequenceNumber), HashKey64(first), false, &hit)
                  .IsCorruption());
  const std::unique_ptr<Iterator> iterator(tree_->NewIterator(false));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsCorruption());
  EXPECT_EQ(0u, tree_->ApproximateOffset(entries_.front().first));
}

TEST_P(TreeDamageTest, NonsenseInLeavesDoesNoHarm) {
  const PoolOffset end = FirstLeaf() + record_.leaf_bytes / 2;
  for (int round = 0; round < Scaled(100); round++) {
    for (int i = 0; i < 20; i++) {
      *At(FirstLeaf() + random().Uniform(end - FirstLeaf())) = static_cast<char>(random().Next());
    }
    UseInEveryWay(*tree_);
  }
  EXPECT_TRUE(tree_->Check({}).IsCorruption());
}

// Footer and body changed under right checksums are refused, or opened and do no harm.
TEST_P(TreeDamageTest, ForgedMetaDoesNoHarm) {
  const std::string footer(At(record_.footer_offset), record_.footer_bytes);
  const PoolOffset index = LoadFixed64(Pieces());
  const uint32_t index_bytes = LoadFixed32(Pieces() + 8);
  const std::string body(At(index), index_bytes);
  int opened = 0;
  for (int round = 0; round < Scaled(1000); round++) {
    for (uint64_t i = random().Uniform(4); i > 0; i--) {
      At(record_.footer_offset)[random().Uniform(footer.size())] =
          static_cast<char>(random().Next());
    }
    for (uint64_t i = random().Uniform(4); i > 0; i--) {
      At(index)[random().Uniform(index_bytes)] = static_cast<char>(random().Next());
    }
    TreeRecord record = record_;
    if (LoadFixed32(At(record_.footer_offset) + footer_layout::kRunCountAt) ==
            LoadFixed32(footer.data() + footer_layout::kRunCountAt) &&
        LoadFixed32(At(record_.footer_offset) + footer_layout::kPieceCountAt) ==
            LoadFixed32(footer.data() + footer_layout::kPieceCountAt)) {
      record = WithRightSums();
    } else {
      record.footer_crc = crc32c::Value(At(record_.footer_offset), record_.footer_bytes);
    }
    TreePtr tree;
    if (Open(record, &tree).ok()) {
      opened++;
      UseInEveryWay(*tree);
    }
    memcpy(At(record_.footer_offset), footer.data(), footer.size());
    memcpy(At(index), body.data(), body.size());
  }
  EXPECT_GT(opened, 0);
}

TEST_P(TreeDamageTest, ValueExtentsMustBeTheOnesReferredTo) {
  PoolOffset extent;
  ASSERT_TRUE(scratch_.extents()->Reserve(1, &extent).ok());
  ExtentHeader header;
  header.kind = ExtentKind::kValue;
  header.salt = 5;
  WriteExtentHeader(scratch_.pool(), extent, header);
  std::string reference(kValueRefSize, '\0');
  EncodeValueRef({extent + 64, false, 100, 0}, reference.data());
  TreeRecord record;
  const TreePtr tree = BuildTree(
      options_, {{InternalKey("k", 1, kTypeValueRef).Encode().ToString(), reference}}, &record);
  TreePtr again;
  ASSERT_TRUE(Open(record, &again).ok());
  header.salt = 6;  // the extent was reserved again
  WriteExtentHeader(scratch_.pool(), extent, header);
  ExpectRefused(record, "salt of values");
  EXPECT_TRUE(tree->Check({}).IsCorruption());
  header.salt = 5;
  header.kind = ExtentKind::kLog;
  WriteExtentHeader(scratch_.pool(), extent, header);
  ExpectRefused(record, "kind of values");
}

}  // namespace
}  // namespace leveldb
