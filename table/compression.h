// Compresses blocks, and uncompresses blocks whose bytes cannot be trusted.
#ifndef BUSHSTORE_TABLE_COMPRESSION_H_
#define BUSHSTORE_TABLE_COMPRESSION_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "table/byte_buffer.h"

namespace leveldb {

// Compresses `raw` into *compressed, with room for `slack` more bytes directly after it. Returns
// false if it saves less than an eighth, or `type` is unknown, or its library is not available: the
// block is then stored uncompressed.
bool CompressBlock(CompressionType type, const Slice& raw, size_t slack, ByteBuffer* compressed);

// Returns whether `type`, the type byte of a block on disk, is a known CompressionType.
bool IsKnownCompression(uint8_t type);

// Returns whether the library for `type` is available. Only that for zstd may not be.
bool HaveCompression(CompressionType type);

// Sets *size to the uncompressed size that `compressed` claims. Returns false if it is malformed or
// the claim exceeds what the format can achieve with that many bytes: so that much memory may be
// allocated.
// REQUIRES: IsKnownCompression(type), HaveCompression(type), and it is not kNoCompression, here and
// below.
bool UncompressedSize(CompressionType type, const Slice& compressed, size_t* size);

enum class Uncompressed {
  kDone,
  kDamaged,   // `compressed` is malformed
  kNoMemory,  // `compressed` was not examined
};

// Writes the uncompressed bytes to out[0, size), where size is the result of UncompressedSize.
Uncompressed UncompressBlock(CompressionType type, const Slice& compressed, char* out, size_t size);

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_COMPRESSION_H_
