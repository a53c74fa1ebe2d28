#include "testing/corruption/image.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace fs = std::filesystem;

namespace {

constexpr size_t kPage = 4096;

bool IsZeros(const char* bytes, size_t n) {
  return n == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, n - 1) == 0);
}

bool TryRead(const std::string& path, Image* image) {
  return TryReadFile(path, &(*image)[path]);
}

bool TryReadFiles(const ImagePlace& place, Image* image) {
  for (const std::string& name : FileNames(place.db())) {
    if (name == "LOCK" || name.compare(0, 3, "LOG") == 0) continue;
    if (!TryRead(place.db() + "/" + name, image)) return false;
  }
  return true;
}

// Leaves holes in place of ranges of zeros, which make up most of a pool.
void WriteSparsely(const std::string& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY, 0600);
  bool is_good = file >= 0 && ::ftruncate(file, static_cast<off_t>(bytes.size())) == 0;
  size_t begin = 0;
  while (is_good && begin < bytes.size()) {
    size_t end = begin;
    while (end < bytes.size() &&
           !IsZeros(bytes.data() + end, std::min(kPage, bytes.size() - end))) {
      end += std::min(kPage, bytes.size() - end);
    }
    const size_t n = end - begin;
    is_good = n == 0 || ::pwrite(file, bytes.data() + begin, n, static_cast<off_t>(begin)) ==
                            static_cast<ssize_t>(n);
    begin = n == 0 ? begin + kPage : end;
  }
  if (!is_good || ::close(file) != 0) {
    std::perror(path.c_str());
    std::abort();
  }
}

}  // namespace

// The database may be open: if background jobs have changed the files meanwhile, the copy is
// repeated.
Image TakeImage(const ImagePlace& place) {
  while (true) {
    Image before;
    Image after;
    const bool is_whole = TryReadFiles(place, &before);
    Image image = before;
    if (fs::exists(place.pool()) && !TryRead(place.pool(), &image)) continue;
    if (is_whole && TryReadFiles(place, &after) && before == after) {
      return image;
    }
  }
}

void Restore(const ImagePlace& place, const Image& image) {
  fs::remove_all(place.root);
  fs::create_directories(place.db());
  fs::create_directories(place.pools());
  for (const auto& [path, bytes] : image) {
    WriteSparsely(path, bytes);
  }
}

}  // namespace testkit
}  // namespace leveldb
