// SparseBytes: the contents of a large file, most of which is zeros.
#ifndef BUSHSTORE_TESTING_SPARSE_BYTES_H_
#define BUSHSTORE_TESTING_SPARSE_BYTES_H_

#include <cstdint>
#include <map>
#include <string>

namespace leveldb {
namespace testkit {

class SparseBytes {
 public:
  static constexpr uint64_t kPage = 4096;

  SparseBytes() = default;
  // Makes a file of `size` zeros.
  explicit SparseBytes(uint64_t size) : size_(size) {}

  uint64_t size() const { return size_; }

  // REQUIRES: offset + n <= size().
  std::string Read(uint64_t offset, size_t n) const;
  void Write(uint64_t offset, const char* bytes, size_t n);

  // Returns whether the n bytes at `offset`, which are in one page, equal `bytes`.
  bool Equals(uint64_t offset, const char* bytes, size_t n) const;

  // Moves the `n` bytes at `offset` into the returned object and leaves zeros. REQUIRES: offset is
  // a multiple of kPage, and n, too, unless the part is the last.
  SparseBytes TakePart(uint64_t offset, uint64_t n);

  // Replaces the file. Ends the program if the file system refuses.
  void WriteFile(const std::string& path) const;

 private:
  uint64_t size_ = 0;
  std::map<uint64_t, std::string> pages_;  // by offset; missing pages are zeros
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_SPARSE_BYTES_H_
