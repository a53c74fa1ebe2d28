// Large values that are no longer needed are freed without spilling, while readers that still hold
// them continue to read them.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/threads.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kKeys = 400;
constexpr size_t kValueBytes = 4000;  // 1.6 MB are alive

std::string Key(uint64_t number) {
  return "key" + std::to_string(1000 + number);
}

std::string Value(uint64_t number, uint64_t round) {
  std::string value = Key(number) + "/" + std::to_string(round) + "/";
  value.resize(kValueBytes, static_cast<char>('a' + round % 26));
  return value;
}

class ValueLogGcTest : public ::testing::TestWithParam<double> {
 protected:
  ValueLogGcTest() : dice_(AnnouncedSeed()), rounds_(kKeys, 0) {
    store_.pmem.spill = false;
    store_.pmem.gc_ratio = GetParam();
    EXPECT_OK(store_.Open());
  }

  void Overwrite(int writes) {
    for (int i = 0; i < writes; ++i) {
      const uint64_t number = dice_.Below(kKeys);
      ++rounds_[number];
      ASSERT_OK(store_.db()->Put(WriteOptions(), Key(number), Value(number, rounds_[number])));
    }
  }

  void Check() {
    std::string value;
    for (uint64_t number = 0; number < kKeys; ++number) {
      const Status status = store_.db()->Get(ReadOptions(), Key(number), &value);
      ASSERT_EQ(status.ok(), rounds_[number] > 0) << status.ToString();
      ASSERT_TRUE(!status.ok() || value == Value(number, rounds_[number])) << number;
    }
  }

  Dice dice_;
  TierStore store_{16 << 20};
  std::vector<uint64_t> rounds_;
};

TEST_P(ValueLogGcTest, MakesRoomForOverwritesWithoutEnd) {
  // Writes more than ten times the pool.
  for (int round = 0; round < 8; ++round) {
    Overwrite(Scaled(5000));
    ASSERT_FALSE(HasFailure()) << round;
    Check();
  }
  EXPECT_TRUE(FileNamesEnding(store_.path(), ".ldb").empty());
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
  Check();
}

TEST_P(ValueLogGcTest, LeavesReadersWhatTheyHold) {
  for (uint64_t number = 0; number < kKeys; ++number) {
    ++rounds_[number];
    ASSERT_OK(store_.db()->Put(WriteOptions(), Key(number), Value(number, 1)));
  }
  store_.Flush();
  const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  iterator->SeekToFirst();
  for (uint64_t number = 0; number < kKeys; ++number) {
    ASSERT_TRUE(iterator->Valid()) << iterator->status().ToString();
    ASSERT_TRUE(iterator->value() == Value(number, 1)) << number;
    // A slice that was returned stays valid until the iterator moves.
    const Slice held = iterator->value();
    Overwrite(30);
    ASSERT_TRUE(held == Value(number, 1)) << number;
    ASSERT_FALSE(HasFailure());
    iterator->Next();
  }
  Check();
}

TEST_P(ValueLogGcTest, GoesOnBesideReadersAndWriters) {
  Threads threads;
  threads.Run([this] { Overwrite(Scaled(6000)); });
  for (uint64_t reader = 0; reader < 2; ++reader) {
    threads.Repeat([this, dice = std::make_shared<Dice>(reader)] {
      const uint64_t number = dice->Below(kKeys);
      std::string value;
      const Status status = store_.db()->Get(ReadOptions(), Key(number), &value);
      ASSERT_TRUE(status.ok() || status.IsNotFound()) << status.ToString();
      if (status.ok()) {
        const size_t start = Key(number).size() + 1;
        ASSERT_EQ(value.substr(0, start), Key(number) + "/");
        const uint64_t round = std::stoull(value.substr(start));
        ASSERT_TRUE(value == Value(number, round)) << number << " round " << round;
      }
    });
  }
  threads.Join();
  Check();
  ASSERT_OK(store_.Check());
}

INSTANTIATE_TEST_SUITE_P(At, ValueLogGcTest, ::testing::Values(0.01, 0.5), [](const auto& ratio) {
  return ratio.param < 0.1 ? "AnyGarbage" : "HalfGarbage";
});

}  // namespace
}  // namespace testkit
}  // namespace leveldb
