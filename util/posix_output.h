// PosixOutput is an open file that is written: the common part of files for writing on a POSIX
// system.
//
// The first Sync also syncs the directory, since a file without its name is lost as well. The file
// is synced first: a file system with a journal then commits the name with it, and has nothing left
// to write for the directory.
//
// Errors are sticky: after a failed write or sync the contents of the file are unknown (a second
// sync may even succeed after the system has thrown the bytes away), so every later call except the
// destructor fails too.
#ifndef BUSHSTORE_UTIL_POSIX_OUTPUT_H_
#define BUSHSTORE_UTIL_POSIX_OUTPUT_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

// PosixOutput is used by one thread at a time.
class PosixOutput {
 public:
  // Owns the descriptor `fd` of the file `fname`. The caller must call Close.
  PosixOutput(const std::string& fname, int fd) : fname_(fname), fd_(fd) {}

  PosixOutput(const PosixOutput&) = delete;
  PosixOutput& operator=(const PosixOutput&) = delete;

  const std::string& fname() const { return fname_; }
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  // Returns the first failure, or an error that says that the file is closed.
  const Status& error() const { return error_; }

  // Sets the error, unless there is one already.
  void Fail(const Status& error);

  // Writes all n bytes at the descriptor's position. REQUIRES: error().ok().
  Status Write(const char* data, size_t n);

  // Begins to write these bytes to the device and does not wait for them, so that a later Sync
  // waits less. Errors are reported by Sync.
  void BeginToSync(uint64_t offset, uint64_t n) const;

  // Makes the written bytes, and the file's name, durable. REQUIRES: error().ok().
  Status Sync();

  // Closes the descriptor; returns the earlier error, if there is one. REQUIRES: is_open().
  Status Close();

 private:
  const std::string fname_;
  int fd_;  // -1 once closed.
  bool name_is_durable_ = false;
  Status error_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_OUTPUT_H_
