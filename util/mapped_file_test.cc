// A file whose first half was written and whose second half is a hole: the system has no page of a
// hole in memory, on a disk as on a tmpfs.
#include "util/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
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
  EXPECT_FALSE(file_->WillRead(kHalf, 100)) << "it does not look";
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
  EXPECT_TRUE(file_->WillRead(10, kHalf - 10));
  EXPECT_TRUE(file_->WillRead(10, 0));
  EXPECT_FALSE(file_->WillRead(kHalf - 10, 11));
  EXPECT_TRUE(file_->WillRead(3 * kHalf, 100)) << "there is nothing to read";
  EXPECT_FALSE(file_->WillRead(2 * kHalf - 10, UINT64_MAX));
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
  if (testkit::IsInMemory(dir_.path())) GTEST_SKIP() << "a tmpfs has nowhere else to keep them";
  OpenFile(&limits_);
  share_.Set(501);
  const Descriptor fd(OpenDescriptor(name_, O_RDONLY));
  ASSERT_EQ(fsync(fd.get()), 0);
  EXPECT_EQ(file_->BytesInMemory(), kHalf);
  // Of a part, the system keeps pages that it manages together with their neighbours.
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

// A page fault there would kill the process.
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
