// A page of the pool is lost while it is mapped (here: its file is truncated), which raises SIGBUS.
// With guard_faults the process survives: calls that need the pool return Corruption, and no answer
// is invented.

#include <gtest/gtest.h>

#include <signal.h>

#include <filesystem>
#include <string>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKeys = 1000;

std::string Key(int number) {
  return "key" + std::to_string(10000 + number);
}

std::string Value(int number) {
  return Key(number) + std::string(2000, static_cast<char>('a' + number % 26));
}

class LostPage : public ::testing::Test {
 protected:
  LostPage() {
    store_.pmem.path = store_.pools() + "/pool";  // one file
    store_.pmem.guard_faults = true;
    EXPECT_OK(store_.Open());
    for (int i = 0; i < kKeys; ++i) {
      EXPECT_OK(store_.db()->Put(WriteOptions(), Key(i), Value(i)));
    }
  }

  // Truncates the pool except its beginning.
  void LosePages() {
    const std::string file = store_.PoolFiles().front();
    length_ = std::filesystem::file_size(file);
    std::filesystem::resize_file(file, 1 << 20);
  }

  void GiveBackLength() { std::filesystem::resize_file(store_.PoolFiles().front(), length_); }

  TierStore store_{16 << 20};
  uint64_t length_ = 0;
};

TEST_F(LostPage, MakesReadsAndWritesFailAndNothingElse) {
  TierStore other(kTinyPool);
  ASSERT_OK(other.Open());
  ASSERT_OK(other.db()->Put(WriteOptions(), "key", std::string(5000, 'o')));
  LosePages();
  int failed = 0;
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    const Status status = store_.db()->Get(ReadOptions(), Key(i), &value);
    if (status.ok()) {
      ASSERT_EQ(value, Value(i));
    } else {
      ASSERT_TRUE(status.IsCorruption()) << status.ToString();
      ++failed;
    }
  }
  EXPECT_GT(failed, 0);
  std::string of_other;
  ASSERT_OK(other.db()->Get(ReadOptions(), "key", &of_other));
  EXPECT_EQ(of_other, std::string(5000, 'o'));
  ASSERT_OK(other.db()->Put(WriteOptions(), "key", "new"));
  const Status refused = store_.db()->Put(WriteOptions(), "key", std::string(2000, 'v'));
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_TRUE(Says(refused, store_.pools()));
  std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
  for (iterator->SeekToFirst(); iterator->Valid() && iterator->status().ok(); iterator->Next()) {
    ASSERT_TRUE(!iterator->status().ok() || iterator->value().size() == Value(0).size());
  }
  EXPECT_TRUE(iterator->status().IsCorruption()) << iterator->status().ToString();
  iterator.reset();
  store_.db()->CompactRange(nullptr, nullptr);
  // Closing does not need what is lost, and the next open refuses the file.
  store_.Close();
  const Status reopened = store_.Open();
  EXPECT_FALSE(reopened.ok());
  EXPECT_TRUE(Says(reopened, store_.pools()));
}

TEST_F(LostPage, DuringAWriteIsNotAcknowledged) {
  LosePages();
  Status status;
  int written = 0;
  for (; status.ok() && written < 100000; ++written) {
    status = store_.db()->Put(WriteOptions(), "new" + std::to_string(written), Value(1));
  }
  EXPECT_TRUE(status.IsCorruption()) << status.ToString();
  EXPECT_EQ(store_.Metric("lost"), 1u);
  std::string error;
  ASSERT_TRUE(store_.db()->GetProperty("leveldb.pmem.background-error", &error));
  EXPECT_EQ(error, status.ToString());
}

// A job reads zeros there, but reports the loss, whatever it makes of them.
TEST_F(LostPage, InAJobIsToldAsWhatItIs) {
  store_.db()->CompactRange(nullptr, nullptr);
  for (int i = 0; i < kKeys; ++i) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), Key(i), Value(i + 1)));
  }
  LosePages();
  store_.db()->CompactRange(nullptr, nullptr);
  std::string error;
  ASSERT_TRUE(store_.db()->GetProperty("leveldb.pmem.background-error", &error));
  EXPECT_NE(error.find("has lost a page"), std::string::npos) << error;
}

volatile sig_atomic_t chained = 0;

TEST(FaultGuard, PassesOtherSignalsOn) {
  struct sigaction mine = {};
  mine.sa_handler = [](int) { chained = chained + 1; };
  ASSERT_EQ(::sigaction(SIGBUS, &mine, nullptr), 0);
  {
    TierStore store(kTinyPool);
    store.pmem.guard_faults = true;
    ASSERT_OK(store.Open());
    ASSERT_OK(store.db()->Put(WriteOptions(), "key", "value"));
    ASSERT_EQ(::raise(SIGBUS), 0);
    EXPECT_EQ(chained, 1);
  }
  ASSERT_EQ(::raise(SIGBUS), 0);
  EXPECT_EQ(chained, 2);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
