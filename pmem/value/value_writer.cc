#include "pmem/value/value_writer.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <string>

#include "pmem/media/extent_header.h"
#include "pmem/value/value_layout.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr size_t kLineBytes = 64;

// At most this part of an extent is left empty to keep a value in one piece.
constexpr uint64_t kWasteDivisor = 16;

size_t WholeLines(size_t n) {
  return (n + kLineBytes - 1) & ~(kLineBytes - 1);
}

}  // namespace

uint64_t ValueWriter::Room() const {
  return current_ == kNoPoolOffset ? 0 : extents_->extent_size() - used_;
}

void ValueWriter::Open(PoolOffset extent, std::vector<PoolOffset>* opened) {
  const uint64_t salt = RandomSalt();
  WriteExtentHeader(
      pool_, extent,
      {.kind = ExtentKind::kValue, .object = object_, .salt = salt, .position = next_extent_++});
  extents_->NoteValueSalt(extent, salt);
  current_ = extent;
  used_ = ExtentHeader::kSize;
  written_bytes_ += ExtentHeader::kSize;
  opened->push_back(extent);
}

void ValueWriter::GoBackTo(const Position& position) {
  current_ = position.extent;
  used_ = position.used;
}

// Takes n bytes after those in use in the current extent, and returns their offset. REQUIRES: there
// is room.
PoolOffset ValueWriter::Take(size_t n) {
  assert(n <= Room());
  const PoolOffset pool_offset = current_ + used_;
  used_ += WholeLines(n);
  return pool_offset;
}

PoolOffset ValueWriter::Put(const char* bytes, size_t n) {
  const PoolOffset pool_offset = Take(n);
  StoreAt(pool_offset, bytes, n);
  return pool_offset;
}

bool ValueWriter::Assign(const Slice& value, ValueRef* reference) {
  assert(!value.empty());
  if (value.size() > Room()) return false;
  reference->is_chunk_list = false;
  reference->length = static_cast<uint32_t>(value.size());
  reference->pool_offset = Take(value.size());
  return true;
}

void ValueWriter::Store(const Slice& value, ValueRef* reference) {
  StoreAt(reference->pool_offset, value.data(), value.size());
  reference->crc = crc32c::Value(value.data(), value.size());
}

void ValueWriter::StoreAt(PoolOffset pool_offset, const char* bytes, size_t n) {
  char* const to = pool_->At(pool_offset);
  const size_t body = n & ~(kLineBytes - 1);
  if (body > 0) pool_->persist()->Copy(to, bytes, body);
  if (n > body) {
    alignas(kLineBytes) char line[kLineBytes] = {};
    memcpy(line, bytes + body, n - body);
    pool_->persist()->Copy(to + body, line, kLineBytes);
  }
  written_bytes_ += WholeLines(n);
}

Status ValueWriter::Append(const Slice& value, ValueRef* reference,
                           std::vector<PoolOffset>* opened) {
  if (!Assign(value, reference)) {
    const uint64_t extent_size = extents_->extent_size();
    if (value.size() > ValueRoom(extent_size) || Room() > extent_size / kWasteDivisor) {
      return AppendInChunks(value, reference, opened);
    }
    PoolOffset extent;
    const Status status = extents_->Reserve(1, &extent);
    if (!status.ok()) return status;
    Open(extent, opened);
    const bool is_assigned = Assign(value, reference);
    assert(is_assigned);
    static_cast<void>(is_assigned);
  }
  Store(value, reference);
  return Status::OK();
}

// Reserves the extents that a value in chunks needs in addition to the rest of the current one,
// which takes the first chunk.
Status ValueWriter::ReserveFor(size_t size, uint64_t first_chunk, std::vector<PoolOffset>* fresh) {
  const uint64_t room = ValueRoom(extents_->extent_size());
  const uint64_t rest = size - first_chunk;
  const uint64_t whole_extents = (rest + room - 1) / room;
  const uint64_t chunks = whole_extents + (first_chunk > 0 ? 1 : 0);
  if (chunks > MaxChunks(extents_->extent_size())) {
    return Status::InvalidArgument(
        pool_->path(), "has extents too small for a value of " + NumberToString(size) + " bytes");
  }
  const uint64_t list_size = kChunkListHeaderSize + chunks * kChunkSize;
  const uint64_t left = whole_extents * room - WholeLines(rest);
  const uint64_t count = whole_extents + (list_size > left ? 1 : 0);
  while (fresh->size() < count) {
    PoolOffset extent;
    const Status status = extents_->Reserve(1, &extent);
    if (!status.ok()) {
      for (const PoolOffset taken : *fresh) extents_->Release(taken);
      return status;
    }
    fresh->push_back(extent);
  }
  return Status::OK();
}

Status ValueWriter::AppendInChunks(const Slice& value, ValueRef* reference,
                                   std::vector<PoolOffset>* opened) {
  const bool leaves_rest_empty = Room() <= extents_->extent_size() / kWasteDivisor;
  std::vector<PoolOffset> fresh;
  const Status status = ReserveFor(value.size(), leaves_rest_empty ? 0 : Room(), &fresh);
  if (!status.ok()) return status;
  if (leaves_rest_empty) current_ = kNoPoolOffset;

  auto next = fresh.begin();
  std::string list(kChunkListHeaderSize, '\0');
  uint32_t count = 0;
  for (Slice rest = value; !rest.empty(); count++) {
    if (Room() == 0) Open(*next++, opened);
    const size_t size = std::min<uint64_t>(rest.size(), Room());
    AppendFixed64(&list, Put(rest.data(), size));
    AppendFixed64(&list, size);
    rest.remove_prefix(size);
  }
  if (list.size() > Room()) Open(*next++, opened);
  assert(next == fresh.end());
  StoreFixed32(list.data() + 4, count);
  StoreFixed32(list.data(), ChunkListSum(current_ + used_, list.data(), list.size()));

  reference->is_chunk_list = true;
  reference->length = static_cast<uint32_t>(value.size());
  reference->crc = crc32c::Value(value.data(), value.size());
  reference->pool_offset = Put(list.data(), list.size());
  return status;
}

}  // namespace leveldb
