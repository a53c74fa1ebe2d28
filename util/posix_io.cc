#include "util/posix_io.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace leveldb {

Status PosixError(const std::string& context, int error_number) {
  const std::string reason = std::generic_category().message(error_number);
  return error_number == ENOENT ? Status::NotFound(context, reason)
                                : Status::IOError(context, reason);
}

Status NoMemory(const std::string& context, const std::string& remedy) {
  return Status::IOError(context, std::generic_category().message(ENOMEM) + ": " + remedy);
}

bool IsShortage(const Status& status) {
  if (!status.IsIOError()) return false;
  const std::string text = status.ToString();
  for (const int error_number : {ENOMEM, EMFILE, ENFILE}) {
    if (text.find(std::generic_category().message(error_number)) != std::string::npos) return true;
  }
  return false;
}

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

int Descriptor::Release() {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

void Descriptor::Reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

int OpenDescriptor(const std::string& fname, int flags, mode_t mode) {
  int fd;
  do {
    fd = open(fname.c_str(), flags | O_CLOEXEC, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

std::string DirectoryOf(const std::string& fname) {
  const size_t slash = fname.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : fname.substr(0, slash);
}

Status SyncDirectory(const std::string& dirname) {
  const Descriptor dir(OpenDescriptor(dirname, O_RDONLY | O_DIRECTORY));
  if (!dir.valid()) return PosixError(dirname, errno);
  int result;
  do {
    result = fsync(dir.get());
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EINVAL) return PosixError(dirname, errno);
  return Status::OK();
}

}  // namespace leveldb
