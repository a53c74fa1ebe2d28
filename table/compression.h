// Compression of blocks, and its undoing for bytes that cannot be trusted.
#ifndef BUSHSTORE_TABLE_COMPRESSION_H_
#define BUSHSTORE_TABLE_COMPRESSION_H_

#include <cstddef>
#include <cstdint>

#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "table/byte_buffer.h"

namespace leveldb {

// Compresses `raw` into *compressed, with room for `slack` more bytes right behind. False when it
// saves less than an eighth, or `type` is none of those known, or its library is not there: the
// block is then stored raw.
bool CompressBlock(CompressionType type, const Slice& raw, size_t slack, ByteBuffer* compressed);

// The type byte of a block on disk is the CompressionType; whether this is one that is known.
bool IsKnownCompression(uint8_t type);

// Whether the library that it takes is there. All but zstd's always is.
bool HaveCompression(CompressionType type);

// How many bytes `compressed` claims to hold. False when it is malformed or the claim exceeds what
// the format can do with that many bytes: a claim that holds may be allocated.
// REQUIRES: IsKnownCompression(type), HaveCompression(type), and it is not kNoCompression, here and
// below.
bool UncompressedSize(CompressionType type, const Slice& compressed, size_t* size);

enum class Uncompressed {
  kDone,
  kDamaged,   // `compressed` is malformed
  kNoMemory,  // nothing is known about it
};

// Writes the uncompressed bytes to out[0, size), where size is what UncompressedSize said.
Uncompressed UncompressBlock(CompressionType type, const Slice& compressed, char* out, size_t size);

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_COMPRESSION_H_
