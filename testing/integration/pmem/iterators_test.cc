// Iterators and snapshots over memtables, trees and tables at once: they see one moment, seek to
// the first key at or after their target, can be used many times, in both directions, and block no
// other thread.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

std::string Key(uint64_t number) {
  return "key" + std::to_string(10000 + number);
}

// A store with data in tables, in trees of several levels, and in the memtable.
class Iterators : public ::testing::Test {
 protected:
  Iterators() : dice_(AnnouncedSeed()), store_(kTinyPool) {
    EXPECT_OK(store_.Open());
    for (int layer = 0; layer < 12; ++layer) {
      for (int i = 0; i < 300; ++i) {
        Put(dice_.Below(4000));
      }
      if (layer < 11) {
        store_.Flush();
      }
      if (layer == 4) {
        store_.db()->CompactRange(nullptr, nullptr);
      }
    }
  }

  void Put(uint64_t number) {
    const std::string value = std::to_string(++writes_) + dice_.Bytes(dice_.Below(1500));
    ASSERT_OK(store_.db()->Put(WriteOptions(), Key(number), value));
    expected_[Key(number)] = value;
  }

  // Compares the position of the iterator with `at` in the expected entries.
  static void Compare(const Iterator& iterator, const std::map<std::string, std::string>& expected,
                      std::map<std::string, std::string>::const_iterator at) {
    ASSERT_OK(iterator.status());
    ASSERT_EQ(iterator.Valid(), at != expected.end());
    if (at != expected.end()) {
      ASSERT_EQ(iterator.key().ToString(), at->first);
      ASSERT_EQ(iterator.value().ToString(), at->second);
    }
  }

  Dice dice_;
  TierStore store_;
  std::map<std::string, std::string> expected_;
  int writes_ = 0;
};

TEST_F(Iterators, SeekToTheFirstKeyAtOrAfterTheTargetAgainAndAgain) {
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  for (int i = 0; i < Scaled(3000); ++i) {
    std::string target = Key(dice_.Below(4100));
    if (dice_.OneIn(3)) {
      target.pop_back();
    } else if (dice_.OneIn(3)) {
      target += '\0';
    }
    iterator->Seek(target);
    auto at = expected_.lower_bound(target);
    Compare(*iterator, expected_, at);
    // Takes a few steps in both directions.
    for (uint64_t steps = dice_.Below(6); steps > 0 && iterator->Valid(); --steps) {
      if (dice_.OneIn(2)) {
        iterator->Next();
        ++at;
      } else {
        iterator->Prev();
        at = at == expected_.begin() ? expected_.end() : std::prev(at);
      }
      Compare(*iterator, expected_, at);
    }
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(Iterators, GoBackwardsThroughEverything) {
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  iterator->SeekToLast();
  for (auto at = expected_.rbegin(); at != expected_.rend(); ++at) {
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->key().ToString(), at->first);
    ASSERT_EQ(iterator->value().ToString(), at->second);
    iterator->Prev();
  }
  ASSERT_FALSE(iterator->Valid());
  ASSERT_OK(iterator->status());
}

TEST_F(Iterators, KeepTheirMomentWhileEverythingMovesUnderThem) {
  const auto expected = expected_;
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  const Snapshot* const snapshot = store_.db()->GetSnapshot();
  auto at = expected.begin();
  iterator->SeekToFirst();
  int step = 0;
  while (at != expected.end()) {
    Compare(*iterator, expected, at);
    ASSERT_FALSE(HasFailure());
    iterator->Next();
    ++at;
    // Overwrites and deletes, in the end twice the pool: values are freed, collected and spilled.
    for (int i = 0; i < 10; ++i) {
      Put(dice_.Below(4000));
      const std::string gone = Key(dice_.Below(4000));
      ASSERT_OK(store_.db()->Delete(WriteOptions(), gone));
      expected_.erase(gone);
    }
    if (++step % 700 == 0) {
      store_.db()->CompactRange(nullptr, nullptr);
    }
  }
  ASSERT_FALSE(iterator->Valid());
  Contents contents;
  ASSERT_OK(ReadContents(store_.db(), &contents, snapshot));
  EXPECT_TRUE(contents == Contents(expected.begin(), expected.end()));
  store_.db()->ReleaseSnapshot(snapshot);
  ASSERT_OK(ReadContents(store_.db(), &contents));
  EXPECT_TRUE(contents == Contents(expected_.begin(), expected_.end()));
}

TEST_F(Iterators, BlockNobody) {
  // One iterator is in the deepest level, one is fresh, one is at its end.
  const std::unique_ptr<Iterator> standing(store_.db()->NewIterator(ReadOptions()));
  standing->Seek(Key(2000));
  const std::unique_ptr<Iterator> fresh(store_.db()->NewIterator(ReadOptions()));
  const std::unique_ptr<Iterator> done(store_.db()->NewIterator(ReadOptions()));
  done->SeekToLast();
  for (int i = 0; i < 2000; ++i) {
    Put(dice_.Below(4000));
    const std::string key = Key(dice_.Below(4000));
    std::string value;
    const Status status = store_.db()->Get(ReadOptions(), key, &value);
    ASSERT_EQ(status.ok(), expected_.count(key) != 0) << status.ToString();
    ASSERT_TRUE(!status.ok() || value == expected_[key]);
  }
  store_.db()->CompactRange(nullptr, nullptr);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
