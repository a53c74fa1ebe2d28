// Tests the contract of every Env, on the POSIX one and on the one in memory; then the defaults and
// helpers of env.cc.

#include "leveldb/env.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/helpers/memenv.h"
#include "leveldb/slice.h"
#include "port/mutex.h"
#include "util/random.h"

namespace leveldb {
namespace {

class EnvTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (GetParam() == std::string("Memory")) {
      mem_env_.reset(NewMemEnv(Env::Default()));
      env_ = mem_env_.get();
    }
    std::string base;
    ASSERT_TRUE(env_->GetTestDirectory(&base).ok());
    dir_ = base + "/env_test-" + std::to_string(getpid());
    RemoveAll();
    ASSERT_TRUE(env_->CreateDir(dir_).ok());
  }

  void TearDown() override { RemoveAll(); }

  void RemoveAll() {
    std::vector<std::string> names;
    if (!env_->GetChildren(dir_, &names).ok()) return;
    for (const std::string& name : names) {
      if (!env_->RemoveFile(Path(name)).ok()) env_->RemoveDir(Path(name));
    }
    env_->RemoveDir(dir_);
  }

  std::string Path(const std::string& name) const { return dir_ + "/" + name; }

  void Write(const std::string& name, const std::string& data) {
    ASSERT_TRUE(WriteStringToFile(env_, data, Path(name)).ok());
  }

  std::string ReadAll(const std::string& name) {
    std::string data;
    const Status s = ReadFileToString(env_, Path(name), &data);
    return s.ok() ? data : s.ToString();
  }

  std::unique_ptr<WritableFile> OpenToWrite(const std::string& name) {
    WritableFile* file = nullptr;
    EXPECT_TRUE(env_->NewWritableFile(Path(name), &file).ok());
    return std::unique_ptr<WritableFile>(file);
  }

  std::unique_ptr<WritableFile> OpenToAppend(const std::string& name) {
    WritableFile* file = nullptr;
    EXPECT_TRUE(env_->NewAppendableFile(Path(name), &file).ok());
    return std::unique_ptr<WritableFile>(file);
  }

  std::vector<std::string> Children(const std::string& dir) {
    std::vector<std::string> names = {"dropped"};
    EXPECT_TRUE(env_->GetChildren(dir, &names).ok());
    std::sort(names.begin(), names.end());
    return names;
  }

  std::unique_ptr<Env> mem_env_;
  Env* env_ = Env::Default();
  std::string dir_;
};

INSTANTIATE_TEST_SUITE_P(Envs, EnvTest, testing::Values("Posix", "Memory"),
                         [](const testing::TestParamInfo<const char*>& tested) {
                           return std::string(tested.param);
                         });

TEST_P(EnvTest, MissingFilesAreNotFound) {
  SequentialFile* sequential = reinterpret_cast<SequentialFile*>(1);
  EXPECT_TRUE(env_->NewSequentialFile(Path("none"), &sequential).IsNotFound());
  EXPECT_EQ(sequential, nullptr);
  RandomAccessFile* random_access = reinterpret_cast<RandomAccessFile*>(1);
  EXPECT_TRUE(env_->NewRandomAccessFile(Path("none"), &random_access).IsNotFound());
  EXPECT_EQ(random_access, nullptr);
  uint64_t size = 1;
  EXPECT_TRUE(env_->GetFileSize(Path("none"), &size).IsNotFound());
  EXPECT_EQ(size, 0u);
  EXPECT_TRUE(env_->RemoveFile(Path("none")).IsNotFound());
  EXPECT_TRUE(env_->RenameFile(Path("none"), Path("other")).IsNotFound());
  EXPECT_TRUE(env_->RemoveDir(Path("none")).IsNotFound());
  EXPECT_FALSE(env_->FileExists(Path("none")));
}

TEST_P(EnvTest, FilesComeAndGo) {
  Write("a", "12345");
  Write("b", "");
  EXPECT_TRUE(env_->FileExists(Path("a")));
  uint64_t size;
  ASSERT_TRUE(env_->GetFileSize(Path("a"), &size).ok());
  EXPECT_EQ(size, 5u);
  EXPECT_EQ(Children(dir_), (std::vector<std::string>{"a", "b"}));
  ASSERT_TRUE(env_->RemoveFile(Path("a")).ok());
  EXPECT_FALSE(env_->FileExists(Path("a")));
  EXPECT_EQ(Children(dir_), (std::vector<std::string>{"b"}));
}

TEST_P(EnvTest, OpeningToWriteEmpties) {
  Write("f", "long before");
  Write("f", "now");
  EXPECT_EQ(ReadAll("f"), "now");
}

TEST_P(EnvTest, AppendableFilesGrow) {
  {
    const std::unique_ptr<WritableFile> file = OpenToAppend("f");
    ASSERT_TRUE(file->Append("one ").ok());
    ASSERT_TRUE(file->Close().ok());
  }
  const std::unique_ptr<WritableFile> file = OpenToAppend("f");
  ASSERT_TRUE(file->Append("two").ok());
  ASSERT_TRUE(file->Sync().ok());
  EXPECT_EQ(ReadAll("f"), "one two");
}

TEST_P(EnvTest, FlushedBytesCanBeRead) {
  const std::unique_ptr<WritableFile> file = OpenToWrite("f");
  ASSERT_TRUE(file->Append("x").ok());
  ASSERT_TRUE(file->Append("").ok());
  ASSERT_TRUE(file->Append("y").ok());
  ASSERT_TRUE(file->Flush().ok());
  EXPECT_EQ(ReadAll("f"), "xy");
  ASSERT_TRUE(file->Flush().ok());
  ASSERT_TRUE(file->Append("z").ok());
  ASSERT_TRUE(file->Sync().ok());
  EXPECT_EQ(ReadAll("f"), "xyz");
  ASSERT_TRUE(file->Close().ok());
}

// Appends sizes around that of any buffer, in any order.
TEST_P(EnvTest, AppendsOfAllSizesKeepTheirOrder) {
  const uint64_t seed = 301;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  constexpr size_t kBuffer = 64 * 1024;
  std::string expected;
  const std::unique_ptr<WritableFile> file = OpenToWrite("f");
  for (int i = 0; i < 300; i++) {
    static const size_t kSizes[] = {1, 100, kBuffer - 1, kBuffer, kBuffer + 1, 2 * kBuffer + 3};
    const size_t n = random.OneIn(2) ? random.Skewed(17) : kSizes[random.Uniform(6)];
    const std::string piece(n, static_cast<char>('a' + i % 26));
    ASSERT_TRUE(file->Append(piece).ok());
    expected += piece;
    if (random.OneIn(10)) {
      ASSERT_TRUE(file->Flush().ok());
    }
  }
  ASSERT_TRUE(file->Close().ok());
  EXPECT_TRUE(ReadAll("f") == expected);
}

TEST_P(EnvTest, DestructionFlushes) {
  OpenToWrite("f")->Append("kept");
  EXPECT_EQ(ReadAll("f"), "kept");
}

TEST_P(EnvTest, SequentialReadsAndSkips) {
  Write("f", "0123456789");
  SequentialFile* opened;
  ASSERT_TRUE(env_->NewSequentialFile(Path("f"), &opened).ok());
  const std::unique_ptr<SequentialFile> file(opened);
  char scratch[20];
  Slice result;
  ASSERT_TRUE(file->Read(3, &result, scratch).ok());
  EXPECT_EQ(result, "012");
  ASSERT_TRUE(file->Skip(4).ok());
  ASSERT_TRUE(file->Read(sizeof(scratch), &result, scratch).ok());
  EXPECT_EQ(result, "789");
  ASSERT_TRUE(file->Read(sizeof(scratch), &result, scratch).ok());
  EXPECT_TRUE(result.empty());
  ASSERT_TRUE(file->Skip(1000).ok());
  ASSERT_TRUE(file->Read(1, &result, scratch).ok());
  EXPECT_TRUE(result.empty());
}

TEST_P(EnvTest, RandomAccessReadsStopAtTheEnd) {
  for (const std::string& data : {std::string("0123456789"), std::string()}) {
    Write("f", data);
    RandomAccessFile* opened;
    ASSERT_TRUE(env_->NewRandomAccessFile(Path("f"), &opened).ok());
    const std::unique_ptr<RandomAccessFile> file(opened);
    for (const size_t offset : {0, 3, 9, 10, 11, 5000}) {
      for (const size_t n : {0, 1, 4, 10, 5000}) {
        std::vector<char> scratch(n);
        Slice result;
        ASSERT_TRUE(file->Read(offset, n, &result, scratch.data()).ok());
        EXPECT_EQ(result.ToString(), offset < data.size() ? data.substr(offset, n) : "");
      }
    }
    char scratch[4];
    Slice result;
    ASSERT_TRUE(file->Read(uint64_t{1} << 62, 4, &result, scratch).ok());
    EXPECT_TRUE(result.empty());
  }
}

TEST_P(EnvTest, OpenFilesOutliveTheirNames) {
  Write("f", "contents");
  RandomAccessFile* opened;
  ASSERT_TRUE(env_->NewRandomAccessFile(Path("f"), &opened).ok());
  const std::unique_ptr<RandomAccessFile> file(opened);
  ASSERT_TRUE(env_->RemoveFile(Path("f")).ok());
  Write("f", "others");
  char scratch[20];
  Slice result;
  ASSERT_TRUE(file->Read(0, sizeof(scratch), &result, scratch).ok());
  EXPECT_EQ(result, "contents");
}

TEST_P(EnvTest, RenameReplaces) {
  Write("from", "new");
  Write("to", "old");
  ASSERT_TRUE(env_->RenameFile(Path("from"), Path("to")).ok());
  EXPECT_EQ(ReadAll("to"), "new");
  EXPECT_FALSE(env_->FileExists(Path("from")));
  ASSERT_TRUE(env_->RenameFile(Path("to"), Path("to")).ok());
  EXPECT_EQ(ReadAll("to"), "new");
}

TEST_P(EnvTest, DirectoriesComeAndGo) {
  ASSERT_TRUE(env_->CreateDir(Path("sub")).ok());
  EXPECT_FALSE(env_->CreateDir(Path("sub")).ok());
  EXPECT_TRUE(env_->FileExists(Path("sub")));
  Write("sub/f", "x");
  EXPECT_EQ(Children(dir_), (std::vector<std::string>{"sub"}));
  EXPECT_EQ(Children(Path("sub")), (std::vector<std::string>{"f"}));
  EXPECT_EQ(Children(Path("sub/")), (std::vector<std::string>{"f"}));
  EXPECT_TRUE(env_->RemoveDir(Path("sub")).IsIOError());
  ASSERT_TRUE(env_->RemoveFile(Path("sub/f")).ok());
  ASSERT_TRUE(env_->RemoveDir(Path("sub")).ok());
  EXPECT_FALSE(env_->FileExists(Path("sub")));
}

TEST_P(EnvTest, OlderNamesOfRemovalWork) {
  Write("f", "x");
  ASSERT_TRUE(env_->DeleteFile(Path("f")).ok());
  EXPECT_FALSE(env_->FileExists(Path("f")));
  ASSERT_TRUE(env_->CreateDir(Path("sub")).ok());
  ASSERT_TRUE(env_->DeleteDir(Path("sub")).ok());
  EXPECT_FALSE(env_->FileExists(Path("sub")));
}

TEST_P(EnvTest, OneHolderOfALock) {
  FileLock* first;
  ASSERT_TRUE(env_->LockFile(Path("LOCK"), &first).ok());
  EXPECT_TRUE(env_->FileExists(Path("LOCK")));
  FileLock* second = first;
  const Status s = env_->LockFile(Path("LOCK"), &second);
  EXPECT_EQ(s.ToString(), "IO error: lock " + Path("LOCK") + ": already held by process");
  EXPECT_EQ(second, nullptr);
  FileLock* other;
  ASSERT_TRUE(env_->LockFile(Path("LOCK2"), &other).ok());
  ASSERT_TRUE(env_->UnlockFile(first).ok());
  ASSERT_TRUE(env_->LockFile(Path("LOCK"), &second).ok());
  ASSERT_TRUE(env_->UnlockFile(second).ok());
  ASSERT_TRUE(env_->UnlockFile(other).ok());
}

TEST_P(EnvTest, LoggerWritesLines) {
  Logger* opened;
  ASSERT_TRUE(env_->NewLogger(Path("LOG"), &opened).ok());
  const std::unique_ptr<Logger> logger(opened);
  Log(logger.get(), "number %d", 42);
  Log(logger.get(), "with newline\n");
  const std::string long_text(5000, 'x');
  Log(logger.get(), "%s!", long_text.c_str());
  Log(nullptr, "nobody %s", "listens");
  const std::string text = ReadAll("LOG");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_NE(text.find(" number 42\n"), std::string::npos);
  EXPECT_NE(text.find(" with newline\n"), std::string::npos);
  EXPECT_NE(text.find(" " + long_text + "!\n"), std::string::npos);
  EXPECT_EQ(text.substr(4, 1), "/");  // 2026/...
}

TEST_P(EnvTest, ClockMovesForward) {
  const uint64_t before = env_->NowMicros();
  env_->SleepForMicroseconds(1000);
  EXPECT_GE(env_->NowMicros(), before + 1000);
}

TEST_P(EnvTest, TestDirectoryIsAlwaysTheSame) {
  std::string first;
  std::string second;
  ASSERT_TRUE(env_->GetTestDirectory(&first).ok());
  ASSERT_TRUE(env_->GetTestDirectory(&second).ok());
  EXPECT_EQ(first, second);
}

// Countdown counts down to 0 and lets a thread wait for that.
class Countdown {
 public:
  explicit Countdown(int count) : changed_(&mutex_), left_(count) {}

  static void Step(void* self) { static_cast<Countdown*>(self)->Step(); }

  void Step() {
    MutexLock lock(&mutex_);
    left_--;
    changed_.SignalAll();
  }

  void Wait() {
    MutexLock lock(&mutex_);
    while (left_ > 0) changed_.Wait();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  int left_ GUARDED_BY(mutex_);
};

TEST_P(EnvTest, ScheduledWorkRuns) {
  Countdown left(100);
  for (int i = 0; i < 100; i++) env_->Schedule(&Countdown::Step, &left);
  left.Wait();
}

// Tests work that waits for work scheduled later, which only a second thread can do.
TEST_P(EnvTest, ScheduledWorkOverlaps) {
  struct Pair {
    Countdown second{1};
    Countdown both{2};
  } pair;
  env_->Schedule(
      [](void* arg) {
        Pair* const p = static_cast<Pair*>(arg);
        p->second.Wait();
        p->both.Step();
      },
      &pair);
  env_->Schedule(
      [](void* arg) {
        Pair* const p = static_cast<Pair*>(arg);
        p->second.Step();
        p->both.Step();
      },
      &pair);
  pair.both.Wait();
}

TEST_P(EnvTest, ScheduledWorkMaySchedule) {
  struct Chain {
    Env* env;
    Countdown left{10};
    std::atomic<int> links{10};

    static void Run(void* arg) {
      Chain* const chain = static_cast<Chain*>(arg);
      if (chain->links.fetch_sub(1) > 1) chain->env->Schedule(&Run, chain);
      chain->left.Step();
    }
  } chain{env_};
  env_->Schedule(&Chain::Run, &chain);
  chain.left.Wait();
}

TEST_P(EnvTest, StartedThreadsRunTogether) {
  struct Meeting {
    Countdown arrived{5};
    Countdown done{5};
  } meeting;
  for (int i = 0; i < 5; i++) {
    env_->StartThread(
        [](void* arg) {
          Meeting* const m = static_cast<Meeting*>(arg);
          m->arrived.Step();
          m->arrived.Wait();
          m->done.Step();
        },
        &meeting);
  }
  meeting.done.Wait();
}

TEST_P(EnvTest, ManyThreadsAtOnce) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([this, t] {
      for (int i = 0; i < 50; i++) {
        const std::string name = "f" + std::to_string(t);
        Write(name, std::string(static_cast<size_t>(i) * 100, 'x'));
        Write("shared", "same");
        EXPECT_EQ(ReadAll(name).size(), static_cast<size_t>(i) * 100);
        std::vector<std::string> names;
        EXPECT_TRUE(env_->GetChildren(dir_, &names).ok());
        EXPECT_TRUE(env_->RenameFile(Path(name), Path(name + "-renamed")).ok());
        FileLock* lock;
        if (env_->LockFile(Path("LOCK"), &lock).ok()) {
          EXPECT_TRUE(env_->UnlockFile(lock).ok());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// A reader follows a file while it is being written.
TEST_P(EnvTest, ReadersFollowAWriter) {
  const std::unique_ptr<WritableFile> file = OpenToWrite("f");
  ASSERT_TRUE(file->Append("0").ok());
  ASSERT_TRUE(file->Flush().ok());
  std::thread reader([this] {
    size_t seen = 0;
    while (seen < 20000) {
      const std::string data = ReadAll("f");
      EXPECT_GE(data.size(), seen);
      seen = data.size();
      for (size_t i = 0; i < seen; i++) ASSERT_EQ(data[i], static_cast<char>('0' + i % 10));
    }
  });
  for (int i = 1; i < 20000; i++) {
    const char c = static_cast<char>('0' + i % 10);
    ASSERT_TRUE(file->Append(Slice(&c, 1)).ok());
    if (i % 100 == 0) {
      ASSERT_TRUE(file->Flush().ok());
    }
  }
  ASSERT_TRUE(file->Close().ok());
  reader.join();
}

TEST_P(EnvTest, HelpersReportFailures) {
  std::string data = "before";
  EXPECT_TRUE(ReadFileToString(env_, Path("none"), &data).IsNotFound());
  EXPECT_TRUE(data.empty());
  Write("f", std::string(200000, 'x'));
  EXPECT_EQ(ReadAll("f").size(), 200000u);
}

// Stands for implementations from before and after the renaming: each overrides one name, and both
// names work.
class OldNamesEnv : public EnvWrapper {
 public:
  OldNamesEnv() : EnvWrapper(Env::Default()) {}
  Status RemoveFile(const std::string& fname) override { return Env::RemoveFile(fname); }
  Status RemoveDir(const std::string& dirname) override { return Env::RemoveDir(dirname); }
  Status DeleteFile(const std::string& fname) override { return Status::IOError("file", fname); }
  Status DeleteDir(const std::string& dirname) override { return Status::IOError("dir", dirname); }
};

class NewNamesEnv : public EnvWrapper {
 public:
  NewNamesEnv() : EnvWrapper(Env::Default()) {}
  Status RemoveFile(const std::string& fname) override { return Status::IOError("file", fname); }
  Status RemoveDir(const std::string& dirname) override { return Status::IOError("dir", dirname); }
};

TEST(EnvDefaultsTest, EachNameOfRemovalLeadsToTheOther) {
  OldNamesEnv old_names;
  NewNamesEnv new_names;
  for (Env* const env : {static_cast<Env*>(&old_names), static_cast<Env*>(&new_names)}) {
    EXPECT_EQ(env->RemoveFile("f").ToString(), "IO error: file: f");
    EXPECT_EQ(env->DeleteFile("f").ToString(), "IO error: file: f");
    EXPECT_EQ(env->RemoveDir("d").ToString(), "IO error: dir: d");
    EXPECT_EQ(env->DeleteDir("d").ToString(), "IO error: dir: d");
  }
}

TEST(EnvDefaultsTest, AppendingIsNotSupported) {
  class PlainEnv : public EnvWrapper {
   public:
    PlainEnv() : EnvWrapper(Env::Default()) {}
    Status NewAppendableFile(const std::string& fname, WritableFile** result) override {
      return Env::NewAppendableFile(fname, result);
    }
  } env;
  WritableFile* file = reinterpret_cast<WritableFile*>(1);
  const Status s = env.NewAppendableFile("/f", &file);
  EXPECT_TRUE(s.IsNotSupportedError());
  EXPECT_EQ(file, nullptr);
}

// A file whose writes fail, under an Env that records removals.
class FailingEnv : public EnvWrapper {
 public:
  FailingEnv() : EnvWrapper(Env::Default()) {}

  Status NewWritableFile(const std::string&, WritableFile** result) override {
    class FailingFile : public WritableFile {
     public:
      Status Append(const Slice&) override { return Status::IOError("full"); }
      Status Close() override { return Status::OK(); }
      Status Flush() override { return Status::OK(); }
      Status Sync() override { return Status::OK(); }
    };
    *result = new FailingFile;
    return Status::OK();
  }

  Status RemoveFile(const std::string& fname) override {
    removed = fname;
    return Status::OK();
  }

  std::string removed;
};

TEST(EnvHelpersTest, AFileThatCannotBeWrittenIsRemoved) {
  FailingEnv env;
  EXPECT_TRUE(WriteStringToFile(&env, "data", "/f").IsIOError());
  EXPECT_EQ(env.removed, "/f");
}

}  // namespace
}  // namespace leveldb
