// Env: the world outside. All files, locks, clocks and background threads of the store go through
// it, so a program can put its own in between by passing one in Options::env.
//
// Errors: IOError with the name of the file and the reason; NotFound where a file that should be
// read or opened does not exist.
//
// Thread-safety: an Env is called from several threads at once, without locks around the calls.

#ifndef LEVELDB_INCLUDE_ENV_H_
#define LEVELDB_INCLUDE_ENV_H_

#include <cstdarg>
#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/export.h"
#include "leveldb/status.h"

namespace leveldb {

class FileLock;
class Logger;
class RandomAccessFile;
class SequentialFile;
class Slice;
class WritableFile;

class LEVELDB_EXPORT Env {
 public:
  Env();

  Env(const Env&) = delete;
  Env& operator=(const Env&) = delete;

  virtual ~Env();

  // The operating system's. One per process, owned by the library, never deleted.
  static Env* Default();

  // Each of the next four makes a file object, stores it in *result for the caller to delete, and
  // on failure stores null.

  // Opens an existing file for reading from its beginning.
  virtual Status NewSequentialFile(const std::string& fname, SequentialFile** result) = 0;

  // Opens an existing file for reading at any place.
  virtual Status NewRandomAccessFile(const std::string& fname, RandomAccessFile** result) = 0;

  // Opens an empty file for writing; one of that name is emptied.
  virtual Status NewWritableFile(const std::string& fname, WritableFile** result) = 0;

  // Opens a file, new or existing, for writing behind its end. The default says NotSupported:
  // Options::reuse_logs then has no effect.
  virtual Status NewAppendableFile(const std::string& fname, WritableFile** result);

  virtual bool FileExists(const std::string& fname) = 0;

  // Stores the names (without dir) of the entries of directory dir in *result, in any order. What
  // it held is dropped.
  virtual Status GetChildren(const std::string& dir, std::vector<std::string>* result) = 0;

  // Deletes a file. Each of this and DeleteFile, its older name, calls the other one by default:
  // an implementation overrides one of them, this one if it is new.
  virtual Status RemoveFile(const std::string& fname);
  virtual Status DeleteFile(const std::string& fname);

  virtual Status CreateDir(const std::string& dirname) = 0;

  // Deletes an empty directory. DeleteDir is its older name; the two are as RemoveFile and
  // DeleteFile.
  virtual Status RemoveDir(const std::string& dirname);
  virtual Status DeleteDir(const std::string& dirname);

  // Stores the length of the file, in bytes.
  virtual Status GetFileSize(const std::string& fname, uint64_t* file_size) = 0;

  // Gives file src the name target. A file of that name is replaced in one step.
  virtual Status RenameFile(const std::string& src, const std::string& target) = 0;

  // Takes the lock that file fname stands for (the file is made when missing) and stores it in
  // *lock, for UnlockFile. At most one holder exists, in this process and others. Does not wait:
  // fails, with *lock null, when the lock is taken.
  virtual Status LockFile(const std::string& fname, FileLock** lock) = 0;

  // Gives up a lock and deletes it.
  // REQUIRES: it came from a successful LockFile of this Env and was not given up before.
  virtual Status UnlockFile(FileLock* lock) = 0;

  // Runs function(arg) once, soon, on a background thread. Calls wait in a queue and begin in its
  // order; several threads may take from it, so they may overlap.
  virtual void Schedule(void (*function)(void* arg), void* arg) = 0;

  // Runs function(arg) on a thread of its own, which ends when it returns.
  virtual void StartThread(void (*function)(void* arg), void* arg) = 0;

  // Stores the name of a directory for tests, the same for every call; it may exist already.
  virtual Status GetTestDirectory(std::string* path) = 0;

  // Makes a logger that writes to the (emptied) file fname; the caller deletes it.
  virtual Status NewLogger(const std::string& fname, Logger** result) = 0;

  // Microseconds since some fixed moment.
  virtual uint64_t NowMicros() = 0;

  // Lets the calling thread sleep for at least so long.
  virtual void SleepForMicroseconds(int micros) = 0;
};

// Reads a file from its beginning. Needs exclusive access.
class LEVELDB_EXPORT SequentialFile {
 public:
  SequentialFile() = default;

  SequentialFile(const SequentialFile&) = delete;
  SequentialFile& operator=(const SequentialFile&) = delete;

  virtual ~SequentialFile();

  // Reads up to n bytes. *result names them, in scratch[0, n) or elsewhere: it is good until
  // scratch is changed or the file is deleted. Fewer than n: the end of the file is near; none: it
  // is reached.
  virtual Status Read(size_t n, Slice* result, char* scratch) = 0;

  // Passes over n bytes; stops at the end of the file, which is not an error.
  virtual Status Skip(uint64_t n) = 0;
};

// Reads a file at any place. Safe for use from several threads.
class LEVELDB_EXPORT RandomAccessFile {
 public:
  RandomAccessFile() = default;

  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  virtual ~RandomAccessFile();

  // Reads up to n bytes from offset on. *result names them, in scratch[0, n) or, when the file is
  // mapped, elsewhere: it is good until scratch is changed or the file is deleted. Fewer than n:
  // the file ends there.
  virtual Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const = 0;
};

// Writes a file from front to back, through a buffer. Needs exclusive access.
class LEVELDB_EXPORT WritableFile {
 public:
  WritableFile() = default;

  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  // Closes the file if that was not done; errors go unseen then.
  virtual ~WritableFile();

  // Adds bytes at the end; they may stay in the buffer.
  virtual Status Append(const Slice& data) = 0;

  // Flushes and closes. The file cannot be used after that.
  virtual Status Close() = 0;

  // Hands the buffer to the operating system: the bytes now survive the end of the process.
  virtual Status Flush() = 0;

  // Flushes and waits until the bytes, and the file's name in its directory, are on stable storage:
  // they now survive the end of the machine's power.
  virtual Status Sync() = 0;
};

// Receives lines of text about what the store does. Safe for use from several threads.
class LEVELDB_EXPORT Logger {
 public:
  Logger() = default;

  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  virtual ~Logger();

  // Writes one entry, formatted as by vprintf.
  virtual void Logv(const char* format, std::va_list ap) = 0;
};

// A lock that is held; made by Env::LockFile.
class LEVELDB_EXPORT FileLock {
 public:
  FileLock() = default;

  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  virtual ~FileLock();
};

// Writes one entry to info_log, formatted as by printf. Nothing happens when info_log is null.
LEVELDB_EXPORT void Log(Logger* info_log, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 2, 3)))
#endif
    ;

// Makes file fname hold exactly data. Not synced. On failure the file is deleted.
LEVELDB_EXPORT Status WriteStringToFile(Env* env, const Slice& data, const std::string& fname);

// Stores the bytes of file fname in *data, in place of what it held. On failure *data holds what
// could be read.
LEVELDB_EXPORT Status ReadFileToString(Env* env, const std::string& fname, std::string* data);

// Hands every call on to another Env, so that one's own implementation need only override what it
// changes. DeleteFile and DeleteDir arrive as RemoveFile and RemoveDir.
class LEVELDB_EXPORT EnvWrapper : public Env {
 public:
  // Calls go to t, which stays the caller's and must outlive the wrapper.
  explicit EnvWrapper(Env* t) : target_(t) {}
  virtual ~EnvWrapper();

  // Where the calls go.
  Env* target() const { return target_; }

  Status NewSequentialFile(const std::string& fname, SequentialFile** result) override;
  Status NewRandomAccessFile(const std::string& fname, RandomAccessFile** result) override;
  Status NewWritableFile(const std::string& fname, WritableFile** result) override;
  Status NewAppendableFile(const std::string& fname, WritableFile** result) override;
  bool FileExists(const std::string& fname) override;
  Status GetChildren(const std::string& dir, std::vector<std::string>* result) override;
  Status RemoveFile(const std::string& fname) override;
  Status CreateDir(const std::string& dirname) override;
  Status RemoveDir(const std::string& dirname) override;
  Status GetFileSize(const std::string& fname, uint64_t* file_size) override;
  Status RenameFile(const std::string& src, const std::string& target) override;
  Status LockFile(const std::string& fname, FileLock** lock) override;
  Status UnlockFile(FileLock* lock) override;
  void Schedule(void (*function)(void* arg), void* arg) override;
  void StartThread(void (*function)(void* arg), void* arg) override;
  Status GetTestDirectory(std::string* path) override;
  Status NewLogger(const std::string& fname, Logger** result) override;
  uint64_t NowMicros() override;
  void SleepForMicroseconds(int micros) override;

 private:
  Env* target_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_ENV_H_
