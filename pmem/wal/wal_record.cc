#include "pmem/wal/wal_record.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {

namespace {

constexpr size_t kSumSize = 4;
constexpr int kKindBits = 4;

constexpr uint8_t kDeferredFlag = 1;
constexpr uint8_t kUnorderedFlag = 2;

// Returns the sum of a record of `size` bytes, without the first ones, which hold the sum.
uint32_t SumOf(uint32_t seed, const char* record, size_t size) {
  return crc32c::Extend(seed, record + kSumSize, size - kSumSize);
}

}  // namespace

void EncodeWalStart(const WalStart& start, char* to) {
  to[0] = static_cast<char>((start.deferred ? kDeferredFlag : 0) |
                            (start.unordered ? kUnorderedFlag : 0));
  StoreFixed64(to + 1, start.first_sequence);
  StoreFixed64(to + 9, start.predecessor.number);
  StoreFixed64(to + 17, start.predecessor.salt);
  StoreFixed64(to + 25, start.predecessor.last_sequence);
}

bool DecodeWalStart(const Slice& bytes, WalStart* start) {
  if (bytes.size() != kWalStartSize) return false;
  const uint8_t flags = static_cast<uint8_t>(bytes[0]);
  if (flags > (kDeferredFlag | kUnorderedFlag)) return false;
  start->deferred = (flags & kDeferredFlag) != 0;
  start->unordered = (flags & kUnorderedFlag) != 0;
  start->first_sequence = LoadFixed64(bytes.data() + 1);
  start->predecessor.number = LoadFixed64(bytes.data() + 9);
  start->predecessor.salt = LoadFixed64(bytes.data() + 17);
  start->predecessor.last_sequence = LoadFixed64(bytes.data() + 25);
  return true;
}

size_t WalHeaderSize(size_t payload_size) {
  return kSumSize + static_cast<size_t>(VarintLength(uint64_t{payload_size} << kKindBits));
}

size_t EncodeWalHeader(WalKind kind, size_t payload_size, char* to) {
  assert(payload_size < (size_t{1} << (28 - kKindBits)));
  const uint32_t size_and_kind =
      static_cast<uint32_t>(payload_size << kKindBits) | static_cast<uint32_t>(kind);
  return static_cast<size_t>(StoreVarint32(to + kSumSize, size_and_kind) - to);
}

void SetWalSum(uint32_t seed, char* record, size_t size) {
  StoreFixed32(record, SumOf(seed, record, size));
}

void SetWalSum(uint32_t seed, char* header, size_t header_size, const Slice& payload) {
  const uint32_t sum = SumOf(seed, header, header_size);
  StoreFixed32(header, crc32c::Extend(sum, payload.data(), payload.size()));
}

bool ParseWalRecord(const char* bytes, size_t available, uint32_t seed, WalRecord* record,
                    size_t* summed) {
  if (summed != nullptr) *summed = 0;
  if (available <= kSumSize) return false;
  const char* const limit = bytes + std::min(available, kWalMaxHeaderSize);
  uint32_t size_and_kind;
  const char* const payload = LoadVarint32(bytes + kSumSize, limit, &size_and_kind);
  if (payload == nullptr) return false;
  const uint8_t kind = size_and_kind & ((1 << kKindBits) - 1);
  const size_t payload_size = size_and_kind >> kKindBits;
  const size_t header_size = static_cast<size_t>(payload - bytes);
  if (kind == 0 || kind > kMaxWalKind) return false;
  if (payload_size > available - header_size) return false;
  const size_t size = header_size + payload_size;
  if (summed != nullptr) *summed = size;
  if (SumOf(seed, bytes, size) != LoadFixed32(bytes)) return false;
  record->kind = static_cast<WalKind>(kind);
  record->payload = Slice(payload, payload_size);
  record->size = size;
  return true;
}

}  // namespace leveldb
