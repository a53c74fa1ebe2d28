#include "pmem/media/sysfs.h"

#include <fcntl.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

std::string SysfsDirectory(const char* kind, dev_t device) {
  return ResolvedPath(std::string("/sys/dev/") + kind + "/" + NumberToString(major(device)) + ":" +
                      NumberToString(minor(device)));
}

std::string ResolvedPath(const std::string& path) {
  char* const resolved = realpath(path.c_str(), nullptr);
  if (resolved == nullptr) return std::string();
  std::string whole(resolved);
  free(resolved);
  return whole;
}

std::string LastPart(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

bool ReadSysfsNumber(const std::string& path, uint64_t* number) {
  const std::string text = ReadSysfsText(path);
  char* end = nullptr;
  errno = 0;
  *number = strtoull(text.c_str(), &end, 0);
  return errno == 0 && end != text.c_str();
}

std::string ReadSysfsText(const std::string& path) {
  constexpr size_t kBytesMax = 64 << 10;
  std::string text;
  const Descriptor file(OpenDescriptor(path, O_RDONLY));
  if (!file.valid()) return text;
  char buffer[4096];
  while (text.size() < kBytesMax) {
    const ssize_t n = read(file.get(), buffer, sizeof(buffer));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    text.append(buffer, static_cast<size_t>(n));
  }
  return text;
}

}  // namespace leveldb
