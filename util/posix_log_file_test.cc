// Tests the mapped end of a log file: which bytes the system has at which moment, and what happens
// if mapping or allocating is not possible.

#include "util/posix_log_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>

#include "leveldb/env.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

std::string ContentsWithoutZeros(const std::string& fname) {
  std::string bytes = testkit::ReadFile(fname);
  bytes.erase(bytes.find_last_not_of('\0') + 1);
  return bytes;
}

// Returns the exit code of a child process that ran body, or minus the signal that ended it.
int RunInChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class PosixLogFileTest : public testing::Test {
 protected:
  PosixLogFileTest() {
    std::string base;
    EXPECT_TRUE(Env::Default()->GetTestDirectory(&base).ok());
    fname_ = base + "/" + std::to_string(getpid()) + "000001.log";
    Remove();
  }
  ~PosixLogFileTest() override { Remove(); }

  void Remove() const { unlink(fname_.c_str()); }

  std::unique_ptr<WritableFile> Open(WriteMode mode = WriteMode::kTruncate) const {
    WritableFile* file;
    const Status status = OpenLogFile(fname_, mode, &file);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return std::unique_ptr<WritableFile>(file);
  }

  // Returns whether the file is mapped, which the result of other calls does not show.
  bool IsMapped() const {
    const std::unique_ptr<WritableFile> file = Open();
    EXPECT_TRUE(file->Append("a record that is long enough").ok());
    const bool is_mapped = testkit::ReadFile(fname_).size() > 1000;
    EXPECT_TRUE(file->Close().ok());
    return is_mapped;
  }

  std::string fname_;
};

TEST_F(PosixLogFileTest, IsForTheNamesOfLogs) {
  EXPECT_TRUE(IsLogFileName("000001.log"));
  EXPECT_TRUE(IsLogFileName("/a/b.c/123456789.log"));
  for (const char* name : {"", ".log", "/.log", "/1/.log", "1.log2", "LOG", "1a.log", "-1.log",
                           "/a/000001.ldb", "1.log/", "MANIFEST-000001", "1 .log"}) {
    EXPECT_FALSE(IsLogFileName(name)) << name;
  }
}

TEST_F(PosixLogFileTest, HoldsWhatWasAppended) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  constexpr size_t kMost[] = {10, 200, 5000, 300 * 1000, 3 * 1000 * 1000};
  std::string expected;
  for (const WriteMode mode : {WriteMode::kTruncate, WriteMode::kAppend}) {
    const std::unique_ptr<WritableFile> file = Open(mode);
    while (expected.size() < (mode == WriteMode::kTruncate ? 10u : 20u) << 20) {
      const size_t most = kMost[random() % 5];
      for (int i = 0; i < 50 && most * static_cast<size_t>(i) < 6000000; i++) {
        std::string bytes(random() % (most + 1), '\0');
        for (char& c : bytes) c = static_cast<char>(random());
        ASSERT_TRUE(file->Append(bytes).ok());
        expected += bytes;
        ASSERT_TRUE(random() % 3 != 0 || file->Flush().ok());
        ASSERT_TRUE(random() % 50 != 0 || file->Sync().ok());
      }
    }
    ASSERT_TRUE(file->Flush().ok());
    ASSERT_TRUE(testkit::ReadFile(fname_).compare(0, expected.size(), expected) == 0);
    ASSERT_TRUE(file->Close().ok());
    ASSERT_TRUE(testkit::ReadFile(fname_) == expected);
  }
}

TEST_F(PosixLogFileTest, BecomesVisibleAtOnce) {
  if (!IsMapped()) GTEST_SKIP() << "log files are not mapped here";
  const std::unique_ptr<WritableFile> file = Open();
  ASSERT_TRUE(file->Append("0123456789").ok());
  ASSERT_TRUE(file->Flush().ok());
  std::string expected = "0123456789";
  // The pieces end within the eight bytes, and cover more than one window.
  for (const std::string& bytes : {std::string("ab"), std::string("cdefghijklmnop"),
                                   std::string(3 << 20, 'q'), std::string("r")}) {
    ASSERT_TRUE(file->Append(bytes).ok());
    expected += bytes;
    std::string half = expected;
    half.replace(10, 8, 8, '\0');
    if (expected.size() < 18) half.resize(10);
    ASSERT_TRUE(testkit::ReadFile(fname_).compare(0, half.size(), half) == 0);
  }
  ASSERT_TRUE(file->Flush().ok());
  ASSERT_TRUE(ContentsWithoutZeros(fname_) == expected);
  for (const std::string& bytes : {std::string(7, 'x'), std::string(8, 'y'), std::string(9, 'z')}) {
    ASSERT_TRUE(file->Append(bytes).ok());
    ASSERT_TRUE(file->Flush().ok());
    expected += bytes;
    ASSERT_TRUE(ContentsWithoutZeros(fname_) == expected);
  }
}

TEST_F(PosixLogFileTest, OutlivesItsProcess) {
  EXPECT_EQ(-SIGKILL, RunInChild([this] {
    const std::unique_ptr<WritableFile> file = Open();
    if (!file->Append("acknowledged").ok() || !file->Flush().ok()) return 1;
    if (!file->Append("not yet").ok()) return 1;
    return raise(SIGKILL);
  }));
  EXPECT_EQ("acknowledged", ContentsWithoutZeros(fname_).substr(0, 12));
  const std::string left = testkit::ReadFile(fname_).substr(12);
  EXPECT_EQ(std::string(left.size(), '\0'), left);
}

// The child of a fork destroys its copy explicitly, or at its exit.
TEST_F(PosixLogFileTest, IsLeftAloneByAForkedChild) {
  std::unique_ptr<WritableFile> file = Open();
  ASSERT_TRUE(file->Append("before").ok());
  ASSERT_TRUE(file->Flush().ok());
  const size_t size = testkit::ReadFile(fname_).size();
  EXPECT_EQ(0, RunInChild([&file] {
              file.reset();
              return 0;
            }));
  EXPECT_EQ(size, testkit::ReadFile(fname_).size());
  ASSERT_TRUE(file->Append(" and after").ok());
  ASSERT_TRUE(file->Close().ok());
  EXPECT_EQ("before and after", testkit::ReadFile(fname_));
}

TEST_F(PosixLogFileTest, ThatIsCutShortIsAnError) {
  if (!IsMapped()) GTEST_SKIP() << "log files are not mapped here";
  for (const size_t record_size : {20, 40000}) {
    for (const bool is_seen_by_flush : {true, false}) {
      SCOPED_TRACE(std::to_string(record_size) + (is_seen_by_flush ? " bytes, Flush" : " bytes"));
      const std::unique_ptr<WritableFile> file = Open();
      ASSERT_TRUE(file->Append("before").ok());
      ASSERT_TRUE(file->Flush().ok());
      ASSERT_EQ(0, truncate(fname_.c_str(), 0));
      ASSERT_TRUE(file->Append(std::string(record_size, 'r')).ok());
      const Status status =
          is_seen_by_flush ? file->Flush() : file->Append(std::string(1 << 20, 'x'));
      EXPECT_TRUE(status.IsIOError()) << status.ToString();
      EXPECT_NE(std::string::npos, status.ToString().find(fname_ + ": was cut short"))
          << status.ToString();
      EXPECT_FALSE(file->Append("more").ok());
      EXPECT_FALSE(file->Flush().ok());
      EXPECT_FALSE(file->Sync().ok());
      EXPECT_FALSE(file->Close().ok());
    }
  }
}

// Here no store has met the missing pages before the file would be extended.
TEST_F(PosixLogFileTest, ThatIsCutShortIsAnErrorWhereTheWindowMoves) {
  if (!IsMapped()) GTEST_SKIP() << "log files are not mapped here";
  for (const bool is_closed : {true, false}) {
    SCOPED_TRACE(is_closed ? "Close" : "Append");
    const std::unique_ptr<WritableFile> file = Open();
    ASSERT_TRUE(file->Append("before").ok());
    ASSERT_TRUE(file->Flush().ok());
    ASSERT_EQ(0, truncate(fname_.c_str(), 0));
    const Status status = is_closed ? file->Close() : file->Append(std::string(1 << 20, 'x'));
    EXPECT_TRUE(status.IsIOError()) << status.ToString();
    EXPECT_NE(std::string::npos, status.ToString().find(fname_ + ": was cut short"))
        << status.ToString();
  }
}

// A process whose files may not grow further gets an error and no signal, and uses up the space
// that is left.
TEST_F(PosixLogFileTest, EndsAtTheLimitForFiles) {
  constexpr size_t kLimit = 3 * 1000 * 1000;
  const std::string record(1000, 'r');
  EXPECT_EQ(0, RunInChild([this, &record] {
              const struct rlimit limit = {kLimit, kLimit};
              if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
              const std::unique_ptr<WritableFile> file = Open();
              for (size_t size = record.size(); size <= kLimit; size += record.size()) {
                if (!file->Append(record).ok() || !file->Flush().ok()) return 2;
              }
              signal(SIGXFSZ, SIG_IGN);
              if (file->Append(record).ok()) return 3;
              if (file->Flush().ok() || file->Append("").ok()) return 4;
              return file->Close().IsIOError() ? 0 : 5;
            }));
  EXPECT_EQ(kLimit, testkit::ReadFile(fname_).size());
  EXPECT_EQ(std::string::npos, testkit::ReadFile(fname_).find_first_not_of('r'));
}

TEST_F(PosixLogFileTest, CanBeWhatIsNoFile) {
  ASSERT_EQ(0, symlink("/dev/full", fname_.c_str()));
  const std::unique_ptr<WritableFile> file = Open();
  Status status = file->Append("there is no room for this");
  if (status.ok()) status = file->Flush();
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
}

TEST_F(PosixLogFileTest, IsRefusedOnceItIsClosed) {
  const std::unique_ptr<WritableFile> file = Open();
  ASSERT_TRUE(file->Append("bytes").ok());
  ASSERT_TRUE(file->Close().ok());
  EXPECT_TRUE(file->Append("more").IsIOError());
  EXPECT_TRUE(file->Append("").IsIOError());
  EXPECT_TRUE(file->Flush().IsIOError());
  EXPECT_EQ("bytes", testkit::ReadFile(fname_));
}

TEST_F(PosixLogFileTest, TakesNoRoomBeforeItsFirstByte) {
  const std::unique_ptr<WritableFile> file = Open();
  ASSERT_TRUE(file->Flush().ok());
  ASSERT_TRUE(file->Sync().ok());
  EXPECT_EQ("", testkit::ReadFile(fname_));
  ASSERT_TRUE(file->Append("first").ok());
  EXPECT_GE(size_t{64} << 10, testkit::ReadFile(fname_).size());
}

TEST_F(PosixLogFileTest, IsWhatTheEnvGivesToLogs) {
  const bool is_mapped = IsMapped();
  WritableFile* made;
  ASSERT_TRUE(Env::Default()->NewWritableFile(fname_, &made).ok());
  const std::unique_ptr<WritableFile> file(made);
  ASSERT_TRUE(file->Append("bytes").ok());
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(is_mapped, testkit::ReadFile(fname_).size() > 5);
}

}  // namespace
}  // namespace leveldb
