// An open file that is written: what files for writing on a POSIX system have in common.
//
// The first Sync also syncs the directory, since a file is as lost with its name as with its bytes.
//
// Errors stick: after a failed write or sync the contents of the file are unknown (a second sync
// may even succeed after the system has thrown the bytes away), so every later call but the
// destructor fails too.
#ifndef BUSHSTORE_UTIL_POSIX_OUTPUT_H_
#define BUSHSTORE_UTIL_POSIX_OUTPUT_H_

#include <cstddef>
#include <string>

#include "leveldb/status.h"

namespace leveldb {

// Used by one thread at a time.
class PosixOutput {
 public:
  // Owns the descriptor `fd` of the file `fname`. The user calls Close.
  PosixOutput(const std::string& fname, int fd) : fname_(fname), fd_(fd) {}

  PosixOutput(const PosixOutput&) = delete;
  PosixOutput& operator=(const PosixOutput&) = delete;

  const std::string& fname() const { return fname_; }
  int fd() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }

  // The first failure, or that the file is closed.
  const Status& error() const { return error_; }

  // Becomes the error, unless there is one.
  void Fail(const Status& error);

  // Writes it all at the descriptor's position. REQUIRES: error().ok().
  Status Write(const char* data, size_t n);

  // Makes what was written, and the file's name, durable. REQUIRES: error().ok().
  Status Sync();

  // Closes the descriptor; the error from before, if there is one. REQUIRES: is_open().
  Status Close();

 private:
  const std::string fname_;
  int fd_;  // -1 once closed.
  bool name_is_durable_ = false;
  Status error_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_OUTPUT_H_
