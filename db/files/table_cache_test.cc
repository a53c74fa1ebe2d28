#include "db/files/table_cache.h"

#include <atomic>
#include <memory>
#include <thread>

#include "db/files/filename.h"
#include "gtest/gtest.h"
#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/table_builder.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

// Counts the files that are open for random access.
class CountingEnv : public EnvWrapper {
 public:
  explicit CountingEnv(Env* base) : EnvWrapper(base) {}

  Status NewRandomAccessFile(const std::string& name, RandomAccessFile** result) override {
    RandomAccessFile* file = nullptr;
    const Status status = target()->NewRandomAccessFile(name, &file);
    if (status.ok()) *result = new CountedFile(file, &open_files);
    return status;
  }

  std::atomic<int> open_files{0};

 private:
  class CountedFile : public RandomAccessFile {
   public:
    CountedFile(RandomAccessFile* file, std::atomic<int>* count) : file_(file), count_(count) {
      count_->fetch_add(1);
    }
    ~CountedFile() override { count_->fetch_sub(1); }
    Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
      return file_->Read(offset, n, result, scratch);
    }

   private:
    const std::unique_ptr<RandomAccessFile> file_;
    std::atomic<int>* const count_;
  };
};

std::string KeyOf(uint64_t table, int i) {
  return "table " + NumberToString(table) + " key " + NumberToString(static_cast<uint64_t>(i));
}

class TableCacheTest : public testing::Test {
 protected:
  static constexpr int kEntries = 9;
  static constexpr int kCapacity = 4;

  TableCacheTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get()) {
    options_.env = &env_;
    options_.compression = kNoCompression;
    EXPECT_TRUE(env_.CreateDir("/d").ok());
    cache_ = std::make_unique<TableCache>("/d", options_, kCapacity);
  }

  // Writes a table of kEntries keys, each of which is its own value, and returns its size.
  uint64_t WriteTable(uint64_t number, const std::string& name) {
    WritableFile* file = nullptr;
    EXPECT_TRUE(env_.NewWritableFile(name, &file).ok());
    TableBuilder builder(options_, file);
    for (int i = 0; i < kEntries; i++) builder.Add(KeyOf(number, i), KeyOf(number, i));
    EXPECT_TRUE(builder.Finish().ok());
    EXPECT_TRUE(file->Close().ok());
    delete file;
    return builder.FileSize();
  }
  uint64_t WriteTable(uint64_t number) { return WriteTable(number, TableFileName("/d", number)); }

  static void KeepValue(void* arg, const Slice& key, const Slice& value) {
    static_cast<std::string*>(arg)->assign(value.data(), value.size());
  }

  // Returns the value of the first entry at or after `key`; "none", or the error.
  std::string Get(uint64_t number, uint64_t size, const std::string& key) {
    std::string value = "none";
    const Status status = cache_->Get(ReadOptions(), number, size, key, &value, &KeepValue);
    return status.ok() ? value : status.ToString();
  }

  const std::unique_ptr<Env> mem_env_;
  CountingEnv env_;
  Options options_;
  std::unique_ptr<TableCache> cache_;
};

TEST_F(TableCacheTest, FindsEntries) {
  const uint64_t size = WriteTable(7);
  EXPECT_EQ(KeyOf(7, 3), Get(7, size, KeyOf(7, 3)));
  EXPECT_EQ(KeyOf(7, 0), Get(7, size, "a"));
  EXPECT_EQ("none", Get(7, size, "z"));
  EXPECT_EQ(1, env_.open_files);
}

TEST_F(TableCacheTest, ARemovedTableLeavesTheBlockCache) {
  const std::unique_ptr<Cache> blocks(NewLRUCache(1 << 20));
  options_.block_cache = blocks.get();
  // MemEnv files are mapped, so that only compressed blocks are kept.
  options_.compression = kSnappyCompression;
  cache_ = std::make_unique<TableCache>("/d", options_, kCapacity);
  WritableFile* file = nullptr;
  ASSERT_TRUE(env_.NewWritableFile(TableFileName("/d", 7), &file).ok());
  TableBuilder builder(options_, file);
  for (int i = 0; i < 100; i++) builder.Add(std::to_string(1000 + i), std::string(1000, 'v'));
  ASSERT_TRUE(builder.Finish().ok());
  ASSERT_TRUE(file->Close().ok());
  delete file;
  const uint64_t size = builder.FileSize();
  const uint64_t other_size = WriteTable(8);
  ASSERT_TRUE(Get(8, other_size, KeyOf(8, 3)).ends_with("3"));
  const size_t before = blocks->TotalCharge();

  std::unique_ptr<Iterator> iterator(cache_->NewIterator(ReadOptions(), 7, size));
  int count = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) count++;
  EXPECT_EQ(count, 100);
  EXPECT_GT(blocks->TotalCharge(), before + 50000);
  cache_->Evict(7);
  EXPECT_GT(blocks->TotalCharge(), before + 50000) << "an iterator still reads it";
  iterator.reset();
  EXPECT_EQ(blocks->TotalCharge(), before);
  cache_.reset();
}

TEST_F(TableCacheTest, ReadsTablesWithTheOldSuffix) {
  const uint64_t size = WriteTable(7, LegacyTableFileName("/d", 7));
  EXPECT_EQ(KeyOf(7, 3), Get(7, size, KeyOf(7, 3)));
}

TEST_F(TableCacheTest, AMissingFileIsAnErrorThatPasses) {
  EXPECT_NE(std::string::npos, Get(7, 1000, "a").find("000007.ldb"));
  EXPECT_FALSE(cache_->Open(7, 1000).ok());
  EXPECT_EQ(0u, cache_->ApproximateOffsetOf(7, 1000, "a"));
  const std::unique_ptr<Iterator> iterator(cache_->NewIterator(ReadOptions(), 7, 1000));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_FALSE(iterator->status().ok());

  const uint64_t size = WriteTable(7);
  EXPECT_EQ(KeyOf(7, 3), Get(7, size, KeyOf(7, 3)));
  EXPECT_TRUE(cache_->Open(7, size).ok());
}

TEST_F(TableCacheTest, DamageIsReportedWithTheNameOfTheFile) {
  ASSERT_TRUE(WriteStringToFile(&env_, std::string(100, 'x'), TableFileName("/d", 7)).ok());
  const Status status = cache_->Open(7, 100);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(std::string::npos, status.ToString().find("/d/000007.ldb"));
}

TEST_F(TableCacheTest, ThatIsTheNameOfTheFileThatIsThere) {
  ASSERT_TRUE(WriteStringToFile(&env_, std::string(100, 'x'), LegacyTableFileName("/d", 7)).ok());
  const Status status = cache_->Open(7, 100);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_NE(std::string::npos, status.ToString().find("/d/000007.sst")) << status.ToString();
  EXPECT_EQ(std::string::npos, status.ToString().find(".ldb")) << status.ToString();
}

TEST_F(TableCacheTest, SoIsDamageThatAnIteratorMeets) {
  const uint64_t size = WriteTable(7);
  std::string bytes;
  ASSERT_TRUE(ReadFileToString(&env_, TableFileName("/d", 7), &bytes).ok());
  bytes[3] ^= 1;  // in the data block
  ASSERT_TRUE(WriteStringToFile(&env_, bytes, TableFileName("/d", 7)).ok());
  ReadOptions verifying;
  verifying.verify_checksums = true;
  const std::unique_ptr<Iterator> iterator(cache_->NewIterator(verifying, 7, size));
  iterator->SeekToFirst();
  EXPECT_FALSE(iterator->Valid());
  EXPECT_TRUE(iterator->status().IsCorruption());
  EXPECT_NE(std::string::npos, iterator->status().ToString().find("/d/000007.ldb"));
}

TEST_F(TableCacheTest, KeepsNoMoreTablesOpenThanItMay) {
  constexpr uint64_t kTables = 50;
  uint64_t size = 0;
  for (uint64_t n = 10; n < 10 + kTables; n++) size = WriteTable(n);
  for (int round = 0; round < 3; round++) {
    for (uint64_t n = 10; n < 10 + kTables; n++) {
      ASSERT_EQ(KeyOf(n, 1), Get(n, size, KeyOf(n, 1)));
      // One more: the table that a call evicts can't be closed inside that call.
      ASSERT_LE(env_.open_files, kCapacity + 1);
    }
  }
}

TEST_F(TableCacheTest, KeepsWhatIsUsed) {
  uint64_t size = 0;
  for (uint64_t n = 10; n < 30; n++) size = WriteTable(n);
  ASSERT_EQ(KeyOf(10, 1), Get(10, size, KeyOf(10, 1)));
  ASSERT_TRUE(env_.RemoveFile(TableFileName("/d", 10)).ok());
  for (uint64_t n = 11; n < 30; n++) {
    ASSERT_EQ(KeyOf(n, 1), Get(n, size, KeyOf(n, 1)));
    ASSERT_EQ(KeyOf(10, 1), Get(10, size, KeyOf(10, 1)));  // can't be opened again
  }
}

TEST_F(TableCacheTest, AnIteratorKeepsItsTable) {
  uint64_t size = 0;
  for (uint64_t n = 10; n < 30; n++) size = WriteTable(n);
  std::unique_ptr<Iterator> iterator(cache_->NewIterator(ReadOptions(), 10, size));
  cache_->Evict(10);
  ASSERT_TRUE(env_.RemoveFile(TableFileName("/d", 10)).ok());
  for (uint64_t n = 11; n < 30; n++) ASSERT_EQ(KeyOf(n, 1), Get(n, size, KeyOf(n, 1)));
  int entries = 0;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) entries++;
  EXPECT_TRUE(iterator->status().ok());
  EXPECT_EQ(kEntries, entries);

  cache_->Evict(29);
  const int open_before = env_.open_files;
  iterator.reset();
  EXPECT_EQ(open_before - 1, env_.open_files);
}

TEST_F(TableCacheTest, EvictClosesTheFile) {
  const uint64_t size = WriteTable(7);
  EXPECT_EQ(KeyOf(7, 3), Get(7, size, KeyOf(7, 3)));
  EXPECT_EQ(1, env_.open_files);
  cache_->Evict(7);
  EXPECT_EQ(0, env_.open_files);
  cache_->Evict(7);
  EXPECT_EQ(KeyOf(7, 3), Get(7, size, KeyOf(7, 3)));
}

TEST_F(TableCacheTest, TheDestructorClosesEverything) {
  for (uint64_t n = 10; n < 20; n++) {
    const uint64_t size = WriteTable(n);
    EXPECT_EQ(KeyOf(n, 3), Get(n, size, KeyOf(n, 3)));
  }
  cache_.reset();
  EXPECT_EQ(0, env_.open_files);
}

TEST_F(TableCacheTest, ApproximateOffsetsAscend) {
  const uint64_t size = WriteTable(7);
  const uint64_t first = cache_->ApproximateOffsetOf(7, size, "a");
  const uint64_t last = cache_->ApproximateOffsetOf(7, size, "z");
  EXPECT_EQ(0u, first);
  EXPECT_GT(last, first);
  EXPECT_LE(last, size);
}

TEST_F(TableCacheTest, ManyThreadsOverFewEntries) {
  constexpr uint64_t kTables = 20;
  constexpr int kThreads = 4;
  constexpr int kReads = 3000;
  uint64_t size = 0;
  for (uint64_t n = 10; n < 10 + kTables; n++) size = WriteTable(n);
  std::atomic<int> wrong{0};
  const auto read = [&](uint64_t seed) {
    Random random(seed);
    for (int i = 0; i < kReads; i++) {
      const uint64_t n = 10 + random.Uniform(kTables);
      const std::string key = KeyOf(n, static_cast<int>(random.Uniform(kEntries)));
      switch (random.Uniform(10)) {
        case 0:
          cache_->Evict(n);
          break;
        case 1: {
          const std::unique_ptr<Iterator> iterator(cache_->NewIterator(ReadOptions(), n, size));
          iterator->Seek(key);
          if (!iterator->Valid() || iterator->value() != Slice(key)) wrong++;
          break;
        }
        default:
          if (Get(n, size, key) != key) wrong++;
      }
    }
  };
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < kThreads; t++) threads.emplace_back(read, t);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong);
  cache_.reset();
  EXPECT_EQ(0, env_.open_files);
}

}  // namespace
}  // namespace leveldb
