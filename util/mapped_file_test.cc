// Tests with a file whose first half was written and whose second half is a hole: the system has no
// page of a hole in memory, on a disk as on a tmpfs.
#include "util/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <memory>
#include <string>

#include "port/page_bytes.h"
#include "testing/temp_dir.h"
#include "util/data_volume.h"
#include "util/posix_io.h"
#include "util/posix_readable_file.h"

namespace leveldb {
namespace {

constexpr uint64_t kHalf = uint64_t{256} << 10;

class MappedFileTest : public testing::Test {
 protected:
  MappedFileTest() {
    const std::string half(kHalf, 'x');
    const Descriptor fd(OpenDescriptor(name_, O_CREAT | O_RDWR));
    EXPECT_EQ(write(fd.get(), half.data(), half.size()), static_cast<ssize_t>(kHalf));
    EXPECT_EQ(ftruncate(fd.get(), 2 * kHalf), 0);
  }

  void OpenFile(ReadLimits* limits) {
    const Descriptor fd(OpenDescriptor(name_, O_RDONLY));
    file_.reset(MappedFile::Map(name_, fd.get(), limits));
    ASSERT_NE(file_, nullptr);
  }

  void SetUp() override {
    if (testkit::IsInMemory(dir_.path()) || testkit::IsPersistentMemory(dir_.path())) {
      GTEST_SKIP() << "no disk: bytes are always in memory";
    }
  }

  bool IsReadFromMapping(uint64_t offset, size_t n = 100) {
    Slice result;
    EXPECT_TRUE(file_->Read(offset, n, &result, scratch_).ok());
    EXPECT_EQ(result.ToString(), std::string(n, offset < kHalf ? 'x' : '\0'));
    EXPECT_TRUE(result.data() == scratch_ || result.data() == file_->mapping() + offset);
    return result.data() != scratch_;
  }

  const testkit::TempDir dir_{testkit::Medium::kDisk};
  const std::string name_ = dir_ / "f";
  DataVolume volume_{[] { return uint64_t{1000}; }};
  DataVolume::Share share_{&volume_};
  ReadLimits limits_{1, 1, &volume_};
  std::unique_ptr<MappedFile> file_;
  char scratch_[1000];
};

TEST_F(MappedFileTest, UsesTheMappingWhileDataFitsIntoMemory) {
  OpenFile(&limits_);
  EXPECT_FALSE(file_->exceeds_memory());
  EXPECT_EQ(file_->WillRead(0, 100), FilePages::InMemory::kLittle) << "it does not look";
  EXPECT_EQ(file_->BytesInMemory(), 2 * kHalf) << "it does not look";
  EXPECT_TRUE(IsReadFromMapping(0));
  EXPECT_TRUE(IsReadFromMapping(kHalf));
}

TEST_F(MappedFileTest, ThenReadsWhatIsNotInMemoryFromTheFile) {
  OpenFile(&limits_);
  share_.Set(501);
  EXPECT_TRUE(file_->exceeds_memory());
  EXPECT_EQ(file_->BytesInMemory(), kHalf);
  EXPECT_TRUE(IsReadFromMapping(0));
  EXPECT_TRUE(IsReadFromMapping(kHalf - 100));
  EXPECT_FALSE(IsReadFromMapping(kHalf + 5 * PageBytes()));
  share_.Set(0);
  EXPECT_TRUE(IsReadFromMapping(kHalf + 20 * PageBytes()));
}

TEST_F(MappedFileTest, WillReadTellsWhatIsInMemory) {
  OpenFile(&limits_);
  share_.Set(501);
  EXPECT_EQ(file_->WillRead(10, kHalf - 10), FilePages::InMemory::kAll);
  EXPECT_EQ(file_->WillRead(10, 0), FilePages::InMemory::kAll);
  EXPECT_EQ(file_->WillRead(3 * kHalf, 100), FilePages::InMemory::kAll) << "nothing to read";
  EXPECT_EQ(file_->WillRead(2 * kHalf - 10, UINT64_MAX), FilePages::InMemory::kLittle);
  EXPECT_EQ(file_->WillRead(kHalf - 3 * PageBytes(), 4 * PageBytes()), FilePages::InMemory::kMost);
}

TEST_F(MappedFileTest, WontReadKeepsTheBytes) {
  OpenFile(&limits_);
  share_.Set(501);
  Slice before;
  ASSERT_TRUE(file_->Read(0, kHalf, &before, nullptr).ok());
  file_->WontRead(0, kHalf);
  file_->WontRead(5, 10);
  file_->WontRead(2 * kHalf - 5, UINT64_MAX / 2);
  EXPECT_EQ(before.ToString(), std::string(kHalf, 'x'));
}

TEST_F(MappedFileTest, WontReadTakesPagesOutOfMemory) {
  OpenFile(&limits_);
  share_.Set(501);
  const Descriptor fd(OpenDescriptor(name_, O_RDONLY));
  ASSERT_EQ(fsync(fd.get()), 0);
  EXPECT_EQ(file_->BytesInMemory(), kHalf);
  // If only a part is dropped, the system keeps pages that it manages together with their
  // neighbours.
  file_->WontRead(0, 2 * kHalf);
  EXPECT_EQ(file_->BytesInMemory(), 0u);
  EXPECT_FALSE(IsReadFromMapping(PageBytes()));
  EXPECT_TRUE(IsReadFromMapping(PageBytes())) << "the read has brought it back";
}

TEST_F(MappedFileTest, KeepsADescriptorIfOneIsLeft) {
  {
    OpenFile(&limits_);
    share_.Set(501);
    EXPECT_TRUE(limits_.descriptors.Acquire()) << "none is taken before it is needed";
    limits_.descriptors.Release();
    EXPECT_FALSE(IsReadFromMapping(kHalf));
    EXPECT_FALSE(limits_.descriptors.Acquire());
    EXPECT_FALSE(IsReadFromMapping(kHalf + 40 * PageBytes()));
    file_.reset();
    EXPECT_TRUE(limits_.descriptors.Acquire());
    limits_.descriptors.Release();
    EXPECT_TRUE(limits_.mapped_files.Acquire());
  }
  ReadLimits none(1, 0, &volume_);
  OpenFile(&none);
  EXPECT_FALSE(IsReadFromMapping(kHalf + 3 * PageBytes()));
  EXPECT_FALSE(IsReadFromMapping(kHalf + 50 * PageBytes()));
  file_.reset();
}

TEST_F(MappedFileTest, UsesTheMappingWhenTheNameIsGone) {
  OpenFile(&limits_);
  share_.Set(501);
  ASSERT_EQ(unlink(name_.c_str()), 0);
  EXPECT_TRUE(IsReadFromMapping(kHalf));
  const Descriptor other(OpenDescriptor(name_, O_CREAT | O_RDWR));
  ASSERT_EQ(write(other.get(), "other", 5), 5);
  EXPECT_TRUE(IsReadFromMapping(kHalf + 30 * PageBytes())) << "the name is another file's";
}

// Envs of programs read like this: they pass on only Read.
TEST_F(MappedFileTest, ReadsInOrderReadAhead) {
  OpenFile(&limits_);
  share_.Set(501);
  const uint64_t page = PageBytes();
  EXPECT_FALSE(IsReadFromMapping(kHalf, 1000));
  EXPECT_FALSE(IsReadFromMapping(kHalf + 20 * page, 1000)) << "not in order";
  EXPECT_GE(file_->BytesInMemory(), kHalf + 2 * page);
  for (uint64_t at = kHalf + 20 * page + 1000; at + 1000 < kHalf + 30 * page; at += 1000) {
    IsReadFromMapping(at, 1000);
  }
  // The reads have ended long before.
  EXPECT_TRUE(IsReadFromMapping(kHalf + 31 * page, 1000));
}

TEST_F(MappedFileTest, WithHintsItReadsNoFurtherByItself) {
  OpenFile(&limits_);
  share_.Set(501);
  file_->WillRead(0, 1);
  const uint64_t page = PageBytes();
  for (uint64_t at = kHalf; at < kHalf + 20 * page; at += page) {
    EXPECT_FALSE(IsReadFromMapping(at, 1000));
  }
}

// A process without the permission always reads from the file, even bytes in memory.
TEST_F(MappedFileTest, WithoutPermissionToAskItReadsFromTheFile) {
  if (geteuid() != 0) GTEST_SKIP() << "needs another user";
  ASSERT_EQ(chmod(name_.c_str(), 0444), 0);
  ASSERT_EQ(chmod(dir_.path().c_str(), 0755), 0);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (setresuid(kNobody, kNobody, kNobody) != 0) _exit(2);
    const int fd = open(name_.c_str(), O_RDONLY);
    if (fd < 0) _exit(0);  // other users cannot enter a parent directory
    file_.reset(MappedFile::Map(name_, fd, &limits_));
    share_.Set(501);
    const bool is_asked = file_->WillRead(0, 100) == FilePages::InMemory::kLittle;
    _exit(is_asked && !IsReadFromMapping(0) && !HasFailure() ? 0 : 1);
  }
  int outcome = -1;
  ASSERT_EQ(waitpid(child, &outcome, 0), child);
  EXPECT_EQ(outcome, 0);
}

TEST(MappedFileInMemory, ATmpfsIsNeverAsked) {
  const testkit::TempDir dir(testkit::Medium::kMemory);
  if (!testkit::IsInMemory(dir.path())) GTEST_SKIP() << "no tmpfs";
  const std::string name = dir / "f";
  const Descriptor fd(OpenDescriptor(name, O_CREAT | O_RDWR));
  ASSERT_EQ(ftruncate(fd.get(), static_cast<off_t>(kHalf)), 0);
  DataVolume volume([] { return uint64_t{1000}; });
  DataVolume::Share share(&volume);
  share.Set(501);
  ReadLimits limits(1, 1, &volume);
  const std::unique_ptr<MappedFile> file(MappedFile::Map(name, fd.get(), &limits));
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(file->exceeds_memory());
  char scratch[10];
  Slice result;
  ASSERT_TRUE(file->Read(0, 10, &result, scratch).ok());
  EXPECT_EQ(result.data(), file->mapping());
}

// A page fault there would end the process.
TEST_F(MappedFileTest, ReadsOfATruncatedFileEndEarly) {
  OpenFile(&limits_);
  share_.Set(501);
  ASSERT_EQ(truncate(name_.c_str(), static_cast<off_t>(kHalf + 10)), 0);
  Slice result;
  ASSERT_TRUE(file_->Read(kHalf, 100, &result, scratch_).ok());
  EXPECT_EQ(result.size(), 10u);
  ASSERT_TRUE(file_->Read(kHalf + PageBytes(), 100, &result, scratch_).ok());
  EXPECT_EQ(result.size(), 0u);
}

TEST_F(MappedFileTest, ReadsAtAndBeyondTheEnd) {
  OpenFile(&limits_);
  for (const uint64_t bytes : {0, 501}) {
    share_.Set(bytes);
    Slice result;
    ASSERT_TRUE(file_->Read(2 * kHalf - 3, 100, &result, scratch_).ok());
    EXPECT_EQ(result.ToString(), std::string(3, '\0'));
    ASSERT_TRUE(file_->Read(2 * kHalf, 100, &result, scratch_).ok());
    EXPECT_TRUE(result.empty());
    ASSERT_TRUE(file_->Read(UINT64_MAX, 100, &result, scratch_).ok());
    EXPECT_TRUE(result.empty());
  }
}

}  // namespace
}  // namespace leveldb
