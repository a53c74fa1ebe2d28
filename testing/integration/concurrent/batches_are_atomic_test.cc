// A batch is read whole or not at all, by point reads under a snapshot and by iterators, whatever
// else is written in the same group.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/write_batch.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKeysPerBatch = 12;

std::string Key(int number) {
  return "part" + std::to_string(100 + number);
}

class BatchesAreAtomic : public ::testing::Test {
 protected:
  BatchesAreAtomic() {
    Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options, dir_ / "db", &db));
    db_.reset(db);
    WriteAll("start");
  }

  void WriteAll(const std::string& value) {
    WriteBatch batch;
    for (int i = 0; i < kKeysPerBatch; ++i) {
      batch.Put(Key(i), value);
    }
    ASSERT_OK(db_->Write(WriteOptions(), &batch));
  }

  void Writer(uint64_t seed) {
    Dice dice(seed);
    for (int i = 0; i < Scaled(2500); ++i) {
      WriteAll(dice.Bytes(dice.Between(1, 100)));
    }
  }

  const TempDir dir_;
  std::unique_ptr<DB> db_;
};

TEST_F(BatchesAreAtomic, ForReadersAndIterators) {
  const uint64_t seed = AnnouncedSeed();
  Threads threads;
  threads.Run([this, seed] { Writer(seed); });
  threads.Run([this, seed] { Writer(seed + 1); });
  threads.Repeat([this] {
    ReadOptions options;
    options.snapshot = db_->GetSnapshot();
    std::string first;
    std::string other;
    ASSERT_OK(db_->Get(options, Key(0), &first));
    for (int i = 1; i < kKeysPerBatch; ++i) {
      ASSERT_OK(db_->Get(options, Key(i), &other));
      ASSERT_TRUE(other == first) << "part " << i << " is of another batch";
    }
    db_->ReleaseSnapshot(options.snapshot);
  });
  bool backwards = false;
  threads.Repeat([this, &backwards] {
    backwards = !backwards;
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
    std::string first;
    int entries = 0;
    for (backwards ? iterator->SeekToLast() : iterator->SeekToFirst(); iterator->Valid();
         backwards ? iterator->Prev() : iterator->Next()) {
      if (entries++ == 0) {
        first = iterator->value().ToString();
      }
      ASSERT_TRUE(iterator->value() == first) << "entry " << entries << " is of another batch";
    }
    ASSERT_OK(iterator->status());
    ASSERT_EQ(entries, kKeysPerBatch);
  });
  threads.Join();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
