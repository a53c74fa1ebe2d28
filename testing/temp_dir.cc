#include "testing/temp_dir.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

namespace leveldb {
namespace testkit {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void GiveUp(const std::string& what, const std::string& path) {
  std::fprintf(stderr, "test set-up: %s %s\n", what.c_str(), path.c_str());
  std::abort();
}

bool IsWritableMemoryWithRoom(const fs::path& path) {
  constexpr uintmax_t kPlenty = uintmax_t{1} << 30;
  std::error_code error;
  const fs::space_info space = fs::space(path, error);
  return !error && space.available >= kPlenty && ::access(path.c_str(), W_OK) == 0 &&
         IsInMemory(path);
}

fs::path Place(Medium medium) {
  const fs::path memory = "/dev/shm";
  const fs::path usual = fs::temp_directory_path();
  switch (medium) {
    case Medium::kAny:
      if (std::getenv("TMPDIR") == nullptr && IsWritableMemoryWithRoom(memory)) {
        return memory;
      }
      return usual;
    case Medium::kMemory:
      if (std::getenv("TMPDIR") != nullptr && IsPersistentMemory(usual)) return usual;
      return !IsWritableMemoryWithRoom(usual) && IsWritableMemoryWithRoom(memory) ? memory : usual;
    case Medium::kDisk:
      for (const fs::path& path : {usual, fs::path("/var/tmp"), fs::current_path()}) {
        if (!IsInMemory(path) && ::access(path.c_str(), W_OK) == 0) {
          return path;
        }
      }
      return usual;
  }
  return usual;
}

// Returns the offset of the first data at or after `begin`, and sets *end to its end; returns
// `length` if there is none.
off_t NextWritten(int file, off_t begin, off_t length, off_t* end) {
  const off_t written = ::lseek(file, begin, SEEK_DATA);
  if (written < 0) {
    *end = length;
    return errno == ENXIO ? length : begin;  // all of it, if the file system cannot tell
  }
  *end = ::lseek(file, written, SEEK_HOLE);
  if (*end < 0) *end = length;
  return written;
}

// Copies [begin, end) through the buffer `part`.
bool CopyBytes(int from, int to, off_t begin, off_t end, std::vector<char>* part) {
  while (begin < end) {
    const size_t wanted = std::min(part->size(), static_cast<size_t>(end - begin));
    const ssize_t got = ::pread(from, part->data(), wanted, begin);
    if (got <= 0 || ::pwrite(to, part->data(), static_cast<size_t>(got), begin) != got) {
      return false;
    }
    begin += got;
  }
  return true;
}

// Copies only data: most of a pool is holes.
bool CopyFile(const std::string& source, const std::string& target) {
  const int from = ::open(source.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status;
  bool copied = from >= 0 && ::fstat(from, &status) == 0;
  const int to =
      copied ? ::open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
  copied = to >= 0 && ::fchmod(to, status.st_mode & 07777) == 0;
  const off_t length = copied ? status.st_size : 0;
  std::vector<char> part(size_t{64} << 10);
  off_t end = 0;
  while (copied && end < length) {
    const off_t begin = NextWritten(from, end, length, &end);
    copied = CopyBytes(from, to, begin, end, &part);
  }
  // What was truncated meanwhile looks like a hole.
  copied = copied && ::ftruncate(to, length) == 0 && ::fstat(from, &status) == 0 &&
           status.st_size >= length;
  if (to >= 0) ::close(to);
  if (from >= 0) ::close(from);
  return copied;
}

}  // namespace

bool IsPersistentMemory(const std::string& directory) {
  constexpr size_t kBytes = 4096;
  const int fd = ::open(directory.c_str(), O_RDWR | O_TMPFILE, 0600);
  if (fd < 0) return false;
  void* mapping = MAP_FAILED;
  if (::ftruncate(fd, kBytes) == 0) {
    mapping =
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED_VALIDATE | MAP_SYNC, fd, 0);
  }
  ::close(fd);
  if (mapping == MAP_FAILED) return false;
  ::munmap(mapping, kBytes);
  return true;
}

bool IsInMemory(const std::string& path) {
  struct statfs found;
  return ::statfs(path.c_str(), &found) == 0 && found.f_type == TMPFS_MAGIC;
}

TempDir::TempDir(Medium medium) {
  std::string pattern = (Place(medium) / "bushstore-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    GiveUp("cannot make a directory like", pattern);
  }
  path_ = pattern;
}

TempDir::~TempDir() {
  RemoveDir(path_);
}

bool TryReadFile(const std::string& path, std::string* contents) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return false;
  contents->clear();
  std::vector<char> part(size_t{1} << 16);
  do {
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    contents->append(part.data(), static_cast<size_t>(in.gcount()));
  } while (in);
  return !in.bad();
}

std::string ReadFile(const std::string& path) {
  std::string contents;
  if (!TryReadFile(path, &contents)) {
    GiveUp("cannot read", path);
  }
  return contents;
}

void WriteFile(const std::string& path, const std::string& contents) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  if (!out.flush()) {
    GiveUp("cannot write", path);
  }
}

bool TryCopyDir(const std::string& source, const std::string& target) {
  std::error_code error;
  fs::create_directory(target, source, error);
  if (error) return false;
  fs::recursive_directory_iterator entry(source, fs::directory_options::follow_directory_symlink,
                                         error);
  while (!error && entry != fs::end(entry)) {
    const fs::path copy = target / entry->path().lexically_relative(source);
    if (entry->is_directory(error)) {
      fs::create_directory(copy, entry->path(), error);
    } else if (!error && !CopyFile(entry->path(), copy)) {
      return false;
    }
    if (!error) entry.increment(error);
  }
  return !error;
}

bool SameFiles(const std::string& a, const std::string& b) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(a)) {
    if (!entry.is_regular_file()) {
      continue;
    }
    const fs::path other = b / fs::relative(entry.path(), a);
    std::error_code error;
    if (fs::file_size(other, error) != entry.file_size() || error) {
      return false;
    }
    std::ifstream ours(entry.path(), std::ios::binary);
    std::ifstream theirs(other, std::ios::binary);
    std::vector<char> our_part(256 << 10);
    std::vector<char> their_part(our_part.size());
    while (ours && theirs) {
      ours.read(our_part.data(), static_cast<std::streamsize>(our_part.size()));
      theirs.read(their_part.data(), static_cast<std::streamsize>(their_part.size()));
      const auto got = static_cast<size_t>(ours.gcount());
      if (ours.gcount() != theirs.gcount() ||
          std::memcmp(our_part.data(), their_part.data(), got) != 0) {
        return false;
      }
    }
  }
  return true;
}

void CopyDir(const std::string& source, const std::string& target) {
  if (!TryCopyDir(source, target)) {
    GiveUp("cannot copy " + source + " to", target);
  }
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(target)) {
    fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
  }
  fs::permissions(target, fs::perms::owner_write, fs::perm_options::add);
}

void RemoveDir(const std::string& path) {
  std::error_code error;
  fs::remove_all(path, error);
}

std::vector<std::string> FileNames(const std::string& dir) {
  return FileNamesEnding(dir, "");
}

std::vector<std::string> FileNamesEnding(const std::string& dir, const std::string& suffix) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir)) {
    const std::string name = entry.path().filename().string();
    const bool fits = name.size() >= suffix.size() &&
                      name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    if (fits && entry.is_regular_file()) {
      names.push_back(name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string TestData(const std::string& relative_path) {
  return std::string(BUSHSTORE_TESTING_DIR) + "/" + relative_path;
}

}  // namespace testkit
}  // namespace leveldb
