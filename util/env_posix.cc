// The Env of a POSIX system: Env::Default().
//
// It does more than the interface promises: it makes names of files, directories and renames
// durable, not only bytes (see posix_writable_file.h), since the interface has no call for that.

#include <dirent.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "util/background_threads.h"
#include "util/file_logger.h"
#include "util/posix_file_lock.h"
#include "util/posix_io.h"
#include "util/posix_log_file.h"
#include "util/posix_readable_file.h"
#include "util/posix_writable_file.h"

namespace leveldb {

namespace {

// At least two threads, so that a long compaction does not delay a flush; more do not help a disk.
int MostBackgroundThreads() {
  return static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 2u, 4u));
}

// ThreadsOfProcess holds the background threads of this process. Threads do not survive a fork, so
// a child gets others; work that its parent had scheduled stays with the parent.
class ThreadsOfProcess {
 public:
  BackgroundThreads* Get() {
    Crew* crew = crew_.load(std::memory_order_acquire);
    if (crew != nullptr && crew->process == getpid()) return &crew->threads;
    Crew* const fresh = new Crew;
    if (crew_.compare_exchange_strong(crew, fresh)) return &fresh->threads;
    delete fresh;
    return &crew->threads;  // another thread of this process was faster
  }

 private:
  struct Crew {
    const pid_t process = getpid();
    BackgroundThreads threads{MostBackgroundThreads()};
  };

  std::atomic<Crew*> crew_{nullptr};
};

class PosixEnv final : public Env {
 public:
  Status NewSequentialFile(const std::string& fname, SequentialFile** result) override {
    return OpenSequentialFile(fname, result);
  }

  Status NewRandomAccessFile(const std::string& fname, RandomAccessFile** result) override {
    return OpenRandomAccessFile(fname, &read_limits_, result);
  }

  Status NewWritableFile(const std::string& fname, WritableFile** result) override {
    return Open(fname, WriteMode::kTruncate, result);
  }

  Status NewAppendableFile(const std::string& fname, WritableFile** result) override {
    return Open(fname, WriteMode::kAppend, result);
  }

  bool FileExists(const std::string& fname) override { return access(fname.c_str(), F_OK) == 0; }

  Status GetChildren(const std::string& dir, std::vector<std::string>* result) override;

  Status RemoveFile(const std::string& fname) override {
    return unlink(fname.c_str()) == 0 ? Status::OK() : PosixError(fname, errno);
  }

  Status CreateDir(const std::string& dirname) override;

  Status RemoveDir(const std::string& dirname) override {
    return rmdir(dirname.c_str()) == 0 ? Status::OK() : PosixError(dirname, errno);
  }

  Status GetFileSize(const std::string& fname, uint64_t* file_size) override {
    struct stat info;
    *file_size = 0;
    if (stat(fname.c_str(), &info) != 0) return PosixError(fname, errno);
    *file_size = static_cast<uint64_t>(info.st_size);
    return Status::OK();
  }

  Status RenameFile(const std::string& src, const std::string& target) override {
    if (rename(src.c_str(), target.c_str()) != 0) return PosixError(src, errno);
    return SyncDirectory(DirectoryOf(target));
  }

  Status LockFile(const std::string& fname, FileLock** lock) override {
    return locks_.Lock(fname, lock);
  }

  Status UnlockFile(FileLock* lock) override { return locks_.Unlock(lock); }

  void Schedule(void (*function)(void* arg), void* arg) override {
    threads_.Get()->Schedule(function, arg);
  }

  void StartThread(void (*function)(void* arg), void* arg) override;

  Status GetTestDirectory(std::string* path) override;

  Status NewLogger(const std::string& fname, Logger** result) override {
    *result = nullptr;
    WritableFile* file;
    const Status s = NewWritableFile(fname, &file);
    if (s.ok()) *result = new FileLogger(std::unique_ptr<WritableFile>(file));
    return s;
  }

  uint64_t NowMicros() override {
    timeval now;
    gettimeofday(&now, nullptr);
    return static_cast<uint64_t>(now.tv_sec) * 1000000 + static_cast<uint64_t>(now.tv_usec);
  }

  void SleepForMicroseconds(int micros) override {
    std::this_thread::sleep_for(std::chrono::microseconds(micros));
  }

 private:
  static Status Open(const std::string& fname, WriteMode mode, WritableFile** result) {
    return IsLogFileName(fname) ? OpenLogFile(fname, mode, result)
                                : OpenWritableFile(fname, mode, result);
  }

  ReadLimits read_limits_;
  FileLockTable locks_;
  ThreadsOfProcess threads_;
};

Status PosixEnv::GetChildren(const std::string& dir, std::vector<std::string>* result) {
  result->clear();
  const auto close_dir = [](DIR* d) { closedir(d); };
  const std::unique_ptr<DIR, decltype(close_dir)> entries(opendir(dir.c_str()), close_dir);
  if (entries == nullptr) return PosixError(dir, errno);
  errno = 0;
  while (const dirent* entry = readdir(entries.get())) {
    const Slice name(entry->d_name);
    if (name != "." && name != "..") result->push_back(name.ToString());
    errno = 0;
  }
  return errno == 0 ? Status::OK() : PosixError(dir, errno);
}

Status PosixEnv::CreateDir(const std::string& dirname) {
  if (mkdir(dirname.c_str(), 0755) != 0) return PosixError(dirname, errno);
  std::string name = dirname;
  while (name.size() > 1 && name.back() == '/') name.pop_back();
  // A parent that we may write but not read cannot be synced; the directory exists nevertheless.
  (void)SyncDirectory(DirectoryOf(name));
  return Status::OK();
}

void PosixEnv::StartThread(void (*function)(void* arg), void* arg) {
  if (StartDetachedThread(function, arg)) return;
  fprintf(stderr, "leveldb: cannot start a thread\n");
  abort();
}

Status PosixEnv::GetTestDirectory(std::string* path) {
  const char* const wanted = getenv("TEST_TMPDIR");
  *path = wanted != nullptr && *wanted != '\0' ? wanted
                                               : "/tmp/leveldbtest-" + std::to_string(geteuid());
  (void)CreateDir(*path);  // It may exist.
  return Status::OK();
}

}  // namespace

// Never destroyed: background threads use it until the process ends.
Env* Env::Default() {
  static Env* const env = new PosixEnv;
  return env;
}

}  // namespace leveldb
