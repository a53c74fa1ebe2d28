// The layout of a table file, its block handles and its footer.
//
//   data blocks ... | filter block (optional) | metaindex block | index block | footer
//
// Every block is followed by a trailer that its size does not count:
//   compression type (1 byte) | masked CRC-32C of the stored bytes and the type (fixed32)
//
// Footer, at the very end of the file, 48 bytes:
//   metaindex handle | index handle | zeros up to 40 bytes | magic number (fixed64)
#ifndef BUSHSTORE_TABLE_BLOCK_HANDLE_H_
#define BUSHSTORE_TABLE_BLOCK_HANDLE_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "util/coding.h"

namespace leveldb {

constexpr size_t kBlockTrailerSize = 5;

// Offset and size of a block: varint64 each on disk.
struct BlockHandle {
  static constexpr size_t kMaxEncodedSize = 2 * kMaxVarint64Length;

  uint64_t offset = 0;
  uint64_t size = 0;

  void AppendTo(std::string* dst) const {
    AppendVarint64(dst, offset);
    AppendVarint64(dst, size);
  }

  // Reads a handle from the front of *input and advances it. Returns false, without side effects,
  // if there is none. The reader of the file must check that the named range exists.
  bool ConsumeFrom(Slice* input);

  friend bool operator==(const BlockHandle& a, const BlockHandle& b) = default;
};

struct Footer {
  static constexpr uint64_t kMagic = 0xdb4775248b80fb57;
  static constexpr size_t kSize = 2 * BlockHandle::kMaxEncodedSize + 8;

  BlockHandle metaindex;
  BlockHandle index;

  void AppendTo(std::string* dst) const;

  // Reads the footer from the last kSize bytes of a file. Returns Corruption if they are not a
  // footer.
  Status DecodeFrom(const Slice& bytes);
};

static_assert(Footer::kSize == 48);

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_BLOCK_HANDLE_H_
