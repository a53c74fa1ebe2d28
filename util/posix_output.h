// An open file that is written: what files for writing on a POSIX system have in common.
//
// The first Sync also syncs the directory, since a file is as lost with its name as with its bytes.
// The file comes first: a file system with a journal then commits the name with it, and has nothing
// left to write for the directory.
//
// Errors stick: after a failed write or sync the contents of the file are unknown (a second sync
// may even succeed after the system has thrown the bytes away), so every later call but the
// destructor fails too.
#ifndef BUSHSTORE_UTIL_POSIX_OUTPUT_H_
#define BUSHSTORE_UTIL_POSIX_OUTPUT_H_

#include <cstddef>
#include <cstdint>
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

  // Begins to write these bytes to the device and does not wait for it, so that a Sync later has
  // less to wait for. An error is the Sync's.
  void BeginToSync(uint64_t offset, uint64_t n) const;

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
