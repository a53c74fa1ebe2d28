#include "db/version/file_meta.h"

#include <thread>

#include "db/version/obsolete_files.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"

namespace leveldb {
namespace {

FileMetaPtr NewFile(uint64_t number) {
  return std::make_shared<FileMeta>(number, 1 << 20, ParseKey("a"), ParseKey("b"));
}

TEST(FileMetaTest, SeeksAllowedDependOnTheSize) {
  EXPECT_EQ(100, FileMeta::InitialSeeks(0));
  EXPECT_EQ(100, FileMeta::InitialSeeks(100 * 16384));
  EXPECT_EQ(128, FileMeta::InitialSeeks(2 << 20));
  EXPECT_GT(FileMeta::InitialSeeks(UINT64_MAX), 0);
  EXPECT_EQ(128, FileMeta(1, 2 << 20, ParseKey("a"), ParseKey("b")).allowed_seeks);
}

TEST(FileMetaTest, OnlyAnObsoleteFileIsQueued) {
  ObsoleteFiles queue;
  FileMetaPtr kept = NewFile(1);
  FileMetaPtr dropped = NewFile(2);
  dropped->MarkObsolete(&queue);
  FileMetaPtr reader = dropped;
  kept.reset();
  dropped.reset();
  EXPECT_TRUE(queue.empty());
  reader.reset();
  EXPECT_FALSE(queue.empty());
  EXPECT_EQ(std::vector<uint64_t>{2}, queue.TakeAll());
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.TakeAll().empty());
}

TEST(FileMetaTest, TheLastReferenceMayGoOnAnyThread) {
  ObsoleteFiles queue;
  constexpr int kFiles = 200;
  std::vector<FileMetaPtr> files;
  for (uint64_t n = 1; n <= kFiles; n++) files.push_back(NewFile(n));
  std::vector<FileMetaPtr> readers = files;
  std::thread reader([&readers] { readers.clear(); });
  for (const FileMetaPtr& file : files) file->MarkObsolete(&queue);
  files.clear();
  reader.join();
  EXPECT_EQ(static_cast<size_t>(kFiles), queue.TakeAll().size());
}

TEST(FileMetaTest, TotalBytesAdds) {
  EXPECT_EQ(0u, TotalBytes({}));
  EXPECT_EQ(2u << 20, TotalBytes({NewFile(1), NewFile(2)}));
}

}  // namespace
}  // namespace leveldb
