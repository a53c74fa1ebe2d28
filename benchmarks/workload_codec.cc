#include <snappy.h>
#include <zstd.h>
#include <atomic>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "benchmarks/bench_thread.h"
#include "benchmarks/workloads.h"
#include "util/crc32c.h"

namespace leveldb::bench {

namespace {

// BlockSource returns blocks of text that compress to --compression_ratio, cut from a text of about
// a megabyte.
class BlockSource {
 public:
  explicit BlockSource(const BenchThread& thread)
      : size_(static_cast<size_t>(thread.phase().block_size)),
        text_(MakeText(DensityFor(thread.options().compression_ratio, kTextSize),
                       std::max(kTextSize, size_))) {}

  Slice Next() {
    if (next_ + size_ > text_.size()) next_ = 0;
    const Slice block(text_.data() + next_, size_);
    next_ += size_;
    return block;
  }

 private:
  static constexpr size_t kTextSize = 1 << 20;

  const size_t size_;
  const std::string text_;
  size_t next_ = 0;
};

// Codec is a block compressor of the system. Both functions return false on failure.
struct Codec {
  const char* name;
  bool (*compress)(const Slice& block, std::string* output);
  bool (*uncompress)(const std::string& compressed, std::string* block);  // block has its size
};

bool CompressWithSnappy(const Slice& block, std::string* output) {
  snappy::Compress(block.data(), block.size(), output);
  return true;
}

bool UncompressWithSnappy(const std::string& compressed, std::string* block) {
  return snappy::RawUncompress(compressed.data(), compressed.size(), block->data());
}

bool CompressWithZstd(const Slice& block, std::string* output) {
  output->resize(ZSTD_compressBound(block.size()));
  const size_t n = ZSTD_compress(output->data(), output->size(), block.data(), block.size(), 1);
  if (ZSTD_isError(n) != 0) return false;
  output->resize(n);
  return true;
}

bool UncompressWithZstd(const std::string& compressed, std::string* block) {
  return ZSTD_decompress(block->data(), block->size(), compressed.data(), compressed.size()) ==
         block->size();
}

constexpr Codec kSnappy = {"snappy", CompressWithSnappy, UncompressWithSnappy};
constexpr Codec kZstd = {"zstd", CompressWithZstd, UncompressWithZstd};

void ReportCodecFailure(BenchThread& thread, const Codec& codec) {
  thread.phase().failure->Report(ExitCode::kCannotRun,
                                 std::string(codec.name) + " cannot process a block");
}

void Compress(BenchThread& thread, const Codec& codec) {
  BlockSource source(thread);
  std::string output;
  uint64_t produced = 0;
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    const Slice block = source.Next();
    thread.stats().BeginOperation();
    if (!codec.compress(block, &output)) return ReportCodecFailure(thread, codec);
    thread.stats().EndOperation();
    thread.stats().AddBytes(block.size());
    produced += output.size();
  }
  char message[40];
  std::snprintf(
      message, sizeof(message), "(output: %.1f%%)",
      100.0 * static_cast<double>(produced) / static_cast<double>(thread.stats().bytes()));
  thread.stats().SetMessage(message);
}

void Uncompress(BenchThread& thread, const Codec& codec) {
  BlockSource source(thread);
  const Slice block = source.Next();
  std::string compressed;
  if (!codec.compress(block, &compressed)) return ReportCodecFailure(thread, codec);
  std::string output(block.size(), '\0');
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    thread.stats().BeginOperation();
    if (!codec.uncompress(compressed, &output)) return ReportCodecFailure(thread, codec);
    thread.stats().EndOperation();
    thread.stats().AddBytes(output.size());
  }
  if (Slice(output) != block) ReportCodecFailure(thread, codec);
}

}  // namespace

void Checksum(BenchThread& thread) {
  BlockSource source(thread);
  uint32_t crc = 0;
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    const Slice block = source.Next();
    thread.stats().BeginOperation();
    crc ^= crc32c::Value(block.data(), block.size());
    thread.stats().EndOperation();
    thread.stats().AddBytes(block.size());
  }
  [[maybe_unused]] const volatile uint32_t keep = crc;
  thread.stats().SetMessage("(4K per op)");
}

void LoadPointer(BenchThread& thread) {
  constexpr int kLoadsPerOperation = 1000;
  int target = 0;
  std::atomic<int*> pointer{&target};
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    thread.stats().BeginOperation();
    for (int load = 0; load < kLoadsPerOperation; ++load) {
      [[maybe_unused]] int* const volatile keep = pointer.load(std::memory_order_acquire);
    }
    thread.stats().EndOperation();
  }
  thread.stats().SetMessage("(each operation is 1000 loads)");
}

void SnappyCompress(BenchThread& thread) {
  Compress(thread, kSnappy);
}
void SnappyUncompress(BenchThread& thread) {
  Uncompress(thread, kSnappy);
}
void ZstdCompress(BenchThread& thread) {
  Compress(thread, kZstd);
}
void ZstdUncompress(BenchThread& thread) {
  Uncompress(thread, kZstd);
}

}  // namespace leveldb::bench
