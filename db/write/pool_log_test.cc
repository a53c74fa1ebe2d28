// Tests writes through the queue to a log in the pool: where data is stored, and how a full pool
// behaves.
#include "db/write/pool_log_test.h"

#include <algorithm>
#include <string>
#include <vector>

namespace leveldb {
namespace {

INSTANTIATE_TEST_SUITE_P(Granularity, PoolLogTest, testing::Values(0, 1, 16384));

TEST_P(PoolLogTest, EntriesOfEveryKindAreReadAndReplayed) {
  const std::string large(1000, 'l');
  const std::string huge(3 * kExtent, 'h');
  ASSERT_TRUE(store_.queue()->Put("small", "s", false).ok());
  ASSERT_TRUE(store_.queue()->Put("large", large, false).ok());
  ASSERT_TRUE(store_.queue()->Put("", "", false).ok());
  WriteBatch batch;
  batch.Put("large", huge);
  batch.Delete("small");
  batch.Put("large2", large);
  ASSERT_TRUE(store_.queue()->Write(&batch, true).ok());
  EXPECT_EQ(4u, BatchSequence(WriteBatchAccess::Bytes(batch)));
  EXPECT_EQ(6u, store_.state()->versions->LastSequence());
  WriteBatch empty;
  ASSERT_TRUE(store_.queue()->Write(&empty, true).ok());
  ASSERT_TRUE(store_.queue()->Delete("nothing", false).ok());
  EXPECT_EQ(7u, store_.state()->versions->LastSequence());
  EXPECT_EQ(huge, store_.Get("large"));
  EXPECT_EQ(large, store_.Get("large2"));
  EXPECT_EQ("(none)", store_.Get("small"));
  EXPECT_EQ("", store_.Get(""));

  for (int round = 0; round < 2; round++) {
    Reopen();
    const std::vector<std::string> expected = {
        "small=s", "large=" + large, "=", "large=" + huge, "small-", "large2=" + large, "nothing-"};
    EXPECT_EQ(expected, store_.recovered());
    EXPECT_EQ(7u, store_.state()->versions->LastSequence());
    EXPECT_EQ(huge, store_.Get("large"));
  }
  ASSERT_TRUE(store_.queue()->Put("more", large, false).ok());
  Reopen();
  EXPECT_EQ(8u, store_.recovered().size());
}

// Records of a single entry are built in the buffer that they are stored from, up to some size.
TEST_P(PoolLogTest, SingleEntriesOfAnySizeAreReadAndReplayed) {
  std::vector<std::string> expected;
  for (const size_t key_size : {1, 100, 211, 212, 300, 407, 408, 480, 3000}) {
    for (const size_t value_size : {0, 100, 211, 212, 213, 255, 256, 257, 1000}) {
      std::string key = std::to_string(value_size) + "." + std::to_string(key_size);
      key.resize(std::max(key.size(), key_size), 'k');
      const std::string value(value_size, 'v');
      ASSERT_TRUE(store_.queue()->Put(key, value, false).ok());
      EXPECT_EQ(value, store_.Get(key));
      expected.push_back(key + "=" + value);
      if (value_size != 100) continue;
      ASSERT_TRUE(store_.queue()->Delete(key, false).ok());
      EXPECT_EQ("(none)", store_.Get(key));
      expected.push_back(key + "-");
    }
  }
  EXPECT_EQ(expected.size(), store_.state()->versions->LastSequence());
  Reopen();
  EXPECT_EQ(expected, store_.recovered());
}

TEST_P(PoolLogTest, LargeValuesAreNotCopiedIntoTheMemtable) {
  for (int i = 0; i < 100; i++) {
    ASSERT_TRUE(store_.queue()->Put(std::to_string(i), std::string(10000, 'v'), false).ok());
  }
  MutexLock lock(&store_.state()->mutex);
  const auto memtable = store_.state()->memtable();
  EXPECT_LT(memtable->MemoryUsage(), 20000u);
  EXPECT_EQ(100 * 10000u + 190u, memtable->UserBytes());
  EXPECT_EQ(memtable->UserBytes(), store_.stats().Sum(&PmemWriterStats::user_bytes));
  EXPECT_GE(store_.stats().Sum(&PmemWriterStats::value_bytes), 100 * 10000u);
  EXPECT_GT(store_.stats().Sum(&PmemWriterStats::log_bytes), 100 * 16u);
}

TEST_P(PoolLogTest, ASwitchedMemtableTakesItsExtentsWithIt) {
  const uint64_t used_before = scratch_.extents()->used_bytes();
  for (int i = 0; i < 30; i++) {
    ASSERT_TRUE(store_.queue()->Put(std::to_string(i), std::string(10000, 'a'), false).ok());
  }
  ASSERT_TRUE(store_.queue()->SwitchMemtable().ok());
  ASSERT_TRUE(store_.queue()->Put("0", std::string(1000, 'b'), false).ok());
  EXPECT_EQ(std::string(10000, 'a'), store_.Get("1"));
  EXPECT_EQ(std::string(1000, 'b'), store_.Get("0"));
  EXPECT_EQ(2u, store_.pool()->root()->Logs().size());
  EXPECT_GE(scratch_.extents()->used_bytes(), used_before + 5 * kExtent);
  store_.FinishFlush();
  // One extent for the log, one for the values of both memtables, two spare ones.
  EXPECT_EQ(4 * kExtent, scratch_.extents()->used_bytes());
  EXPECT_EQ(std::string(1000, 'b'), store_.Get("0"));
  Reopen();
  EXPECT_EQ(std::vector<std::string>{"0=" + std::string(1000, 'b')}, store_.recovered());
}

TEST_P(PoolLogTest, AFullPoolRefusesWritesUntilThereIsRoom) {
  std::vector<std::string> written;
  Status status;
  for (int i = 0; status.ok(); i++) {
    const std::string key = std::to_string(i);
    const std::string value(20000, static_cast<char>('a' + i % 26));
    status = store_.queue()->Put(key, value, false);
    if (status.ok()) written.push_back(EntryText(key, kTypeValue, value));
  }
  EXPECT_TRUE(status.IsIOError());
  EXPECT_NE(std::string::npos, status.ToString().find(store_.pool()->path()));
  EXPECT_EQ(written.size(), store_.state()->versions->LastSequence());

  // The log and the value extent that is being filled have room, but not for this.
  EXPECT_TRUE(store_.queue()->Put("huge", std::string(5 * kExtent, 'h'), false).IsIOError());
  // There is also room for one more log, so that the memtable can be flushed.
  ASSERT_TRUE(store_.queue()->SwitchMemtable().ok());
  for (int i = 0; i < 10; i++) {
    ASSERT_TRUE(store_.queue()->Put("small", "s", i % 2 == 0).ok());
    written.push_back("small=s");
  }
  EXPECT_EQ("(none)", store_.Get("huge"));
  for (int i = 0; i < 3; i++) {  // there is always room to open it
    Reopen();
    EXPECT_EQ(written, store_.recovered());
  }
}

// Every open needs an extent for its log, and keeps it if something was written to it.
TEST_P(PoolLogTest, AFullPoolCanBeOpenedHoweverOftenSomethingIsWritten) {
  std::vector<std::string> written;
  Status status;
  for (int i = 0; status.ok(); i++) {
    const std::string value(20000, static_cast<char>('a' + i % 26));
    status = store_.queue()->Put("key", value, false);
    if (status.ok()) written.push_back(EntryText("key", kTypeValue, value));
  }
  for (int i = 0; i < 10; i++) {
    const std::string key = std::to_string(i);
    status = store_.queue()->Put(key, "small", false);
    EXPECT_TRUE(status.ok() || status.IsIOError()) << status.ToString();
    if (status.ok()) written.push_back(EntryText(key, kTypeValue, "small"));
    Reopen();
    ASSERT_EQ(written, store_.recovered());
  }
  EXPECT_TRUE(status.IsIOError());
  EXPECT_NE(std::string::npos, status.ToString().find("is full")) << status.ToString();
}

TEST_P(PoolLogTest, ABatchThatDoesNotFitTakesNothing) {
  Extents* const extents = store_.extents();
  ASSERT_TRUE(store_.queue()->Put("before", std::string(1000, 'b'), false).ok());
  const uint64_t free = extents->free_bytes();
  WriteBatch batch;
  const size_t size = 5 * kExtent;
  for (uint64_t bytes = 0; bytes <= free; bytes += size) {
    batch.Put("large" + std::to_string(bytes), std::string(size, 'l'));
  }
  for (int i = 0; i < 3; i++) {
    EXPECT_TRUE(store_.queue()->Write(&batch, false).IsIOError());
    EXPECT_EQ(free, extents->free_bytes());
  }
  ASSERT_TRUE(store_.queue()->Put("after", std::string(1000, 'a'), false).ok());
  Reopen();
  EXPECT_EQ((std::vector<std::string>{EntryText("before", kTypeValue, std::string(1000, 'b')),
                                      EntryText("after", kTypeValue, std::string(1000, 'a'))}),
            store_.recovered());
}

TEST_P(PoolLogTest, TheLogMayMoveToAFile) {
  ASSERT_TRUE(store_.queue()->Put("a", std::string(1000, 'a'), false).ok());
  ASSERT_TRUE(store_.queue()->LeavePool().ok());
  EXPECT_EQ(std::string(1000, 'a'), store_.Get("a"));
  {
    MutexLock lock(&store_.state()->mutex);
    EXPECT_NE(nullptr, store_.state()->immutable());
    EXPECT_EQ(2u, store_.state()->log_numbers.size());
  }
  ASSERT_TRUE(store_.queue()->Put("b", std::string(1000, 'b'), true).ok());
  ASSERT_TRUE(store_.queue()->LeavePool().ok());
  EXPECT_EQ(std::string(1000, 'b'), store_.Get("b"));
  EXPECT_EQ(1u, store_.pool()->root()->Logs().size());
  Reopen();
  EXPECT_EQ(std::vector<std::string>{"a=" + std::string(1000, 'a')}, store_.recovered());
}

TEST_P(PoolLogTest, TheLogMayMoveToAFileBeforeTheFirstWrite) {
  ASSERT_TRUE(store_.queue()->LeavePool().ok());
  ASSERT_TRUE(store_.queue()->Put("b", "b", true).ok());
  EXPECT_EQ("b", store_.Get("b"));
  MutexLock lock(&store_.state()->mutex);
  EXPECT_EQ(nullptr, store_.state()->immutable());
  EXPECT_EQ(2u, store_.state()->log_numbers.size());
}

}  // namespace
}  // namespace leveldb
