#include "testing/sparse_bytes.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace leveldb {
namespace testkit {

std::string SparseBytes::Read(uint64_t offset, size_t n) const {
  assert(offset + n <= size_);
  std::string bytes(n, '\0');
  const uint64_t end = offset + n;
  for (auto page = pages_.lower_bound(offset / kPage * kPage);
       page != pages_.end() && page->first < end; ++page) {
    const uint64_t begin = std::max(offset, page->first);
    const uint64_t part = std::min(end, page->first + kPage) - begin;
    bytes.replace(begin - offset, part, page->second, begin - page->first, part);
  }
  return bytes;
}

void SparseBytes::Write(uint64_t offset, const char* bytes, size_t n) {
  assert(offset + n <= size_);
  while (n > 0) {
    const uint64_t at = offset / kPage * kPage;
    const size_t part = std::min<uint64_t>(at + kPage - offset, n);
    std::string& page = pages_[at];
    if (page.empty()) page.resize(kPage);
    page.replace(offset - at, part, bytes, part);
    offset += part;
    bytes += part;
    n -= part;
  }
}

bool SparseBytes::Equals(uint64_t offset, const char* bytes, size_t n) const {
  const uint64_t at = offset / kPage * kPage;
  assert(offset + n <= at + kPage);
  const auto page = pages_.find(at);
  if (page != pages_.end()) return memcmp(page->second.data() + (offset - at), bytes, n) == 0;
  return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

SparseBytes SparseBytes::TakePart(uint64_t offset, uint64_t n) {
  assert(offset % kPage == 0 && (n % kPage == 0 || offset + n == size()));
  SparseBytes part(n);
  for (auto page = pages_.lower_bound(offset); page != pages_.end() && page->first < offset + n;) {
    auto taken = pages_.extract(page++);
    taken.key() -= offset;
    part.pages_.insert(part.pages_.end(), std::move(taken));
  }
  return part;
}

void SparseBytes::WriteFile(const std::string& path) const {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  bool ok = file >= 0 && ftruncate(file, static_cast<off_t>(size_)) == 0;
  for (const auto& [offset, page] : pages_) {
    const size_t n = std::min(kPage, size_ - offset);
    ok = ok && pwrite(file, page.data(), n, static_cast<off_t>(offset)) == static_cast<ssize_t>(n);
  }
  if (!ok || close(file) != 0) {
    std::fprintf(stderr, "cannot write %s\n", path.c_str());
    std::abort();
  }
}

}  // namespace testkit
}  // namespace leveldb
