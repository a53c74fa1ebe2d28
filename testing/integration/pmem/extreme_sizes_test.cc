// Keys and values of every size that the interface accepts, at the limits of extents, leaves and
// separation, and a value that does not fit into any single free run.

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr size_t kExtent = 64 << 10;  // of pools as small as these

class ExtremeSizes : public ::testing::Test {
 protected:
  explicit ExtremeSizes(uint64_t pool_bytes = kSmallPool)
      : dice_(AnnouncedSeed()), store_(pool_bytes) {}

  void Put(const std::string& key, size_t size) {
    expected_[key] = dice_.Bytes(size);
    ASSERT_OK(store_.db()->Put(WriteOptions(), key, expected_[key])) << size;
  }

  void Check() {
    Contents contents;
    ASSERT_OK(ReadContents(store_.db(), &contents));
    ASSERT_EQ(contents.size(), expected_.size());
    ASSERT_TRUE(contents == Contents(expected_.begin(), expected_.end()));
  }

  void CheckEverywhere() {
    Check();
    ASSERT_OK(store_.Open());
    Check();
    store_.Flush();
    Check();
    store_.db()->CompactRange(nullptr, nullptr);
    Check();
    ASSERT_OK(store_.Check());
    ASSERT_OK(store_.Open());
    Check();
    ASSERT_OK(store_.pmem_db()->Drain());
    Check();
  }

  Dice dice_;
  TierStore store_;
  std::map<std::string, std::string> expected_;
};

TEST_F(ExtremeSizes, OfValues) {
  ASSERT_OK(store_.Open());
  int number = 0;
  for (const size_t near : {size_t{0}, size_t{256}, size_t{4096}, kExtent, 2 * kExtent}) {
    for (size_t size = near < 70 ? 0 : near - 70; size <= near + 70; size += 1 + size % 3) {
      Put("value" + std::to_string(++number), size);
    }
  }
  for (const size_t size : {size_t{1} << 20, (size_t{1} << 20) + 1, size_t{5} << 20}) {
    Put("value" + std::to_string(++number), size);
  }
  CheckEverywhere();
}

TEST_F(ExtremeSizes, OfKeys) {
  ASSERT_OK(store_.Open());
  Put("", 10);
  for (const size_t near : {size_t{1}, size_t{8}, size_t{256}, size_t{4096}, kExtent}) {
    for (size_t size = near < 3 ? 1 : near - 3; size <= near + 3; ++size) {
      Put(dice_.Bytes(size), dice_.Below(600));
      Put(std::string(size, '\xff'), dice_.Below(600));
      Put(std::string(size, '\0'), dice_.Below(600));
      Put(std::string(size, 'k'), 0);
    }
  }
  Put(std::string(300000, 'k') + "1", 100000);
  Put(std::string(300000, 'k') + "2", 100000);
  // "\xff..." keys are greater than the key that Flush() takes for the end: it flushes all the
  // same.
  CheckEverywhere();
}

TEST_F(ExtremeSizes, OfBatches) {
  ASSERT_OK(store_.Open());
  for (const int count : {0, 1, 20000}) {
    WriteBatch batch;
    for (int i = 0; i < count; ++i) {
      const std::string key = "key" + std::to_string(i);
      expected_[key] = std::to_string(count) + dice_.Bytes(i % 300);
      batch.Put(key, expected_[key]);
    }
    ASSERT_OK(store_.db()->Write(WriteOptions(), &batch));
  }
  CheckEverywhere();
}

class InATinyPool : public ExtremeSizes {
 protected:
  InATinyPool() : ExtremeSizes(kTinyPool) {}
};

TEST_F(InATinyPool, AValueThatNoFreeRunCanHold) {
  ASSERT_OK(store_.Open());
  // Fill the pool with small values and free every other one, so that the free space is in pieces.
  for (int i = 0; i < 40; ++i) {
    Put("piece" + std::to_string(100 + i), 60000);
  }
  for (int i = 0; i < 40; i += 2) {
    Put("piece" + std::to_string(100 + i), 10);
  }
  store_.Flush();
  for (int i = 0; i < 6; ++i) {
    Put("large" + std::to_string(i), 1500000);
    Check();
  }
  CheckEverywhere();
}

TEST_F(InATinyPool, AValueLargerThanThePoolIsRefusedAndNothingElse) {
  ASSERT_OK(store_.Open());
  Put("before", 1000);
  const Status refused = store_.db()->Put(WriteOptions(), "huge", std::string(2 * kTinyPool, 'h'));
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(Says(refused, store_.pools())) << refused.ToString();
  // Nothing of the value is present, and the next open can write again.
  std::string value;
  EXPECT_TRUE(store_.db()->Get(ReadOptions(), "huge", &value).IsNotFound());
  Check();
  ASSERT_OK(store_.Open());
  Put("after", 1000);
  CheckEverywhere();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
