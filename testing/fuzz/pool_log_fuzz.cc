// Fuzzes logs in a pool. A log whose records hold anything, with valid checksums or not, is read to
// an end, and no reference in it leads out of the pool.
//
// Input: options (1: deferred, 2: unordered, 4: the reader refuses a record), then records: kind
// (from 16 on: with an invalid checksum), payload preceded by its length of two bytes.
#include <cstring>
#include <string>

#include "entry/compact_batch.h"
#include "pmem/media/extent_header.h"
#include "pmem/wal/wal_reader.h"
#include "pmem/wal/wal_record.h"
#include "testing/fuzz/fuzz_input.h"
#include "testing/scratch_pool.h"
#include "util/coding.h"

namespace leveldb {
namespace fuzz {
namespace {

constexpr uint64_t kExtent = 64 << 10;
constexpr uint64_t kSalt = 0x123456789abcdef0;
constexpr uint64_t kNumber = 5;
constexpr size_t kLinks = 3;

// A pool with extents for a log, and one for values.
class LogGround {
 public:
  LogGround() : scratch_(8 << 20, kExtent) {
    Require(scratch_.extents()->Reserve(kLinks + 1, &first_).ok(), "there is room for a log");
    for (size_t i = 0; i <= kLinks; ++i) {
      ExtentHeader header;
      header.kind = i < kLinks ? ExtentKind::kLog : ExtentKind::kValue;
      header.object = kNumber;
      header.salt = kSalt;
      header.length = 1;
      header.position = i < kLinks ? static_cast<uint32_t>(i) : 0;
      WriteExtentHeader(scratch_.pool(), first_ + i * kExtent, header);
    }
  }

  const Pool& pool() const { return *scratch_.pool(); }
  LogSlot slot() const { return {kNumber, first_, kSalt}; }

  void Lay(uint8_t options, FuzzInput* input) {
    for (size_t i = 0; i < kLinks; ++i) {
      std::memset(At(i, ExtentHeader::kSize), 0, kExtent - ExtentHeader::kSize);
    }
    WalStart start;
    start.deferred = (options & 1) != 0;
    start.unordered = (options & 2) != 0;
    alignment_ = start.alignment();
    used_ = ExtentHeader::kSize;
    link_ = 0;
    char bytes[kWalStartSize];
    EncodeWalStart(start, bytes);
    Add(static_cast<uint8_t>(WalKind::kBegin), Slice(bytes, sizeof(bytes)), true);
    while (!input->empty()) {
      const uint8_t kind = input->Byte();
      std::string payload = input->String().ToString();
      // The fuzzer cannot guess offsets: a next record of one byte is replaced with a valid one.
      const bool is_next = (kind & 15) == static_cast<uint8_t>(WalKind::kNext);
      const bool goes_on = is_next && payload.size() == 1 && link_ + 1 < kLinks;
      if (goes_on) payload = Fixed64(first_ + (link_ + 1) * kExtent);
      if ((kind & 15) == static_cast<uint8_t>(WalKind::kValueExtents) && payload.size() == 1) {
        payload = Fixed64(first_ + kLinks * kExtent) + Fixed64(kSalt);
      }
      Add(kind & 15, payload, kind < 16);
      if (goes_on) {
        link_++;
        used_ = ExtentHeader::kSize;
      }
    }
  }

 private:
  static std::string Fixed64(uint64_t number) {
    std::string bytes;
    AppendFixed64(&bytes, number);
    return bytes;
  }

  char* At(size_t link, size_t used) const {
    return scratch_.pool()->At(first_ + link * kExtent + used);
  }

  void Add(uint8_t kind, const Slice& payload, bool with_sum) {
    const size_t size = kWalMaxHeaderSize + payload.size();
    if (used_ + size > kExtent) return;
    char* const to = At(link_, used_);
    const size_t header_size = EncodeWalHeader(static_cast<WalKind>(kind), payload.size(), to);
    std::memcpy(to + header_size, payload.data(), payload.size());
    if (with_sum) {
      const uint32_t seed = SumSeed(kSalt, link_ * kExtent + used_);
      SetWalSum(seed, to, header_size, Slice(to + header_size, payload.size()));
    }
    used_ += (header_size + payload.size() + alignment_ - 1) / alignment_ * alignment_;
  }

  const testkit::ScratchPool scratch_;
  PoolOffset first_ = kNoPoolOffset;
  size_t alignment_ = kWalLineAlignment;
  size_t used_ = 0;
  size_t link_ = 0;
};

void ReadLog(const LogGround& ground, bool refuses) {
  WalReader reader(ground.pool(), ground.slot());
  Require(reader.Open().ok(), "the beginning is whole");
  Slice payload;
  std::string scratch;
  size_t bytes = 0;
  while (reader.ReadRecord(&payload, &scratch)) {
    bytes += payload.size();
    Require(bytes <= kLinks * kExtent, "no more is read than there is");
    CompactBatchCursor cursor(payload, reader.start().first_sequence);
    while (cursor.Next()) {
    }
    if (refuses && !cursor.status().ok()) {
      static_cast<void>(reader.Reject(cursor.status()));  // it is in status(), too
      break;
    }
  }
  for (const PoolOffset pool_offset : reader.extents()) {
    Require(ground.pool().Contains(pool_offset, kExtent), "a log lies in its pool");
  }
  for (const PoolOffset pool_offset : reader.value_extents()) {
    Require(ground.pool().Contains(pool_offset, 1), "its values lie there, too");
  }
  Require(reader.end().used <= kExtent, "it ends in an extent");
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static leveldb::fuzz::LogGround ground;
  leveldb::fuzz::FuzzInput input(data, size);
  const uint8_t options = input.Byte();
  ground.Lay(options, &input);
  leveldb::fuzz::ReadLog(ground, (options & 4) != 0);
  return 0;
}
