// Small tools for talking to a POSIX system: errors, descriptors, directories.
#ifndef BUSHSTORE_UTIL_POSIX_IO_H_
#define BUSHSTORE_UTIL_POSIX_IO_H_

#include <sys/types.h>

#include <string>

#include "leveldb/status.h"

namespace leveldb {

// The status for a system call that failed with error_number (an errno) on behalf of context,
// mostly a file name: NotFound for ENOENT, IOError for the rest.
Status PosixError(const std::string& context, int error_number);

// The IOError of something that found no memory, in the system's words for ENOMEM, with a remedy.
Status NoMemory(const std::string& context, const std::string& remedy);

// Whether a call failed for want of memory or descriptors, which says nothing about the file: what
// could not be read may be read in order another time.
bool IsShortage(const Status& status);

// Owns an open file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();  // Closes it; errors go unseen.

  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

  // Hands the descriptor to the caller.
  int Release();

  // Owns `fd` instead, and closes what it owned.
  void Reset(int fd);

 private:
  int fd_;
};

// open(2) that closes on exec and tries again when a signal interrupts it. Returns -1 and sets
// errno on failure. The mode is that of new files, before the process's mask.
int OpenDescriptor(const std::string& fname, int flags, mode_t mode = 0644);

// The directory part of a file name, "." when there is none.
std::string DirectoryOf(const std::string& fname);

// Makes the names in a directory durable. File systems that cannot do so for directories count as
// done.
Status SyncDirectory(const std::string& dirname);

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_POSIX_IO_H_
