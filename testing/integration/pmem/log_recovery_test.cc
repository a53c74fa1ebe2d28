// What is recovered from the log in the pool after a crash: a prefix, including values, also if the
// next crash follows immediately, and never anything from an earlier use of an extent.

#include <gtest/gtest.h>

#include <cstdarg>
#include <string>
#include <thread>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "testing/dice.h"
#include "testing/pool_bytes.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

std::string Value(const std::string& name, size_t size) {
  std::string value = "<<" + name + ">>";
  value.resize(size, '.');
  return value;
}

// Counts the flushes that are done by the thread that made this object.
class FlushesOfThisThread : public Logger {
 public:
  void Logv(const char* format, std::va_list /*arguments*/) override {
    if (std::this_thread::get_id() == thread_ && Slice(format).starts_with("flushed ")) flushes_++;
  }
  int flushes() const { return flushes_; }

 private:
  const std::thread::id thread_ = std::this_thread::get_id();
  int flushes_ = 0;
};

class LogRecovery : public ::testing::TestWithParam<size_t> {
 protected:
  LogRecovery() : store_(kTinyPool) { store_.options.write_buffer_size = 4 << 20; }

  void Put(const std::string& name) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), name, Value(name, GetParam())));
  }

  // Restores what a kill at this moment leaves, and does not open it.
  void Kill() {
    store_.Keep("killed");
    store_.BringBack("killed");
  }

  void Expect(const std::string& name, bool there) {
    std::string value;
    const Status status = store_.db()->Get(ReadOptions(), name, &value);
    ASSERT_EQ(status.ok(), there) << name << ": " << status.ToString();
    ASSERT_TRUE(status.ok() || status.IsNotFound()) << name << ": " << status.ToString();
    ASSERT_TRUE(!there || value == Value(name, GetParam())) << name;
  }

  FlushesOfThisThread log_;  // of a store that uses it
  TierStore store_;
};

// A valid record proves nothing about the value that it refers to.
TEST_P(LogRecovery, EndsBeforeATornValue) {
  store_.pmem.wal_persist_bytes = 1 << 20;  // several writes may be unfenced at once
  ASSERT_OK(store_.Open());
  Put("first");
  Put("second");
  Put("third");
  Put("fourth");
  Kill();
  ASSERT_EQ(DamageInPools(store_, "<<third>>"), 1);
  ASSERT_OK(store_.Open());
  Expect("first", true);
  Expect("second", true);
  Expect("third", false);
  Expect("fourth", false);
  // New writes are not hidden by the torn one, also after another crash.
  Put("fifth");
  Kill();
  ASSERT_OK(store_.Open());
  Expect("second", true);
  Expect("third", false);
  Expect("fourth", false);
  Expect("fifth", true);
  ASSERT_OK(store_.Check());
}

// Where each write is fenced before the next, no crash leaves a torn write before a whole one.
TEST_P(LogRecovery, TellsDamageFromATornEnd) {
  ASSERT_OK(store_.Open());
  Put("first");
  Put("second");
  Put("third");
  Kill();
  ASSERT_EQ(DamageInPools(store_, "<<second>>"), 1);
  const Status refused = store_.Open();
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  EXPECT_TRUE(Says(refused, store_.pools()));
  // A repair saves what is intact.
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  ASSERT_OK(store_.OpenPlainly());
  Expect("first", true);
  Expect("second", false);
}

// Whatever the granularity, a clean close leaves nothing torn. That is still known when the first
// open that has found the damage has failed.
TEST_P(LogRecovery, TellsDamageAfterAnOrderlyEnd) {
  store_.pmem.wal_persist_bytes = 1 << 20;
  ASSERT_OK(store_.Open());
  Put("first");
  Put("second");
  store_.Close();
  store_.Keep("closed");
  ASSERT_EQ(DamageInPools(store_, "<<second>>"), 1);
  for (int open = 0; open < 3; ++open) {
    const Status refused = store_.Open();
    EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
    EXPECT_TRUE(Says(refused, store_.pools()));
  }
  // The mark of the clean close is removed as soon as the pool is in use.
  store_.BringBack("closed");
  ASSERT_OK(store_.Open());
  Expect("second", true);
  Put("third");
  Kill();
  ASSERT_EQ(DamageInPools(store_, "<<third>>"), 1);
  ASSERT_OK(store_.Open());
  Expect("second", true);
  Expect("third", false);
  ASSERT_OK(store_.Check());
  ASSERT_OK(store_.Open());
}

TEST_P(LogRecovery, OfCrashesInARow) {
  Dice dice(AnnouncedSeed());
  int written = 0;
  for (int crash = 0; crash < 12; ++crash) {
    ASSERT_OK(store_.Open());
    for (int i = 0; i < written; ++i) {
      Expect("key" + std::to_string(i), true);
    }
    Expect("key" + std::to_string(written), false);
    // Sometimes nothing at all is written between two crashes.
    for (uint64_t more = dice.Below(4); more > 0; --more) {
      Put("key" + std::to_string(written++));
    }
    Kill();
    ASSERT_FALSE(HasFailure()) << "after " << crash << " crashes";
  }
  ASSERT_OK(store_.Check());
}

TEST_P(LogRecovery, OfATornEndAndThenAnotherCrash) {
  ASSERT_OK(store_.Open());
  Put("first");
  Put("torn");
  Kill();
  ASSERT_EQ(DamageInPools(store_, "<<torn>>"), 1);
  for (int crash = 0; crash < 4; ++crash) {
    ASSERT_OK(store_.Open());
    Expect("first", true);
    Expect("torn", false);
    for (int i = 0; i < crash; ++i) {
      Expect("after" + std::to_string(i), true);
    }
    Put("after" + std::to_string(crash));
    Kill();
  }
  ASSERT_OK(store_.Check());
}

// Extents are reused: what an earlier log left in them must not be recovered.
TEST_P(LogRecovery, FindsNothingFromAnEarlierLifeOfAnExtent) {
  store_.options.write_buffer_size = 64 << 10;
  ASSERT_OK(store_.Open());
  for (int life = 0; life < 8; ++life) {
    // Writes the same keys at the same positions of the log, each time with other values, then
    // deleted.
    for (int i = 0; i < 300; ++i) {
      ASSERT_OK(store_.db()->Put(WriteOptions(), "key" + std::to_string(i),
                                 Value("life" + std::to_string(life), GetParam())));
    }
    store_.Flush();
    for (int i = 0; i < 300; ++i) {
      ASSERT_OK(store_.db()->Delete(WriteOptions(), "key" + std::to_string(i)));
    }
    store_.Flush();
    Put("last" + std::to_string(life));
    Kill();
    ASSERT_OK(store_.Open());
    std::string value;
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(store_.db()->Get(ReadOptions(), "key" + std::to_string(i), &value).IsNotFound())
          << "life " << life << " key " << i;
    }
    Expect("last" + std::to_string(life), true);
  }
  ASSERT_OK(store_.Check());
}

// Without it, sessions that end before their flush is done would add up to one that replays all of
// them.
TEST_P(LogRecovery, OfMoreThanTwoMemtablesIsFlushedByTheOpenItself) {
  store_.options.info_log = &log_;
  ASSERT_OK(store_.Open());
  const int written = static_cast<int>((200 << 10) / GetParam());
  for (int i = 0; i < written; ++i) Put("key" + std::to_string(i));
  Kill();
  store_.options.write_buffer_size = 512 << 10;
  ASSERT_OK(store_.Open());
  EXPECT_EQ(0, log_.flushes());

  store_.BringBack("killed");
  store_.options.write_buffer_size = 64 << 10;
  ASSERT_OK(store_.Open());
  EXPECT_EQ(1, log_.flushes());
  EXPECT_EQ(1u, store_.Metric("logs"));
  for (int i = 0; i < written; ++i) Expect("key" + std::to_string(i), true);
  Put("one more");
  Kill();
  ASSERT_OK(store_.Open());
  EXPECT_EQ(1, log_.flushes());
  for (int i = 0; i < written; ++i) Expect("key" + std::to_string(i), true);
  Expect("one more", true);
  ASSERT_OK(store_.Check());
}

INSTANTIATE_TEST_SUITE_P(With, LogRecovery, ::testing::Values(40, 1000, 100000),
                         [](const auto& size) {
                           return "ValuesOf" + std::to_string(size.param) + "Bytes";
                         });

TEST(SyncedWrites, TakeEarlierOnesWithThemWhateverTheGranularity) {
  // On tmpfs a kill loses nothing; the tests in crash/ simulate the rest.
  TierStore store(kTinyPool);
  store.pmem.wal_persist_bytes = 1 << 20;
  History history(AnnouncedSeed(), 2000);
  for (int session = 0; session < 10; ++session) {
    ASSERT_OK(store.Open());
    ASSERT_OK(store.CheckAt(history));
    ASSERT_OK(store.Write(&history, 40));
    ASSERT_OK(store.Write(&history, 1, true));
    store.Keep("killed");
    store.BringBack("killed");
  }
  ASSERT_OK(store.Check());
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
