// Single calls from several threads are linearizable while memtables are switched and tables are
// compacted. A store whose calls are not is detected.

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <string>

#include "testing/seed.h"
#include "testing/small_histories.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

// A database whose Get sometimes returns an older state.
class LateDb final : public DB {
 public:
  explicit LateDb(DB* db) : db_(db), moment_(db->GetSnapshot()) {}
  ~LateDb() override { db_->ReleaseSnapshot(moment_); }

  Status Get(const ReadOptions& options, const Slice& key, std::string* value) override {
    if (options.snapshot != nullptr) return db_->Get(options, key, value);
    const std::lock_guard<std::mutex> lock(mutex_);
    ReadOptions late = options;
    late.snapshot = moment_;
    const Status status = db_->Get(late, key, value);
    if (++gets_ % 3 == 0) {
      db_->ReleaseSnapshot(moment_);
      moment_ = db_->GetSnapshot();
    }
    return status;
  }

  Status Put(const WriteOptions& options, const Slice& key, const Slice& value) override {
    return db_->Put(options, key, value);
  }
  Status Delete(const WriteOptions& options, const Slice& key) override {
    return db_->Delete(options, key);
  }
  Status Write(const WriteOptions& options, WriteBatch* batch) override {
    return db_->Write(options, batch);
  }
  Iterator* NewIterator(const ReadOptions& options) override { return db_->NewIterator(options); }
  const Snapshot* GetSnapshot() override { return db_->GetSnapshot(); }
  void ReleaseSnapshot(const Snapshot* snapshot) override { db_->ReleaseSnapshot(snapshot); }
  bool GetProperty(const Slice&, std::string*) override { return false; }
  void GetApproximateSizes(const Range*, int, uint64_t*) override {}
  void CompactRange(const Slice*, const Slice*) override {}

 private:
  DB* const db_;
  std::mutex mutex_;
  const Snapshot* moment_;
  int gets_ = 0;
};

class Linearizable : public ::testing::Test {
 protected:
  Linearizable() {
    Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    options.max_file_size = 1 << 20;
    DB* opened = nullptr;
    EXPECT_OK(DB::Open(options, dir_ / "db", &opened));
    db_.reset(opened);
  }

  const TempDir dir_;
  std::unique_ptr<DB> db_;
};

TEST_F(Linearizable, SmallHistories) {
  Threads threads;
  threads.Repeat([this] { db_->CompactRange(nullptr, nullptr); });
  threads.Run([this] { EXPECT_EQ("", FirstBadHistory(db_.get(), AnnouncedSeed(), Scaled(1500))); });
}

TEST_F(Linearizable, AStoreThatAnswersLateIsFoundOut) {
  LateDb late(db_.get());
  EXPECT_NE("", FirstBadHistory(&late, AnnouncedSeed(), 50));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
