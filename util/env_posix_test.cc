// Tests what only the POSIX Env does: kinds of random-access files, errors of the system, locks
// between processes and under other names, modes, and behaviour after a fork.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "port/sanitizers.h"
#include "util/data_volume.h"
#include "util/posix_file_lock.h"
#include "util/posix_io.h"
#include "util/posix_readable_file.h"
#include "util/posix_writable_file.h"
#include "util/random.h"
#include "util/spare_blocks.h"

namespace leveldb {
namespace {

class EnvPosixTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string base;
    ASSERT_TRUE(env_->GetTestDirectory(&base).ok());
    dir_ = base + "/env_posix_test-" + std::to_string(getpid());
    RemoveAll();
    ASSERT_TRUE(env_->CreateDir(dir_).ok());
  }

  void TearDown() override { RemoveAll(); }

  void RemoveAll() {
    std::vector<std::string> names;
    if (!env_->GetChildren(dir_, &names).ok()) return;
    for (const std::string& name : names) env_->RemoveFile(Path(name));
    env_->RemoveDir(dir_);
  }

  std::string Path(const std::string& name) const { return dir_ + "/" + name; }

  // Runs body in a child process; returns true if it returned true.
  template <typename Body>
  static bool InChild(Body body) {
    const pid_t child = fork();
    if (child == 0) _exit(body() ? 0 : 1);
    int status = -1;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  Env* const env_ = Env::Default();
  std::string dir_;
  DataVolume volume_{[] { return uint64_t{1} << 40; }};
};

TEST_F(EnvPosixTest, ErrorsNameFileAndReason) {
  EXPECT_EQ(PosixError("/f", EACCES).ToString(), "IO error: /f: Permission denied");
  EXPECT_EQ(PosixError("/f", ENOENT).ToString(), "NotFound: /f: No such file or directory");
  SequentialFile* file;
  EXPECT_EQ(env_->NewSequentialFile("/none/f", &file).ToString(),
            "NotFound: /none/f: No such file or directory");
}

TEST_F(EnvPosixTest, DirectoryPartOfNames) {
  EXPECT_EQ(DirectoryOf("/a/b/c"), "/a/b");
  EXPECT_EQ(DirectoryOf("/a"), "/");
  EXPECT_EQ(DirectoryOf("a"), ".");
  EXPECT_EQ(DirectoryOf("a/b"), "a");
}

TEST_F(EnvPosixTest, SyncingDirectories) {
  EXPECT_TRUE(SyncDirectory(dir_).ok());
  EXPECT_TRUE(SyncDirectory(Path("none")).IsNotFound());
  ASSERT_TRUE(WriteStringToFile(env_, "x", Path("f")).ok());
  EXPECT_TRUE(SyncDirectory(Path("f")).IsIOError());  // Not a directory.
}

// A name that cannot be made durable fails the first Sync: the file's directory is gone.
TEST_F(EnvPosixTest, FirstSyncCoversTheName) {
  ASSERT_TRUE(env_->CreateDir(Path("sub")).ok());
  WritableFile* opened;
  ASSERT_TRUE(env_->NewWritableFile(Path("sub/f"), &opened).ok());
  std::unique_ptr<WritableFile> file(opened);
  ASSERT_TRUE(env_->RemoveFile(Path("sub/f")).ok());
  ASSERT_TRUE(env_->RemoveDir(Path("sub")).ok());
  ASSERT_TRUE(file->Append("x").ok());
  EXPECT_TRUE(file->Sync().IsNotFound());

  // A later Sync does not sync the directory again.
  ASSERT_TRUE(env_->CreateDir(Path("sub")).ok());
  ASSERT_TRUE(env_->NewWritableFile(Path("sub/f"), &opened).ok());
  file.reset(opened);
  ASSERT_TRUE(file->Sync().ok());
  ASSERT_TRUE(env_->RemoveFile(Path("sub/f")).ok());
  ASSERT_TRUE(env_->RemoveDir(Path("sub")).ok());
  ASSERT_TRUE(file->Append("x").ok());
  EXPECT_TRUE(file->Sync().ok());
}

TEST_F(EnvPosixTest, WriteErrorsSurfaceAndStick) {
  if (!env_->FileExists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  WritableFile* opened;
  ASSERT_TRUE(OpenWritableFile("/dev/full", WriteMode::kAppend, &opened).ok());
  const std::unique_ptr<WritableFile> file(opened);
  EXPECT_TRUE(file->Append("fits into the buffer").ok());
  EXPECT_EQ(file->Flush().ToString(), "IO error: /dev/full: No space left on device");
  EXPECT_TRUE(file->Append("x").IsIOError());
  EXPECT_TRUE(file->Append(std::string(100000, 'x')).IsIOError());
  EXPECT_TRUE(file->Flush().IsIOError());
  EXPECT_TRUE(file->Sync().IsIOError());
  EXPECT_TRUE(file->Close().IsIOError());
}

TEST_F(EnvPosixTest, ClosedFilesRefuse) {
  WritableFile* opened;
  ASSERT_TRUE(env_->NewWritableFile(Path("f"), &opened).ok());
  const std::unique_ptr<WritableFile> file(opened);
  ASSERT_TRUE(file->Close().ok());
  EXPECT_TRUE(file->Append("x").IsIOError());
  EXPECT_TRUE(file->Sync().IsIOError());
}

// Tests how much of the file has been written while it is still open.
TEST_F(EnvPosixTest, LongFilesAreWrittenBlockByBlock) {
  constexpr uint64_t kBlock = SpareBlocks::kBlockBytes;
  WritableFile* opened;
  ASSERT_TRUE(OpenWritableFile(Path("f"), WriteMode::kTruncate, &opened, WriteBlocks::kLarge).ok());
  const std::unique_ptr<WritableFile> file(opened);
  const auto size = [this] {
    uint64_t bytes = 0;
    EXPECT_TRUE(env_->GetFileSize(Path("f"), &bytes).ok());
    return bytes;
  };
  const std::string piece(1000, 'x');
  uint64_t appended = 0;
  const auto append_up_to = [&](uint64_t limit) {
    for (; appended < limit; appended += piece.size()) ASSERT_TRUE(file->Append(piece).ok());
  };
  append_up_to(kBlock);
  EXPECT_EQ(kBlock, size());
  append_up_to(kBlock + 5000);
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(appended, size());
  append_up_to(2 * kBlock);
  EXPECT_EQ(2 * kBlock, size()) << "after a flush in between as well";
  ASSERT_TRUE(file->Close().ok());
  EXPECT_EQ(appended, size());
}

TEST_F(EnvPosixTest, LongFilesKeepWhatIsAppendedInPiecesOfAnySize) {
  const uint64_t seed = 302;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  constexpr size_t kBlock = SpareBlocks::kBlockBytes;
  for (int round = 0; round < 5; round++) {
    WritableFile* opened;
    ASSERT_TRUE(
        OpenWritableFile(Path("f"), WriteMode::kTruncate, &opened, WriteBlocks::kLarge).ok());
    const std::unique_ptr<WritableFile> file(opened);
    std::string expected;
    while (expected.size() < 5 * kBlock) {
      const size_t sizes[] = {random.Skewed(19), kBlock - 1, kBlock, kBlock + 1,
                              kBlock - expected.size() % kBlock};
      const size_t n = random.OneIn(10) ? sizes[random.Uniform(5)] : sizes[0];
      const std::string piece(n, static_cast<char>('a' + random.Uniform(26)));
      ASSERT_TRUE(file->Append(piece).ok());
      expected += piece;
      if (random.OneIn(20)) {
        ASSERT_TRUE(file->Flush().ok());
      }
    }
    ASSERT_TRUE(file->Close().ok());
    std::string contents;
    ASSERT_TRUE(ReadFileToString(env_, Path("f"), &contents).ok());
    EXPECT_TRUE(contents == expected);
  }
}

// The mapping is longer than the file.
TEST_F(EnvPosixTest, ALongMappedFileEndsWhereItEnds) {
  const std::string contents((3 << 20) + 77, 'x');
  ASSERT_TRUE(WriteStringToFile(env_, contents, Path("f")).ok());
  ReadLimits limits(1, 1, &volume_);
  RandomAccessFile* opened;
  ASSERT_TRUE(OpenRandomAccessFile(Path("f"), &limits, &opened).ok());
  const std::unique_ptr<RandomAccessFile> file(opened);
  char scratch[100];
  Slice result;
  ASSERT_TRUE(file->Read(contents.size() - 10, 100, &result, scratch).ok());
  EXPECT_EQ(result, "xxxxxxxxxx");
  EXPECT_NE(result.data(), scratch) << "it is mapped";
  ASSERT_TRUE(file->Read(4 << 20, 100, &result, scratch).ok());
  EXPECT_TRUE(result.empty());
}

TEST_F(EnvPosixTest, EveryKindOfRandomAccessFileReadsTheSame) {
  ASSERT_TRUE(WriteStringToFile(env_, "0123456789", Path("f")).ok());
  ReadLimits limits(1, 1, &volume_);
  std::vector<std::unique_ptr<RandomAccessFile>> files;
  for (int i = 0; i < 3; i++) {  // One mapped, one open, one reopened.
    RandomAccessFile* file;
    ASSERT_TRUE(OpenRandomAccessFile(Path("f"), &limits, &file).ok());
    files.emplace_back(file);
  }
  char scratch[10];
  Slice result;
  ASSERT_TRUE(files[0]->Read(0, 10, &result, scratch).ok());
  EXPECT_NE(result.data(), scratch);
  for (const std::unique_ptr<RandomAccessFile>& file : files) {
    ASSERT_TRUE(file->Read(2, 3, &result, scratch).ok());
    EXPECT_EQ(result, "234");
    ASSERT_TRUE(file->Read(8, 10, &result, scratch).ok());
    EXPECT_EQ(result, "89");
  }
  // Only the last one looks up the name again.
  ASSERT_TRUE(env_->RemoveFile(Path("f")).ok());
  EXPECT_TRUE(files[0]->Read(0, 1, &result, scratch).ok());
  EXPECT_TRUE(files[1]->Read(0, 1, &result, scratch).ok());
  EXPECT_TRUE(files[2]->Read(0, 1, &result, scratch).IsNotFound());
  files.clear();
  EXPECT_TRUE(limits.mapped_files.Acquire());
  EXPECT_FALSE(limits.mapped_files.Acquire());
  EXPECT_TRUE(limits.descriptors.Acquire());
  EXPECT_FALSE(limits.descriptors.Acquire());
}

TEST_F(EnvPosixTest, MoreFilesThanTheProcessMayOpen) {
  ASSERT_TRUE(WriteStringToFile(env_, "data", Path("f")).ok());
  rlimit limit;
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  ReadLimits limits(0, static_cast<int>(limit.rlim_cur / 5), &volume_);
  std::vector<std::unique_ptr<RandomAccessFile>> files;
  for (rlim_t i = 0; i < std::min<rlim_t>(limit.rlim_cur, 4000) + 10; i++) {
    RandomAccessFile* file;
    ASSERT_TRUE(OpenRandomAccessFile(Path("f"), &limits, &file).ok());
    files.emplace_back(file);
  }
  char scratch[4];
  Slice result;
  for (const std::unique_ptr<RandomAccessFile>& file : files) {
    ASSERT_TRUE(file->Read(0, 4, &result, scratch).ok());
    ASSERT_EQ(result, "data");
  }
}

TEST_F(EnvPosixTest, DescriptorsDoNotReachOtherPrograms) {
  const Descriptor fd(OpenDescriptor(Path("f"), O_RDWR | O_CREAT));
  ASSERT_TRUE(fd.valid());
  EXPECT_NE(fcntl(fd.get(), F_GETFD) & FD_CLOEXEC, 0);
}

TEST_F(EnvPosixTest, ModesOfNewFilesAndDirectories) {
  const mode_t mask = umask(0);
  EXPECT_TRUE(WriteStringToFile(env_, "x", Path("f")).ok());
  EXPECT_TRUE(env_->CreateDir(Path("sub")).ok());
  umask(mask);
  struct stat info;
  ASSERT_EQ(stat(Path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0644u);
  ASSERT_EQ(stat(Path("sub").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0755u);
  ASSERT_TRUE(env_->RemoveDir(Path("sub")).ok());
}

TEST_F(EnvPosixTest, LocksKeepOtherProcessesOut) {
  FileLock* lock;
  ASSERT_TRUE(env_->LockFile(Path("LOCK"), &lock).ok());
  const std::string name = Path("LOCK");
  EXPECT_TRUE(InChild([&name] {
    FileLockTable locks_of_child;
    FileLock* second;
    const Status s = locks_of_child.Lock(name, &second);
    return s.IsIOError() &&
           s.ToString().find(name + ": Resource temporarily unavailable") != std::string::npos;
  }));
  ASSERT_TRUE(env_->UnlockFile(lock).ok());
  EXPECT_TRUE(InChild([&name] {
    FileLockTable locks_of_child;
    FileLock* second;
    return locks_of_child.Lock(name, &second).ok();
  }));
}

// A second lock under another name would succeed and, when released, drop the first one as well.
TEST_F(EnvPosixTest, LocksHoldUnderEveryName) {
  FileLock* lock;
  ASSERT_TRUE(env_->LockFile(Path("LOCK"), &lock).ok());
  ASSERT_EQ(symlink(Path("LOCK").c_str(), Path("alias").c_str()), 0);
  FileLock* second;
  EXPECT_TRUE(env_->LockFile(Path("alias"), &second).IsIOError());
  EXPECT_TRUE(env_->LockFile(dir_ + "//./LOCK", &second).IsIOError());
  const std::string name = Path("LOCK");
  EXPECT_TRUE(InChild([&name] {
    FileLockTable locks_of_child;
    FileLock* third;
    return !locks_of_child.Lock(name, &third).ok();
  }));
  // The name stays locked when the file of that name is replaced.
  ASSERT_TRUE(env_->RemoveFile(Path("LOCK")).ok());
  EXPECT_TRUE(env_->LockFile(Path("LOCK"), &second).IsIOError());
  ASSERT_TRUE(env_->UnlockFile(lock).ok());
}

TEST_F(EnvPosixTest, LockInAMissingDirectory) {
  FileLock* lock;
  EXPECT_TRUE(env_->LockFile(Path("none/LOCK"), &lock).IsNotFound());
  EXPECT_EQ(lock, nullptr);
}

TEST_F(EnvPosixTest, BackgroundWorkRunsAfterAFork) {
#if defined(BUSHSTORE_UNDER_TSAN)
  GTEST_SKIP() << "ThreadSanitizer allows no threads in the child of a threaded process";
#endif
  const auto run_one = [] {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) return false;
    Env::Default()->Schedule(
        [](void* arg) {
          const char byte = 'x';
          if (write(*static_cast<int*>(arg), &byte, 1) != 1) abort();
        },
        &pipe_ends[1]);
    char byte = 0;
    const bool done = read(pipe_ends[0], &byte, 1) == 1 && byte == 'x';
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return done;
  };
  EXPECT_TRUE(run_one());
  EXPECT_TRUE(InChild(run_one));
  EXPECT_TRUE(run_one());
}

}  // namespace
}  // namespace leveldb
