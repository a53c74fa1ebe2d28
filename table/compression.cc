#include "table/compression.h"

#include <snappy.h>

#include <atomic>
#include <cassert>
#include <limits>

#include "table/zstd_library.h"

namespace leveldb {

namespace {

constexpr int kZstdLevel = 1;

// The maximum number of bytes that a compressed byte can represent. Snappy's best is a copy of 64
// bytes in 3, zstd's a block of 128 KiB in 4, after a header.
constexpr uint64_t kSnappyMaxRatio = 22;
constexpr uint64_t kZstdMaxRatio = 128 * 1024 / 4;
constexpr uint64_t kMaxBlockSize = std::numeric_limits<uint32_t>::max();

// Reuses one context. Contexts of zstd take about 100 KiB, so the last one used is kept; threads
// that run concurrently create their own.
template <typename Context>
class SpareContext {
 public:
  SpareContext(Context* (*create)(), size_t (*destroy)(Context*)) : destroy_(destroy) {
    context_ = spare_.exchange(nullptr, std::memory_order_acquire);
    if (context_ == nullptr) context_ = create();
  }
  ~SpareContext() { destroy_(spare_.exchange(context_, std::memory_order_acq_rel)); }
  SpareContext(const SpareContext&) = delete;
  SpareContext& operator=(const SpareContext&) = delete;

  Context* get() const { return context_; }  // null: no memory

 private:
  static inline std::atomic<Context*> spare_{nullptr};
  size_t (*const destroy_)(Context*);
  Context* context_;
};

bool CompressWithSnappy(const Slice& raw, size_t slack, ByteBuffer* out) {
  if (raw.size() > kMaxBlockSize) return false;  // exceeds the format's limit
  char* const p = out->Reserve(snappy::MaxCompressedLength(raw.size()) + slack);
  size_t size;
  snappy::RawCompress(raw.data(), raw.size(), p, &size);
  out->SetSize(size);
  return true;
}

bool CompressWithZstd(const Slice& raw, size_t slack, ByteBuffer* out) {
  const ZstdLibrary* const zstd = FindZstd();
  if (zstd == nullptr) return false;
  const SpareContext<ZSTD_CCtx> context(zstd->create_compressor, zstd->free_compressor);
  if (context.get() == nullptr) return false;
  const size_t room = zstd->compress_bound(raw.size());
  char* const p = out->Reserve(room + slack);
  const size_t size = zstd->compress(context.get(), p, room, raw.data(), raw.size(), kZstdLevel);
  if (zstd->is_error(size) != 0) return false;
  out->SetSize(size);
  return true;
}

bool Compress(CompressionType type, const Slice& raw, size_t slack, ByteBuffer* out) {
  switch (type) {
    case kSnappyCompression:
      return CompressWithSnappy(raw, slack, out);
    case kZstdCompression:
      return CompressWithZstd(raw, slack, out);
    case kNoCompression:
      break;
  }
  return false;
}

}  // namespace

bool CompressBlock(CompressionType type, const Slice& raw, size_t slack, ByteBuffer* compressed) {
  compressed->clear();
  return Compress(type, raw, slack, compressed) && compressed->size() < raw.size() - raw.size() / 8;
}

bool IsKnownCompression(uint8_t type) {
  return type == kNoCompression || type == kSnappyCompression || type == kZstdCompression;
}

bool HaveCompression(CompressionType type) {
  return type != kZstdCompression || FindZstd() != nullptr;
}

bool UncompressedSize(CompressionType type, const Slice& compressed, size_t* size) {
  uint64_t claim;
  uint64_t ratio;
  if (type == kSnappyCompression) {
    size_t length;
    if (!snappy::GetUncompressedLength(compressed.data(), compressed.size(), &length)) return false;
    claim = length;
    ratio = kSnappyMaxRatio;
  } else {
    assert(type == kZstdCompression);
    claim = FindZstd()->content_size(compressed.data(), compressed.size());
    ratio = kZstdMaxRatio;
  }
  // The two values by which zstd reports that it does not know the size are the highest of their
  // type.
  if (claim > kMaxBlockSize || claim > compressed.size() * ratio) return false;
  *size = static_cast<size_t>(claim);
  return true;
}

Uncompressed UncompressBlock(CompressionType type, const Slice& compressed, char* out,
                             size_t size) {
  if (type == kSnappyCompression) {
    const bool is_sound = snappy::RawUncompress(compressed.data(), compressed.size(), out);
    return is_sound ? Uncompressed::kDone : Uncompressed::kDamaged;
  }
  assert(type == kZstdCompression);
  const ZstdLibrary* const zstd = FindZstd();
  const SpareContext<ZSTD_DCtx> context(zstd->create_decompressor, zstd->free_decompressor);
  if (context.get() == nullptr) return Uncompressed::kNoMemory;
  const size_t got =
      zstd->decompress(context.get(), out, size, compressed.data(), compressed.size());
  return got == size ? Uncompressed::kDone : Uncompressed::kDamaged;
}

}  // namespace leveldb
