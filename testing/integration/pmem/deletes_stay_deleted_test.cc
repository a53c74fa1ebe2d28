// A deleted key stays deleted wherever its tombstone and its older values are, and batches that mix
// puts and deletes have the same effect after a flush as before.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "leveldb/write_batch.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKeys = 300;

std::string Key(uint64_t number) {
  return "key" + std::to_string(1000 + number);
}

class DeletesStayDeleted : public ::testing::Test {
 protected:
  void PutAll(const std::string& what) {
    for (int i = 0; i < kKeys; ++i) {
      // Small and large values, so that some are references.
      const std::string value = what + std::string(i % 3 == 0 ? 1000 : 10, 'v');
      ASSERT_OK(store_.db()->Put(WriteOptions(), Key(i), value));
      expected_[Key(i)] = value;
    }
  }

  void DeleteEvery(int step) {
    for (int i = 0; i < kKeys; i += step) {
      ASSERT_OK(store_.db()->Delete(WriteOptions(), Key(i)));
      expected_.erase(Key(i));
    }
  }

  void Check() {
    Contents contents;
    ASSERT_OK(ReadContents(store_.db(), &contents));
    ASSERT_EQ(contents, Contents(expected_.begin(), expected_.end()));
    std::string value;
    for (int i = 0; i < kKeys; ++i) {
      if (expected_.count(Key(i)) == 0) {
        ASSERT_TRUE(store_.db()->Get(ReadOptions(), Key(i), &value).IsNotFound()) << Key(i);
      }
    }
  }

  TierStore store_;
  std::map<std::string, std::string> expected_;
};

TEST_F(DeletesStayDeleted, WhenTheValueIsInAnOlderTree) {
  ASSERT_OK(store_.Open());
  PutAll("first");
  store_.Flush();
  DeleteEvery(2);
  Check();
  store_.Flush();
  Check();
  store_.db()->CompactRange(nullptr, nullptr);
  Check();
  ASSERT_OK(store_.Open());
  Check();
  ASSERT_OK(store_.pmem_db()->Drain());
  Check();
}

TEST_F(DeletesStayDeleted, WhenTheValueIsInATable) {
  store_.pmem.spill_start = 0;
  store_.pmem.spill_stop = 0;
  ASSERT_OK(store_.Open());
  PutAll("first");
  store_.Flush();
  store_.pmem.spill_start = 0.85;
  ASSERT_OK(store_.Open());
  DeleteEvery(3);
  store_.Flush();
  Check();
  store_.db()->CompactRange(nullptr, nullptr);
  Check();
  ASSERT_OK(store_.Open());
  Check();
}

TEST_F(DeletesStayDeleted, AndComeBackOnlyWhenPutAgain) {
  ASSERT_OK(store_.Open());
  for (int round = 0; round < 6; ++round) {
    PutAll("round" + std::to_string(round));
    store_.Flush();
    DeleteEvery(1 + round % 3);
    store_.Flush();
    Check();
    if (round % 2 == 0) {
      ASSERT_OK(store_.Open());
      Check();
    }
  }
}

TEST_F(DeletesStayDeleted, InBatchesThatMixPutsAndDeletes) {
  Dice dice(AnnouncedSeed());
  ASSERT_OK(store_.Open());
  for (int round = 0; round < Scaled(400); ++round) {
    WriteBatch batch;
    for (uint64_t edits = dice.Between(1, 30); edits > 0; --edits) {
      const std::string key = Key(dice.Below(kKeys));
      if (dice.OneIn(2)) {
        batch.Delete(key);
        expected_.erase(key);
      } else {
        expected_[key] = dice.Bytes(dice.Below(600));
        batch.Put(key, expected_[key]);
      }
    }
    ASSERT_OK(store_.db()->Write(WriteOptions(), &batch));
    if (dice.OneIn(40)) {
      store_.Flush();
      Check();
    }
  }
  Check();
  ASSERT_OK(store_.Open());
  Check();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
