// Env: the interface to the operating system. The store accesses all files, locks, clocks and
// background threads through it, so a program can supply its own implementation in Options::env.
//
// Errors: IOError with the name of the file and the reason; NotFound if a file that is to be read
// or opened does not exist.
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

  // Returns the Env of the operating system. There is one per process; it belongs to the library
  // and is never deleted.
  static Env* Default();

  // Each of the next four functions creates a file object and stores it in *result; the caller
  // deletes it. On failure they store null.

  // Opens an existing file for sequential reads from its beginning.
  virtual Status NewSequentialFile(const std::string& fname, SequentialFile** result) = 0;

  // Opens an existing file for reads at any offset.
  virtual Status NewRandomAccessFile(const std::string& fname, RandomAccessFile** result) = 0;

  // Creates a file for writing; an existing file of that name is truncated.
  virtual Status NewWritableFile(const std::string& fname, WritableFile** result) = 0;

  // Opens a file for appending, and creates it if it does not exist. The default implementation
  // returns NotSupported, in which case Options::reuse_logs has no effect.
  virtual Status NewAppendableFile(const std::string& fname, WritableFile** result);

  virtual bool FileExists(const std::string& fname) = 0;

  // Stores in *result the names (relative to dir) of the entries of directory dir, in any order.
  // The previous contents of *result are dropped.
  virtual Status GetChildren(const std::string& dir, std::vector<std::string>* result) = 0;

  // Deletes a file. DeleteFile is the older name. By default, each of the two functions calls the
  // other: an implementation must override one of them, and a new implementation should override
  // RemoveFile.
  virtual Status RemoveFile(const std::string& fname);
  virtual Status DeleteFile(const std::string& fname);

  virtual Status CreateDir(const std::string& dirname) = 0;

  // Deletes an empty directory. DeleteDir is the older name; the two functions relate to each other
  // like RemoveFile and DeleteFile.
  virtual Status RemoveDir(const std::string& dirname);
  virtual Status DeleteDir(const std::string& dirname);

  // Stores the length of the file, in bytes, in *file_size.
  virtual Status GetFileSize(const std::string& fname, uint64_t* file_size) = 0;

  // Renames file src to target. An existing file of that name is replaced atomically.
  virtual Status RenameFile(const std::string& src, const std::string& target) = 0;

  // Acquires the lock that file fname represents (the file is created if it does not exist) and
  // stores it in *lock, for UnlockFile. At most one holder exists among all processes. Does not
  // wait: if the lock is held already, fails and stores null in *lock.
  virtual Status LockFile(const std::string& fname, FileLock** lock) = 0;

  // Releases a lock and deletes it.
  // REQUIRES: lock was returned by a successful LockFile of this Env and was not released before.
  virtual Status UnlockFile(FileLock* lock) = 0;

  // Arranges to run function(arg) once on a background thread. Calls are queued and started in
  // order; several threads may serve the queue, so calls may overlap.
  virtual void Schedule(void (*function)(void* arg), void* arg) = 0;

  // Starts a new thread that runs function(arg) and ends when it returns.
  virtual void StartThread(void (*function)(void* arg), void* arg) = 0;

  // Stores in *path the name of a directory for tests, the same for every call; it may exist
  // already.
  virtual Status GetTestDirectory(std::string* path) = 0;

  // Creates a logger that writes to file fname, which is truncated first, and stores it in *result.
  // The caller deletes it.
  virtual Status NewLogger(const std::string& fname, Logger** result) = 0;

  // Returns the number of microseconds since some fixed point in time.
  virtual uint64_t NowMicros() = 0;

  // Blocks the calling thread for at least the given number of microseconds.
  virtual void SleepForMicroseconds(int micros) = 0;
};

// Reads a file sequentially. Requires external synchronization.
class LEVELDB_EXPORT SequentialFile {
 public:
  SequentialFile() = default;

  SequentialFile(const SequentialFile&) = delete;
  SequentialFile& operator=(const SequentialFile&) = delete;

  virtual ~SequentialFile();

  // Reads up to n bytes. Sets *result to the bytes read, which are in scratch[0, n) or elsewhere:
  // they are valid until scratch is changed or the file object is deleted. May return fewer than n
  // bytes at the end of the file; returns none once the end is reached.
  virtual Status Read(size_t n, Slice* result, char* scratch) = 0;

  // Skips n bytes. Stops at the end of the file, which is not an error.
  virtual Status Skip(uint64_t n) = 0;
};

// Reads a file at any offset. Safe for use from several threads.
class LEVELDB_EXPORT RandomAccessFile {
 public:
  RandomAccessFile() = default;

  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  virtual ~RandomAccessFile();

  // Reads up to n bytes starting at offset. Sets *result to the bytes read, which are in scratch[0,
  // n) or, if the file is mapped, elsewhere: they are valid until scratch is changed or the file
  // object is deleted. Returns fewer than n bytes only at the end of the file.
  virtual Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const = 0;
};

// Writes a file sequentially, through a buffer. Requires external synchronization.
class LEVELDB_EXPORT WritableFile {
 public:
  WritableFile() = default;

  WritableFile(const WritableFile&) = delete;
  WritableFile& operator=(const WritableFile&) = delete;

  // Closes the file if it is not closed yet; errors are then ignored.
  virtual ~WritableFile();

  // Appends data to the file; the bytes may remain in the buffer.
  virtual Status Append(const Slice& data) = 0;

  // Flushes the buffer and closes the file. The file must not be used afterwards.
  virtual Status Close() = 0;

  // Writes the buffer to the operating system: the bytes now survive a crash of the process.
  virtual Status Flush() = 0;

  // Flushes the buffer and waits until the bytes, and the file's name in its directory, are on
  // stable storage: they now survive a power failure.
  virtual Status Sync() = 0;
};

// Receives log messages of the store. Safe for use from several threads.
class LEVELDB_EXPORT Logger {
 public:
  Logger() = default;

  Logger(const Logger&) = delete;
  Logger& operator=(const Logger&) = delete;

  virtual ~Logger();

  // Writes one entry, formatted as by vprintf.
  virtual void Logv(const char* format, std::va_list ap) = 0;
};

// A lock that is held; returned by Env::LockFile.
class LEVELDB_EXPORT FileLock {
 public:
  FileLock() = default;

  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

  virtual ~FileLock();
};

// Writes one entry to info_log, formatted as by printf. Does nothing if info_log is null.
LEVELDB_EXPORT void Log(Logger* info_log, const char* format, ...)
#if defined(__GNUC__)
    __attribute__((__format__(__printf__, 2, 3)))
#endif
    ;

// Replaces the contents of file fname by data, without syncing it. On failure the file is deleted.
LEVELDB_EXPORT Status WriteStringToFile(Env* env, const Slice& data, const std::string& fname);

// Reads file fname into *data and replaces its previous contents. On failure *data holds what could
// be read.
LEVELDB_EXPORT Status ReadFileToString(Env* env, const std::string& fname, std::string* data);

// Forwards all calls to another Env, so that a custom implementation need only override what it
// changes. DeleteFile and DeleteDir are forwarded as RemoveFile and RemoveDir.
class LEVELDB_EXPORT EnvWrapper : public Env {
 public:
  // Forwards calls to t, which belongs to the caller and must outlive the wrapper.
  explicit EnvWrapper(Env* t) : target_(t) {}
  virtual ~EnvWrapper();

  // Returns the Env that the calls are forwarded to.
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
