#include "db/files/table_output.h"

#include <memory>

#include "db/files/filename.h"
#include "db/files/table_cache.h"
#include "gtest/gtest.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/iterator.h"

namespace leveldb {
namespace {

enum class Fault { kNone, kAppend, kSync, kClose, kLoseBytes };

// Makes writes fail, or be lost without an error.
class FaultyEnv : public EnvWrapper {
 public:
  explicit FaultyEnv(Env* base) : EnvWrapper(base) {}

  Status NewWritableFile(const std::string& name, WritableFile** result) override {
    WritableFile* file = nullptr;
    const Status status = target()->NewWritableFile(name, &file);
    if (status.ok()) *result = new FaultyFile(file, fault);
    return status;
  }

  Fault fault = Fault::kNone;

 private:
  class FaultyFile : public WritableFile {
   public:
    FaultyFile(WritableFile* file, Fault fault) : file_(file), fault_(fault) {}
    Status Append(const Slice& data) override {
      if (fault_ == Fault::kAppend) return Status::IOError("append");
      if (fault_ == Fault::kLoseBytes) return Status::OK();
      return file_->Append(data);
    }
    Status Close() override {
      return fault_ == Fault::kClose ? Status::IOError("close") : file_->Close();
    }
    Status Flush() override { return file_->Flush(); }
    Status Sync() override {
      return fault_ == Fault::kSync ? Status::IOError("sync") : file_->Sync();
    }

   private:
    const std::unique_ptr<WritableFile> file_;
    const Fault fault_;
  };
};

class TableOutputTest : public testing::Test {
 protected:
  TableOutputTest() : mem_env_(NewMemEnv(Env::Default())), env_(mem_env_.get()) {
    options_.env = &env_;
    EXPECT_TRUE(env_.CreateDir("/d").ok());
    cache_ = std::make_unique<TableCache>("/d", options_, 10);
  }

  std::unique_ptr<TableOutput> Open() {
    std::unique_ptr<TableOutput> output;
    const Status status = TableOutput::Open(options_, "/d", 7, cache_.get(), &output);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return output;
  }

  bool FileExists() { return env_.FileExists(TableFileName("/d", 7)); }

  const std::unique_ptr<Env> mem_env_;
  FaultyEnv env_;
  Options options_;
  std::unique_ptr<TableCache> cache_;
};

TEST_F(TableOutputTest, WritesATable) {
  std::unique_ptr<TableOutput> output = Open();
  EXPECT_EQ(7u, output->number());
  EXPECT_EQ(0u, output->entries());
  EXPECT_TRUE(output->smallest().empty());
  output->Add("a", "1");
  output->Add("b", "2");
  output->Add("c", "3");
  EXPECT_TRUE(output->status().ok());
  ASSERT_TRUE(output->Finish().ok());
  EXPECT_EQ(3u, output->entries());
  EXPECT_EQ("a", output->smallest().ToString());
  EXPECT_EQ("c", output->largest().ToString());
  uint64_t size = 0;
  ASSERT_TRUE(env_.GetFileSize(TableFileName("/d", 7), &size).ok());
  EXPECT_EQ(size, output->size());
  output.reset();  // the file stays

  const std::unique_ptr<Iterator> iterator(cache_->NewIterator(ReadOptions(), 7, size));
  std::string contents;
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    contents += iterator->key().ToString() + iterator->value().ToString();
  }
  EXPECT_EQ("a1b2c3", contents);
}

TEST_F(TableOutputTest, ACompleteTableIsRemovedUnlessItIsFinished) {
  std::unique_ptr<TableOutput> output = Open();
  output->Add("a", "1");
  ASSERT_TRUE(output->Complete().ok());
  uint64_t size = 0;
  ASSERT_TRUE(env_.GetFileSize(TableFileName("/d", 7), &size).ok());
  EXPECT_EQ(size, output->size());
  output.reset();
  EXPECT_FALSE(FileExists());

  output = Open();
  output->Add("a", "1");
  ASSERT_TRUE(output->Complete().ok());
  ASSERT_TRUE(output->Finish().ok());
  output.reset();
  EXPECT_TRUE(cache_->Open(7, size).ok());
}

TEST_F(TableOutputTest, SizeGrowsWhileItIsWritten) {
  const std::unique_ptr<TableOutput> output = Open();
  for (char key = 'a'; key <= 'z'; key++) {
    output->Add(std::string(1, key), std::string(5000, key));
  }
  EXPECT_GT(output->size(), 0u);
  const uint64_t before = output->size();
  ASSERT_TRUE(output->Finish().ok());
  EXPECT_GT(output->size(), before);
}

TEST_F(TableOutputTest, AbandonedFilesAreRemoved) {
  std::unique_ptr<TableOutput> output = Open();
  EXPECT_TRUE(FileExists());
  output->Add("a", "1");
  output->Abandon();
  EXPECT_FALSE(FileExists());
  output = Open();
  EXPECT_TRUE(FileExists());
  output.reset();
  EXPECT_FALSE(FileExists());
}

TEST_F(TableOutputTest, AnErrorSurfacesAndRemovesTheFile) {
  for (const Fault fault : {Fault::kAppend, Fault::kSync, Fault::kClose, Fault::kLoseBytes}) {
    SCOPED_TRACE(static_cast<int>(fault));
    env_.fault = fault;
    const std::unique_ptr<TableOutput> output = Open();
    output->Add("a", "1");
    EXPECT_FALSE(output->Finish().ok());
    EXPECT_FALSE(FileExists());
    EXPECT_FALSE(cache_->Open(7, output->size()).ok());
  }
}

TEST_F(TableOutputTest, AFileThatCantBeMadeIsAnError) {
  class ReadOnlyEnv : public EnvWrapper {
   public:
    explicit ReadOnlyEnv(Env* base) : EnvWrapper(base) {}
    Status NewWritableFile(const std::string& name, WritableFile** result) override {
      return Status::IOError(name, "read only");
    }
  };
  ReadOnlyEnv read_only(&env_);
  options_.env = &read_only;
  std::unique_ptr<TableOutput> output;
  EXPECT_TRUE(TableOutput::Open(options_, "/d", 7, cache_.get(), &output).IsIOError());
  EXPECT_EQ(nullptr, output);
}

}  // namespace
}  // namespace leveldb
