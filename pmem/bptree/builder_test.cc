// Tests what building a tree takes from the pool and gives back, what it refuses, and what remains
// of it after a power cut.
#include "pmem/bptree/builder.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "entry/internal_filter_policy.h"
#include "entry/value_ref.h"
#include "pmem/bptree/tree_testing.h"
#include "pmem/bptree/value_hints.h"
#include "pmem/media/extent_header.h"
#include "testing/comparators.h"
#include "testing/dice.h"
#include "testing/pmem_sim.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::PmemSim;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kExtent = 64 << 10;

std::string KeyOf(const std::string& user_key, SequenceNumber sequence, ValueType type) {
  return InternalKey(user_key, sequence, type).Encode().ToString();
}

std::string NumberedKey(int number) {
  char text[32];
  snprintf(text, sizeof(text), "key%09d", number);
  return text;
}

class BuilderTest : public testing::Test {
 protected:
  BuilderTest() { Use(BytewiseComparator()); }

  void Use(const Comparator* comparator) {
    comparator_ = std::make_unique<InternalKeyComparator>(comparator);
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    options_.context.comparator = comparator_.get();
    options_.context.retired = nullptr;
    options_.number = 33;
  }

  Pool* pool() { return scratch_.pool(); }
  Extents* extents() { return scratch_.extents(); }

  // Returns a value extent with one reference, which the test holds.
  PoolOffset NewValueExtent(uint64_t salt) {
    PoolOffset extent = kNoPoolOffset;
    EXPECT_TRUE(extents()->Reserve(1, &extent).ok());
    WriteValueHeader(extent, salt);
    return extent;
  }

  void WriteValueHeader(PoolOffset extent, uint64_t salt) {
    ExtentHeader header;
    header.kind = ExtentKind::kValue;
    header.salt = salt;
    WriteExtentHeader(pool(), extent, header);
    pool()->persist()->Fence();
  }

  static std::string Reference(PoolOffset pool_offset, uint32_t length,
                               bool is_chunk_list = false) {
    std::string bytes(kValueRefSize, '\0');
    EncodeValueRef({pool_offset, is_chunk_list, length, 0}, bytes.data());
    return bytes;
  }

  ScratchPool scratch_{64 << 20, kExtent};
  std::unique_ptr<InternalKeyComparator> comparator_;
  TreeBuildOptions options_;
};

TEST_F(BuilderTest, AnUnfinishedTreeLeavesNothingBehind) {
  {
    TreeBuilder builder(options_);
    for (int i = 0; i < 5000; i++) builder.Add(KeyOf(NumberedKey(i), 1, kTypeValue), "value");
    EXPECT_TRUE(builder.status().ok());
    EXPECT_EQ(5000u, builder.entries());
    EXPECT_GT(builder.leaf_bytes(), 0u);
    EXPECT_EQ(5000u * (12 + 5), builder.user_bytes());
    EXPECT_GT(extents()->used_bytes(), 0u);
  }
  EXPECT_EQ(0u, extents()->used_bytes());
}

TEST_F(BuilderTest, TheTreeHoldsItsExtentsUntilItGoes) {
  RetiredTrees retired;
  options_.context.retired = &retired;
  TreePtr tree;
  TreeBuilder builder(options_);
  for (int i = 0; i < 20000; i++) builder.Add(KeyOf(NumberedKey(i), 1, kTypeValue), "value");
  ASSERT_TRUE(builder.Finish(nullptr, &tree).ok());
  const uint64_t used = extents()->used_bytes();
  EXPECT_EQ(tree->pool_bytes(), used);
  EXPECT_GE(builder.written_bytes(), tree->record().leaf_bytes);
  EXPECT_LE(builder.written_bytes(), used);
  EXPECT_TRUE(retired.empty());
  tree.reset();
  EXPECT_FALSE(retired.empty());
  EXPECT_EQ(used, extents()->used_bytes());  // nothing may be written there yet
  for (const PoolOffset extent : retired.TakeAll()) extents()->Release(extent);
  EXPECT_TRUE(retired.empty());
  EXPECT_EQ(0u, extents()->used_bytes());
}

TEST_F(BuilderTest, ValuesAreCountedAndTheirExtentsHeld) {
  const PoolOffset first = NewValueExtent(1001);
  const PoolOffset second = NewValueExtent(1002);
  const PoolOffset unused = NewValueExtent(1003);
  Entries entries;
  for (int i = 0; i < 100; i++) {
    entries.emplace_back(KeyOf(NumberedKey(i), 1, kTypeValueRef),
                         Reference((i % 4 == 0 ? second : first) + 64 + 512 * i, 300));
  }
  TreeRecord record;
  TreePtr tree = BuildTree(options_, entries, &record);
  ASSERT_NE(nullptr, tree);
  EXPECT_EQ(100u * (12 + 300), record.user_bytes);
  const std::vector<ValueExtentUse> expected = {{first, 1001, 75 * 300}, {second, 1002, 25 * 300}};
  EXPECT_EQ(expected, tree->value_extents());
  EXPECT_TRUE(tree->Check({}).ok());
  EXPECT_EQ(2u, extents()->references(first));
  EXPECT_EQ(2u, extents()->references(second));
  EXPECT_EQ(1u, extents()->references(unused));
  const TreeHit hit = LookUp(*tree, NumberedKey(8), 5);
  EXPECT_EQ(kTypeValueRef, hit.type);
  EXPECT_EQ(entries[8].second, hit.value.ToString());
  EXPECT_EQ(8u * 312, tree->ApproximateOffset(entries[8].first));

  // Headers whose salts are known are not read again.
  EXPECT_EQ(1001u, extents()->value_salt(first));
  EraseExtentHeader(pool(), first);
  EXPECT_EQ(expected, BuildTree(options_, entries)->value_extents());
  WriteValueHeader(first, 1001);

  // After it is opened again, the tree holds exactly the extents that it names.
  tree.reset();
  EXPECT_EQ(1u, extents()->references(first));
  const Status reopened = scratch_.Reopen();
  ASSERT_TRUE(reopened.ok()) << reopened.ToString();
  Use(BytewiseComparator());
  ASSERT_TRUE(Tree::Open(options_.context, record, &tree).ok());
  EXPECT_EQ(expected, tree->value_extents());
  EXPECT_EQ(1u, extents()->references(first));
  EXPECT_EQ(0u, extents()->references(unused));
  EXPECT_EQ(tree->pool_bytes() + 2 * kExtent, extents()->used_bytes());
  tree.reset();
  EXPECT_EQ(0u, extents()->used_bytes());
}

TEST_F(BuilderTest, ChunkListsAreFollowed) {
  static PoolOffset pieces_in[2];
  pieces_in[0] = NewValueExtent(1);
  pieces_in[1] = NewValueExtent(2);
  TreeBuilder refusing(options_);
  refusing.Add(KeyOf("k", 1, kTypeValueRef), Reference(pieces_in[0] + 64, 5000, true));
  EXPECT_TRUE(refusing.status().IsNotSupportedError());
  options_.context.list_chunks = [](const Pool&, const ValueRef& reference,
                                    std::vector<ValuePiece>* pieces) {
    EXPECT_TRUE(reference.is_chunk_list);
    pieces->push_back({pieces_in[0] + 64, 40});
    pieces->push_back({pieces_in[1] + 64, 5000});
    return Status::OK();
  };
  const TreePtr tree = BuildTree(
      options_, {{KeyOf("k", 1, kTypeValueRef), Reference(pieces_in[0] + 64, 5000, true)}});
  const std::vector<ValueExtentUse> expected = {{pieces_in[0], 1, 40}, {pieces_in[1], 2, 5000}};
  EXPECT_EQ(expected, tree->value_extents());
  EXPECT_EQ(5001u, tree->record().user_bytes);
}

TEST_F(BuilderTest, RefusesWhatIsNoEntryOrOutOfOrder) {
  const auto refuses = [this](const std::vector<std::pair<std::string, std::string>>& entries) {
    TreeBuilder builder(options_);
    for (const auto& [key, value] : entries) builder.Add(key, value);
    TreePtr tree;
    return builder.Finish(nullptr, &tree).IsCorruption() && tree == nullptr &&
           builder.status().IsCorruption();
  };
  EXPECT_TRUE(refuses({{"short", ""}}));
  EXPECT_TRUE(refuses({{std::string("key") + std::string(8, '\x7f'), ""}}));
  EXPECT_TRUE(refuses({{KeyOf("b", 1, kTypeValue), ""}, {KeyOf("a", 1, kTypeValue), ""}}));
  EXPECT_TRUE(refuses({{KeyOf("a", 1, kTypeValue), ""}, {KeyOf("a", 2, kTypeValue), ""}}));
  EXPECT_TRUE(refuses({{KeyOf("a", 1, kTypeValue), ""}, {KeyOf("a", 1, kTypeValue), ""}}));
  const PoolOffset extent = NewValueExtent(1);
  EXPECT_TRUE(refuses({{KeyOf("a", 1, kTypeValueRef), "fifteen bytes.."}}));
  EXPECT_TRUE(refuses({{KeyOf("a", 1, kTypeValueRef), Reference(extent + kExtent, 10)}}));
  EXPECT_TRUE(refuses({{KeyOf("a", 1, kTypeValueRef), Reference(extent + 64, kExtent)}}));
  EXPECT_TRUE(refuses({{KeyOf("a", 1, kTypeValueRef), Reference(uint64_t{1} << 47, 10)}}));
  extents()->Release(extent);
  EXPECT_EQ(0u, extents()->used_bytes());
}

TEST_F(BuilderTest, AFullPoolIsAnErrorAndNothingIsKept) {
  ScratchPool small(Pool::kBytesMin, kExtent);
  options_.context.pool = small.pool();
  options_.context.extents = small.extents();
  const std::string value(4000, 'v');
  {
    TreeBuilder builder(options_);
    for (int i = 0; i < 10000 && builder.status().ok(); i++) {
      builder.Add(KeyOf(NumberedKey(i), 1, kTypeValue), value);
    }
    EXPECT_TRUE(builder.status().IsIOError()) << builder.status().ToString();
    TreePtr tree;
    EXPECT_TRUE(builder.Finish(nullptr, &tree).IsIOError());
  }
  EXPECT_EQ(0u, small.extents()->used_bytes());
  // The space that is free again is enough for a smaller tree.
  Entries entries;
  for (int i = 0; i < 500; i++) entries.emplace_back(KeyOf(NumberedKey(i), 1, kTypeValue), value);
  EXPECT_NE(nullptr, BuildTree(options_, entries));
}

// No run of two extents is free: everything except a huge entry still has room.
TEST_F(BuilderTest, NeedsNoNeighbouringExtents) {
  ScratchPool small(16 << 20, kExtent);
  options_.context.pool = small.pool();
  options_.context.extents = small.extents();
  std::vector<PoolOffset> all;
  for (PoolOffset pool_offset; small.extents()->Reserve(1, &pool_offset).ok();)
    all.push_back(pool_offset);
  for (const PoolOffset pool_offset : all) {
    if (pool_offset / kExtent % 2 == 0) small.extents()->Release(pool_offset);
  }
  Entries entries;
  for (int i = 0; i < 100000; i++) entries.emplace_back(KeyOf(NumberedKey(i), 1, kTypeValue), "v");
  TreeRecord record;
  const TreePtr tree = BuildTree(options_, entries, &record);
  ASSERT_NE(nullptr, tree);
  EXPECT_GT(tree->dram_bytes(), kExtent * 2);  // filter and index alone do not fit into one extent
  EXPECT_TRUE(tree->Check({}).ok());
}

TEST_F(BuilderTest, TheFilterTurnsMostAbsentKeysAway) {
  Entries entries;
  for (int i = 0; i < 20000; i++) {
    entries.emplace_back(KeyOf(NumberedKey(2 * i), 1, kTypeValue), "v");
  }
  const TreePtr tree = BuildTree(options_, entries);
  int passed = 0;
  for (int i = 0; i < 20000; i++) {
    passed += tree->MayContain(HashKey64(NumberedKey(2 * i + 1)));
    ASSERT_TRUE(tree->MayContain(HashKey64(NumberedKey(2 * i))));
  }
  EXPECT_LT(passed, 20000 * 15 / 1000);
  options_.filter_bits_per_key = 0;
  const TreePtr unfiltered = BuildTree(options_, entries);
  EXPECT_TRUE(unfiltered->MayContain(HashKey64(NumberedKey(1))));
  EXPECT_LT(unfiltered->dram_bytes() + 20000, tree->dram_bytes());
}

TEST_F(BuilderTest, DramAndPoolBytesStayWithinTheirBounds) {
  const PoolOffset extent = NewValueExtent(1);
  Entries entries;
  for (int i = 0; i < 100000; i++) {
    entries.emplace_back(
        KeyOf(std::to_string(1000000000000000 + 97 * i), 1 + i * 7919 % 100000, kTypeValueRef),
        Reference(extent + 64, 1000));
  }
  const TreePtr tree = BuildTree(options_, entries);
  EXPECT_LE(tree->dram_bytes(), entries.size() * 2);
  EXPECT_LE(tree->record().leaf_bytes, entries.size() * 34);
}

TEST_F(BuilderTest, OfManyKeysItLetsTheCallerInWhileItIsFinished) {
  const ValueHints hints(1);
  options_.context.value_hints = &hints;
  constexpr int kKeys = 30000;
  const PoolOffset extent = NewValueExtent(1001);
  int calls = 0;
  options_.yield = [&calls] { calls++; };
  TreeBuilder builder(options_);
  for (int i = 0; i < kKeys; i++) {
    builder.Add(KeyOf(NumberedKey(i), 1, kTypeValueRef), Reference(extent + 64, 64));
  }
  ASSERT_TRUE(builder.status().ok()) << builder.status().ToString();
  EXPECT_EQ(0, calls);
  TreePtr tree;
  ASSERT_TRUE(builder.Finish(nullptr, &tree).ok());
  EXPECT_LE(2 * 3, calls);  // for the filter and for hints
  for (int i = 0; i < kKeys; i++) {
    ASSERT_TRUE(tree->MayContain(HashKey64(NumberedKey(i)))) << i;
  }
}

// Trees whose keys each have an older version, in an extent, and a newer one that may be there too.
class ValueHintsOfTrees : public BuilderTest {
 protected:
  static constexpr int kKeys = 200;

  ValueHintsOfTrees() {
    options_.context.value_hints = &hints_;
    for (int i = 0; i < kKeys; i++) {
      entries_.emplace_back(KeyOf(NumberedKey(i), 9, IsSeparated(i) ? kTypeValueRef : kTypeValue),
                            IsSeparated(i) ? Reference(OffsetOf(i), 64) : "inline");
      entries_.emplace_back(KeyOf(NumberedKey(i), 8, kTypeValueRef),
                            Reference(OffsetOf(kKeys + i), 64));
    }
  }

  static bool IsSeparated(int i) { return i % 3 != 0; }
  PoolOffset OffsetOf(int i) const { return extent_ + 64 + 64 * static_cast<PoolOffset>(i); }

  // Expects hints for the newest version of each key.
  void ExpectHints(bool are_known) {
    for (int i = 0; i < kKeys; i++) {
      EXPECT_EQ(are_known && IsSeparated(i) ? OffsetOf(i) : kNoPoolOffset,
                hints_.Find(HashKey64(NumberedKey(i))))
          << i;
    }
  }

  const ValueHints hints_{8 * kKeys};
  const PoolOffset extent_ = NewValueExtent(1001);
  Entries entries_;
};

TEST_F(ValueHintsOfTrees, AreTaughtByTreesThatAreToStay) {
  options_.teach_hints = true;
  const TreePtr tree = BuildTree(options_, entries_);
  ExpectHints(true);
}

TEST_F(ValueHintsOfTrees, AreLearnedFromReads) {
  options_.teach_hints = false;
  TreeRecord record;
  const TreePtr tree = BuildTree(options_, entries_, &record);
  TreePtr opened;
  ASSERT_TRUE(Tree::Open(options_.context, record, &opened).ok());
  ExpectHints(false);
  for (int i = 0; i < kKeys; i++) EXPECT_TRUE(LookUp(*opened, NumberedKey(i), 100).found);
  ExpectHints(true);
}

TEST_F(ValueHintsOfTrees, ChangeNothingOfWhatIsRead) {
  const TreePtr tree = BuildTree(options_, entries_);
  for (int i = 0; i < kKeys; i++) {
    // The hint is one of another key, leads nowhere, or is of the newest version when the other is
    // read.
    if (i % 4 == 0) hints_.Learn(HashKey64(NumberedKey(i)), OffsetOf(kKeys - i));
    if (i % 4 == 1) hints_.Learn(HashKey64(NumberedKey(i)), uint64_t{UINT32_MAX} * 64);
    const TreeHit older = LookUp(*tree, NumberedKey(i), 8);
    ASSERT_EQ(Reference(OffsetOf(kKeys + i), 64), older.value.ToString());
    const TreeHit newest = LookUp(*tree, NumberedKey(i), 9);
    ASSERT_EQ(IsSeparated(i) ? Reference(OffsetOf(i), 64) : "inline", newest.value.ToString());
  }
}

TEST_F(ValueHintsOfTrees, NeedNoFilter) {
  options_.filter_bits_per_key = 0;
  const TreePtr tree = BuildTree(options_, entries_);
  ExpectHints(true);
}

// Keys with different bytes may be the same there, so their hashes are meaningless.
TEST_F(ValueHintsOfTrees, AreNotForOtherComparators) {
  Use(testkit::CaseInsensitiveComparator());
  const TreePtr tree = BuildTree(options_, entries_);
  for (int i = 0; i < kKeys; i++) EXPECT_TRUE(LookUp(*tree, NumberedKey(i), 100).found);
  ExpectHints(false);
  EXPECT_EQ(kNoPoolOffset, hints_.Find(0));
}

// Under another comparator the caller's policy is used, as for a block of a table.
TEST_F(BuilderTest, AFilterPolicyServesOtherComparators) {
  Use(testkit::CaseInsensitiveComparator());
  const InternalFilterPolicy policy(testkit::CaseInsensitiveFilter());
  options_.context.user_filter = &policy;
  Entries entries;
  for (int i = 0; i < 2000; i++) {
    entries.emplace_back(KeyOf("Key" + NumberedKey(2 * i), 1, kTypeValue), "v");
  }
  TreeRecord record;
  TreePtr tree = BuildTree(options_, entries, &record);
  EXPECT_TRUE(tree->Check({}).ok());
  for (int i = 0; i < 2000; i++) {
    ASSERT_TRUE(LookUp(*tree, "kEY" + NumberedKey(2 * i), 1).found);
    ASSERT_FALSE(LookUp(*tree, "kEY" + NumberedKey(2 * i + 1), 1).found);
  }
  const uint64_t with_filter = tree->dram_bytes();

  // Without the policy its filters are unused, and do no harm.
  tree.reset();
  const Status reopened = scratch_.Reopen();
  ASSERT_TRUE(reopened.ok()) << reopened.ToString();
  Use(testkit::CaseInsensitiveComparator());
  options_.context.user_filter = nullptr;
  ASSERT_TRUE(Tree::Open(options_.context, record, &tree).ok());
  EXPECT_TRUE(LookUp(*tree, "KEY" + NumberedKey(8), 1).found);
  EXPECT_LT(tree->dram_bytes() + 2000, with_filter);
}

// Builds a tree of random entries, cuts the power, and opens and checks the tree.
class PowerCut {
 public:
  PowerCut(PmemSim::Model model, uint64_t seed) : sim_(model), dice_(seed) {
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    options_.context.comparator = &comparator_;
    options_.number = 33;
  }

  PmemSim* sim() { return &sim_; }

  // REQUIRES: called once.
  Status BuildCutOpenAndCheck() {
    EntryMaker maker(dice_.Next());
    TreeRecord record;
    TreePtr tree = BuildTree(options_, maker.Make(comparator_, Scaled(2000)), &record);
    const testkit::PmemImages images = sim_.AfterPowerLoss(testkit::Loss::kDropAll, &dice_);
    tree.reset();
    scratch_.Close();
    images.Restore();
    Status status = scratch_.Reopen();
    if (!status.ok()) return Status::IOError("the pool itself", status.ToString());
    options_.context.pool = scratch_.pool();
    options_.context.extents = scratch_.extents();
    status = Tree::Open(options_.context, record, &tree);
    return status.ok() ? tree->Check({}) : status;
  }

 private:
  PmemSim sim_;
  Dice dice_;
  ScratchPool scratch_{16 << 20, kExtent, sim_.Factory()};
  const InternalKeyComparator comparator_{BytewiseComparator()};
  TreeBuildOptions options_;
};

// Once Finish has returned, a power cut loses nothing of the tree.
TEST(TreePowerCutTest, WhatIsFinishedSurvives) {
  const uint64_t seed = AnnouncedSeed();
  for (const PmemSim::Model model : {PmemSim::Model::kCacheLines, PmemSim::Model::kMsync}) {
    const Status status = PowerCut(model, seed).BuildCutOpenAndCheck();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
}

// The test above notices a missing sync.
TEST(TreePowerCutTest, AForgottenSyncIsNoticed) {
  PowerCut cut(PmemSim::Model::kCacheLines, AnnouncedSeed());
  cut.sim()->SkipFences(1, 1000000);
  const Status status = cut.BuildCutOpenAndCheck();
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
}

}  // namespace
}  // namespace leveldb
