// Helpers for calls of a POSIX system: errors, descriptors, directories.
#ifndef BUSHSTORE_UTIL_POSIX_IO_H_
#define BUSHSTORE_UTIL_POSIX_IO_H_

#include <sys/types.h>

#include <string>

#include "leveldb/status.h"

namespace leveldb {

// Returns the status for a system call that failed with error_number (an errno) on behalf of
// context, mostly a file name: NotFound for ENOENT, IOError for the rest.
Status PosixError(const std::string& context, int error_number);

// Returns the IOError for a failed allocation, in the system's words for ENOMEM, with a remedy.
Status NoMemory(const std::string& context, const std::string& remedy);

// Returns whether a call failed for lack of memory or descriptors, which says nothing about the
// file: the same read may succeed another time.
bool IsShortage(const Status& status);

// Descriptor owns an open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();  // Closes it; errors are ignored.

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

  // Gives up ownership and returns the descriptor to the caller.
  int Release();

  // Closes the owned descriptor and owns `fd` instead.
  void Reset(int fd);

 private:
  int fd_;
};

// Calls open(2) with close-on-exec, and again if a signal interrupts it. Returns -1 and sets errno
// on failure. The mode is that of new files, before the process's mask.
int OpenDescriptor(const std::string& fname, int flags, mode_t mode = 0644);

// Returns the directory part of a file name, "." if there is none.
std::string DirectoryOf(const std::string& fname);

// Makes the names in a directory durable. Returns OK on file systems that cannot sync directories.
Status SyncDirectory(const std::string& dirname);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_IO_H_
