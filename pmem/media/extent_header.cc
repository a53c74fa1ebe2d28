#include "pmem/media/extent_header.h"

#include <array>
#include <cstring>
#include <string>

#include "util/coding.h"
#include "util/crc32c.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr uint32_t kMagic = 0x58687342;        // "BshX"
constexpr uint32_t kErasedMagic = 0x2d687342;  // "Bsh-"
constexpr char kVersion = 1;

constexpr size_t kKindAt = 4;
constexpr size_t kVersionAt = 5;
constexpr size_t kPoolAt = 8;
constexpr size_t kObjectAt = 16;
constexpr size_t kSaltAt = 24;
constexpr size_t kLengthAt = 32;
constexpr size_t kPositionAt = 36;
constexpr size_t kSumAt = 60;
static_assert(kSumAt + sizeof(uint32_t) == ExtentHeader::kSize);

uint32_t SumOf(PoolOffset run, const char* bytes) {
  char pool_offset[sizeof(run)];
  StoreFixed64(pool_offset, run);
  return crc32c::Extend(crc32c::Value(pool_offset, sizeof(pool_offset)), bytes, kSumAt);
}

Status Damaged(const Pool& pool, PoolOffset run, const std::string& what) {
  return Status::Corruption("extent at " + NumberToString(run) + " of pool " + pool.path(), what);
}

std::array<char, ExtentHeader::kSize> ErasedHeader() {
  std::array<char, ExtentHeader::kSize> bytes{};
  StoreFixed32(bytes.data(), kErasedMagic);
  return bytes;
}

const char* NameOf(ExtentKind kind) {
  switch (kind) {
    case ExtentKind::kLog:
      return "log";
    case ExtentKind::kValue:
      return "value";
    case ExtentKind::kTree:
      return "tree";
  }
  return "unknown";
}

std::string Mismatch(const char* what, uint64_t found, uint64_t expected) {
  return std::string("has ") + what + " " + NumberToString(found) + " instead of " +
         NumberToString(expected);
}

}  // namespace

void WriteExtentHeader(Pool* pool, PoolOffset run, const ExtentHeader& header) {
  char bytes[ExtentHeader::kSize] = {};
  StoreFixed32(bytes, kMagic);
  bytes[kKindAt] = static_cast<char>(header.kind);
  bytes[kVersionAt] = kVersion;
  StoreFixed64(bytes + kPoolAt, pool->id().Folded());
  StoreFixed64(bytes + kObjectAt, header.object);
  StoreFixed64(bytes + kSaltAt, header.salt);
  StoreFixed32(bytes + kLengthAt, header.length);
  StoreFixed32(bytes + kPositionAt, header.position);
  StoreFixed32(bytes + kSumAt, SumOf(run, bytes));
  pool->persist()->Copy(pool->At(run), bytes, sizeof(bytes));
}

void EraseExtentHeader(Pool* pool, PoolOffset run) {
  const std::array<char, ExtentHeader::kSize> erased = ErasedHeader();
  pool->persist()->Copy(pool->At(run), erased.data(), erased.size());
}

bool IsErasedExtentHeader(const Pool& pool, PoolOffset run) {
  const std::array<char, ExtentHeader::kSize> erased = ErasedHeader();
  return pool.Contains(run, erased.size()) &&
         memcmp(pool.At(run), erased.data(), erased.size()) == 0;
}

bool MayBeginWith(const Pool& pool, PoolOffset run, ExtentKind kind) {
  const char* const bytes = pool.At(run);
  return LoadFixed32(bytes) == kMagic && bytes[kKindAt] == static_cast<char>(kind);
}

bool IsExtentHeader(const char* bytes, PoolOffset run, uint64_t pool, uint32_t* length) {
  *length = LoadFixed32(bytes + kLengthAt);
  return LoadFixed32(bytes) == kMagic && LoadFixed32(bytes + kSumAt) == SumOf(run, bytes) &&
         LoadFixed64(bytes + kPoolAt) == pool;
}

Status ReadExtentHeader(const Pool& pool, PoolOffset run, ExtentHeader* header) {
  if (run % pool.extent_size() != 0 || !pool.Contains(run, ExtentHeader::kSize)) {
    return Damaged(pool, run, "is no extent of the pool");
  }
  char bytes[ExtentHeader::kSize];
  memcpy(bytes, pool.At(run), sizeof(bytes));
  if (LoadFixed32(bytes) != kMagic || LoadFixed32(bytes + kSumAt) != SumOf(run, bytes)) {
    return Damaged(pool, run, "has a damaged header");
  }
  if (bytes[kVersionAt] != kVersion) return Damaged(pool, run, "is of an unknown format");
  if (LoadFixed64(bytes + kPoolAt) != pool.id().Folded()) {
    return Damaged(pool, run, "was written for another pool");
  }
  const char kind = bytes[kKindAt];
  if (kind < static_cast<char>(ExtentKind::kLog) || kind > static_cast<char>(ExtentKind::kTree)) {
    return Damaged(pool, run, "is of an unknown kind");
  }
  header->kind = static_cast<ExtentKind>(kind);
  header->object = LoadFixed64(bytes + kObjectAt);
  header->salt = LoadFixed64(bytes + kSaltAt);
  header->length = LoadFixed32(bytes + kLengthAt);
  header->position = LoadFixed32(bytes + kPositionAt);
  if (header->length == 0 || !pool.Contains(run, header->length * pool.extent_size())) {
    return Damaged(pool, run, "has an impossible length");
  }
  return Status::OK();
}

Status CheckExtentHeader(const Pool& pool, PoolOffset run, const ExtentHeader& expected) {
  ExtentHeader header;
  Status s = ReadExtentHeader(pool, run, &header);
  if (!s.ok()) return s;
  if (header == expected) return s;
  std::string what;
  if (header.kind != expected.kind) {
    what = std::string("holds a ") + NameOf(header.kind) + " instead of a " + NameOf(expected.kind);
  } else if (header.object != expected.object) {
    what = Mismatch("owner", header.object, expected.object);
  } else if (header.salt != expected.salt) {
    what = Mismatch("salt", header.salt, expected.salt);
  } else if (header.length != expected.length) {
    what = Mismatch("length", header.length, expected.length);
  } else {
    what = Mismatch("position", header.position, expected.position);
  }
  return Damaged(pool, run, what);
}

}  // namespace leveldb
