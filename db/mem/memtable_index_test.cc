#include "db/mem/memtable_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace leveldb {
namespace {

// Orders in reverse, so that no assumption about bytes holds.
class BackwardComparator final : public Comparator {
 public:
  const char* Name() const override { return "test.Backward"; }
  int Compare(const Slice& a, const Slice& b) const override { return b.compare(a); }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}
};

const char* NewEntry(Arena* arena, const std::string& user_key, SequenceNumber sequence) {
  char* const entry = arena->Allocate(memtable_entry::Size(user_key.size(), 0));
  StoreFixed32(entry, static_cast<uint32_t>(user_key.size()));
  StoreFixed32(entry + 4, 0);
  memcpy(entry + memtable_entry::kHeaderSize, user_key.data(), user_key.size());
  StoreFixed64(entry + memtable_entry::kHeaderSize + user_key.size(),
               PackTrailer(sequence, kTypeValue));
  return entry;
}

class IndexUnderTest {
 public:
  explicit IndexUnderTest(const Comparator* user = BytewiseComparator())
      : comparator_(user), index_(&comparator_, &arena_) {}

  // `steps` of the three-phase insertion are done in advance: 0 to 2.
  void Insert(const std::string& user_key, SequenceNumber sequence, int steps = 0) {
    MemtableIndex::InsertHint hint;
    if (steps > 0) index_.Begin(user_key, &hint);
    if (steps > 1) index_.Advance(&hint);
    index_.Insert(NewEntry(&arena_, user_key, sequence), user_key,
                  PackTrailer(sequence, kTypeValue), &hint);
  }

  const MemtableIndex& index() const { return index_; }
  const InternalKeyComparator& comparator() const { return comparator_; }

 private:
  const InternalKeyComparator comparator_;
  Arena arena_;
  MemtableIndex index_;
};

std::string InternalKeyOf(const std::string& user_key, SequenceNumber sequence) {
  std::string key;
  AppendInternalKey(&key, user_key, sequence, kTypeValue);
  return key;
}

struct Less {
  const InternalKeyComparator* comparator;
  bool operator()(const std::string& a, const std::string& b) const {
    return comparator->Compare(Slice(a), Slice(b)) < 0;
  }
};
using Reference = std::set<std::string, Less>;

void ExpectSameWalks(const MemtableIndex& index, const Reference& reference) {
  MemtableIndex::Cursor cursor(&index);
  cursor.SeekToFirst();
  for (const std::string& key : reference) {
    ASSERT_TRUE(cursor.Valid());
    ASSERT_EQ(key, memtable_entry::Key(cursor.entry()).ToString());
    cursor.Next();
  }
  EXPECT_FALSE(cursor.Valid());
  cursor.SeekToLast();
  for (auto it = reference.rbegin(); it != reference.rend(); ++it) {
    ASSERT_TRUE(cursor.Valid());
    ASSERT_EQ(*it, memtable_entry::Key(cursor.entry()).ToString());
    cursor.Prev();
  }
  EXPECT_FALSE(cursor.Valid());
}

void ExpectSameSeeks(const IndexUnderTest& under_test, const Reference& reference,
                     const std::vector<std::string>& targets) {
  MemtableIndex::Cursor cursor(&under_test.index());
  for (const std::string& target : targets) {
    const auto expected = reference.lower_bound(target);
    cursor.Seek(target);
    const char* found = under_test.index().FindFirstAtOrAfter(target);
    ASSERT_EQ(expected != reference.end(), cursor.Valid());
    ASSERT_EQ(expected != reference.end(), found != nullptr);
    if (found == nullptr) continue;
    EXPECT_EQ(*expected, memtable_entry::Key(cursor.entry()).ToString());
    EXPECT_EQ(*expected, memtable_entry::Key(found).ToString());
    cursor.Prev();
    ASSERT_EQ(expected != reference.begin(), cursor.Valid());
    if (cursor.Valid()) {
      EXPECT_EQ(*std::prev(expected), memtable_entry::Key(cursor.entry()).ToString());
    }
  }
}

// Shares must grow with the keys, from 0 to 1, and tell approximately how many keys come before.
void ExpectSharesInOrder(const MemtableIndex& index, const Reference& reference) {
  double before = 0;
  double rank = 0;
  for (const std::string& key : reference) {
    const double share = index.ShareBefore(key);
    ASSERT_GE(share, before - 1e-9);
    ASSERT_NEAR(share, rank / static_cast<double>(reference.size()), 0.35);
    before = share;
    rank++;
  }
  EXPECT_EQ(index.ShareBefore(*reference.begin()), 0);
  EXPECT_LE(before, 1 + 1e-9);
}

TEST(MemtableIndexTest, EmptyIndexHasNoPositions) {
  const IndexUnderTest under_test;
  ExpectSameWalks(under_test.index(), Reference(Less{&under_test.comparator()}));
  EXPECT_EQ(nullptr, under_test.index().FindFirstAtOrAfter(InternalKeyOf("", kMaxSequenceNumber)));
  EXPECT_EQ(0, under_test.index().ShareBefore(InternalKeyOf("", kMaxSequenceNumber)));
}

// A KeyMaker makes the keys of a run.
using KeyMaker = std::string (*)(std::mt19937_64& random, int i);

std::string Ascending(std::mt19937_64&, int i) {
  char key[24];
  snprintf(key, sizeof(key), "%016d", i);
  return key;
}
std::string Descending(std::mt19937_64& random, int i) {
  return Ascending(random, 1000000 - i);
}
std::string Scattered(std::mt19937_64& random, int) {
  return Ascending(random, static_cast<int>(random() % 1000000));
}
std::string AscendingInStretches(std::mt19937_64& random, int i) {
  return i / 40 % 2 == 0 ? "x" + Ascending(random, i) : Scattered(random, i);
}
std::string EverySecondAscending(std::mt19937_64& random, int i) {
  return i % 2 == 0 ? "x" + Ascending(random, i) : Scattered(random, i);
}
std::string FewKeysManyVersions(std::mt19937_64& random, int) {
  return std::string(1, static_cast<char>('a' + random() % 5));
}
std::string ZerosAndShortKeys(std::mt19937_64& random, int) {
  return std::string(random() % 12, '\0') + std::string(random() % 3, '\1');
}
std::string LongSharedPrefixes(std::mt19937_64& random, int) {
  return std::string(40 * (random() % 3), 'p') + std::to_string(random() % 5000);
}
// The bytes that tell the first keys apart do not tell apart those that come between two of them.
std::string FewFirstThenManyBehindOne(std::mt19937_64& random, int i) {
  if (i < 200) return Scattered(random, i);
  return "0000000000500000" + std::string(i % 20, 'x') + std::to_string(random() % 1000);
}
// The first keys share a prefix that keys before and after them do not have, nor prefixes of it,
// until so many keys ascend that no node's first key has it any more.
std::string AlikeAtFirst(std::mt19937_64& random, int i) {
  const std::string alike = "user/0000000000/";
  if (i < 300) return alike + std::to_string(random() % 100000);
  if (i > 2500) return "v" + Ascending(random, i);
  switch (random() % 4) {
    case 0:
      return alike.substr(0, random() % alike.size());
    case 1:
      return std::string(1, static_cast<char>('t' + random() % 3)) + std::to_string(random() % 500);
    default:
      return alike + std::to_string(random() % 100000);
  }
}
std::string ArbitraryBytes(std::mt19937_64& random, int) {
  std::string key(random() % 20, '\0');
  for (char& c : key) c = static_cast<char>(random() % 2 == 0 ? 0xff : random());
  return key;
}

TEST(MemtableIndexTest, AgreesWithASortedSet) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  static const BackwardComparator backward;
  const Comparator* comparators[] = {BytewiseComparator(), &backward};
  const KeyMaker makers[] = {Ascending,
                             Descending,
                             Scattered,
                             AscendingInStretches,
                             EverySecondAscending,
                             FewKeysManyVersions,
                             ZerosAndShortKeys,
                             LongSharedPrefixes,
                             FewFirstThenManyBehindOne,
                             AlikeAtFirst,
                             ArbitraryBytes};
  for (const Comparator* comparator : comparators) {
    for (const KeyMaker maker : makers) {
      IndexUnderTest under_test(comparator);
      Reference reference(Less{&under_test.comparator()});
      std::vector<std::string> targets;
      constexpr int kKeys = 5000;
      for (int i = 1; i <= kKeys; i++) {
        const std::string user_key = maker(random, i);
        under_test.Insert(user_key, i, static_cast<int>(random() % 3));
        reference.insert(InternalKeyOf(user_key, i));
        if (i % 10 == 0) {
          targets.push_back(InternalKeyOf(user_key, random() % kKeys));
          targets.push_back(InternalKeyOf(maker(random, i), kMaxSequenceNumber));
          targets.push_back(InternalKeyOf(ArbitraryBytes(random, i), random() % kKeys));
        }
        if (i == 16 || i == 300) ExpectSameWalks(under_test.index(), reference);
      }
      ExpectSameWalks(under_test.index(), reference);
      ExpectSameSeeks(under_test, reference, targets);
      ExpectSharesInOrder(under_test.index(), reference);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(MemtableIndexTest, AHintServesOneInsertAndThenAnother) {
  for (const KeyMaker maker :
       {Scattered, Ascending, AscendingInStretches, EverySecondAscending, FewKeysManyVersions}) {
    for (const int steps : {0, 1, 2}) {
      const InternalKeyComparator comparator(BytewiseComparator());
      Arena arena;
      MemtableIndex index(&comparator, &arena);
      Reference reference(Less{&comparator});
      MemtableIndex::InsertHint hint;
      std::mt19937_64 random(steps);
      for (int i = 1; i <= 500; i++) {
        const std::string user_key = maker(random, i);
        if (steps > 0) index.Begin(user_key, &hint);
        if (steps > 1) index.Advance(&hint);
        index.Insert(NewEntry(&arena, user_key, i), user_key, PackTrailer(i, kTypeValue), &hint);
        reference.insert(InternalKeyOf(user_key, i));
      }
      ExpectSameWalks(index, reference);
    }
  }
}

// Runs one writer and several readers. A reader that starts when n entries have been added must
// find all of these, in order, and each of its cursors must move strictly forward.
void RunConcurrently(KeyMaker maker) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  constexpr int kKeys = 30000;
  std::mt19937_64 random(seed);
  std::vector<std::string> user_keys;
  for (int i = 0; i < kKeys; i++) user_keys.push_back(maker(random, i));

  IndexUnderTest under_test;
  std::atomic<int> inserted{0};
  std::atomic<bool> failed{false};
  const auto read = [&](uint64_t reader_seed) {
    std::mt19937_64 choose(reader_seed);
    while (!failed) {
      const int known = inserted.load(std::memory_order_acquire);
      if (known == kKeys) return;
      if (known == 0) continue;
      for (int i = 0; i < 50; i++) {
        const int which = static_cast<int>(choose() % known);
        const std::string key = InternalKeyOf(user_keys[which], which + 1);
        const char* found = under_test.index().FindFirstAtOrAfter(key);
        if (found == nullptr || memtable_entry::Key(found) != Slice(key)) failed = true;
      }
      MemtableIndex::Cursor cursor(&under_test.index());
      int seen = 0;
      std::string last;
      const bool backward = choose() % 2 == 0;
      if (backward) {
        cursor.SeekToLast();
      } else {
        cursor.SeekToFirst();
      }
      while (cursor.Valid()) {
        const Slice key = memtable_entry::Key(cursor.entry());
        if (!last.empty()) {
          const int order = under_test.comparator().Compare(key, Slice(last));
          if (backward ? order >= 0 : order <= 0) failed = true;
        }
        last = key.ToString();
        if (ExtractTrailer(key) <= PackTrailer(known, kTypeValue)) seen++;
        if (backward) {
          cursor.Prev();
        } else {
          cursor.Next();
        }
      }
      if (seen != known) failed = true;
    }
  };
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; i++) readers.emplace_back(read, random());
  for (int i = 0; i < kKeys && !failed; i++) {
    under_test.Insert(user_keys[i], i + 1, i % 3);
    inserted.store(i + 1, std::memory_order_release);
  }
  if (failed) inserted = kKeys;
  for (std::thread& reader : readers) reader.join();
  EXPECT_FALSE(failed);
}

TEST(MemtableIndexConcurrentTest, ReadersSeeAllThatWasThereWhenKeysAreScattered) {
  RunConcurrently(Scattered);
}
TEST(MemtableIndexConcurrentTest, ReadersSeeAllThatWasThereWhenKeysAscend) {
  RunConcurrently(Ascending);
}
TEST(MemtableIndexConcurrentTest, ReadersSeeAllThatWasThereWhenKeysRepeat) {
  RunConcurrently(FewKeysManyVersions);
}

}  // namespace
}  // namespace leveldb
