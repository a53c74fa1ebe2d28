#include "pmem/value/value_reader.h"

#include <cassert>

#include "pmem/value/value_layout.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/text.h"

namespace leveldb {

namespace {

Status DamagedValue(const Pool& pool, const ValueRef& reference, const char* what) {
  return Status::Corruption(pool.path(), std::string("value of ") +
                                             NumberToString(reference.length) + " bytes at place " +
                                             NumberToString(reference.pool_offset) + ": " + what);
}

// Iterates over the chunks of a value, from a list that is checked as it is read.
class ChunkCursor {
 public:
  ChunkCursor(const Pool& pool, const ValueRef& reference) : pool_(pool), reference_(reference) {}

  // Checks the list itself.
  Status Open() {
    const PoolOffset pool_offset = reference_.pool_offset;
    if (!pool_.Contains(pool_offset, kChunkListHeaderSize)) {
      return DamagedValue(pool_, reference_, "its list of chunks is not in the pool");
    }
    list_ = pool_.At(pool_offset);
    count_ = LoadFixed32(list_ + 4);
    if (count_ == 0 || count_ > MaxChunks(pool_.extent_size()) ||
        !pool_.Contains(pool_offset, list_size())) {
      return DamagedValue(pool_, reference_, "its list of chunks has an impossible length");
    }
    if (ChunkListSum(pool_offset, list_, list_size()) != LoadFixed32(list_)) {
      return DamagedValue(pool_, reference_, "its list of chunks is damaged");
    }
    return Status::OK();
  }

  size_t list_size() const { return kChunkListHeaderSize + size_t{count_} * kChunkSize; }

  // Moves to the next chunk. Returns false at the end, where the total length is checked, or on
  // damage. *status is set if either is wrong.
  bool Next(ValuePiece* chunk, Status* status) {
    if (next_ == count_) {
      if (seen_ != reference_.length) {
        *status = DamagedValue(pool_, reference_, "its chunks are shorter than it");
      }
      return false;
    }
    const char* const entry = list_ + kChunkListHeaderSize + size_t{next_++} * kChunkSize;
    chunk->pool_offset = LoadFixed64(entry);
    chunk->bytes = LoadFixed64(entry + 8);
    if (chunk->bytes == 0 || chunk->bytes > reference_.length - seen_ ||
        !pool_.Contains(chunk->pool_offset, chunk->bytes)) {
      *status = DamagedValue(pool_, reference_, "a chunk is not in the pool, or too long");
      return false;
    }
    seen_ += chunk->bytes;
    return true;
  }

 private:
  const Pool& pool_;
  const ValueRef& reference_;
  const char* list_ = nullptr;
  uint32_t count_ = 0;
  uint32_t next_ = 0;
  uint64_t seen_ = 0;
};

Status WholeValue(const Pool& pool, const ValueRef& reference, Slice* value) {
  assert(!reference.is_chunk_list);
  if (!pool.Contains(reference.pool_offset, reference.length)) {
    return DamagedValue(pool, reference, "it is not in the pool");
  }
  *value = Slice(pool.At(reference.pool_offset), reference.length);
  return Status::OK();
}

Status CheckSum(const Pool& pool, const ValueRef& reference, uint32_t sum) {
  if (sum == reference.crc) return Status::OK();
  return DamagedValue(pool, reference, "checksum mismatch");
}

// Calls take(bytes) for every chunk.
template <class Take>
Status ForEachChunk(const Pool& pool, const ValueRef& reference, const Take& take) {
  ChunkCursor cursor(pool, reference);
  Status status = cursor.Open();
  if (!status.ok()) return status;
  ValuePiece chunk;
  while (cursor.Next(&chunk, &status)) take(Slice(pool.At(chunk.pool_offset), chunk.bytes));
  return status;
}

Status JoinChunks(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                  std::string* value) {
  value->clear();
  const Status status = ForEachChunk(
      pool, reference, [value](const Slice& chunk) { value->append(chunk.data(), chunk.size()); });
  if (!status.ok() || !verify_checksum) return status;
  return CheckSum(pool, reference, crc32c::Value(value->data(), value->size()));
}

}  // namespace

Status ReadValueInPlace(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                        Slice* value, std::string* scratch) {
  if (reference.is_chunk_list) {
    const Status status = JoinChunks(pool, reference, verify_checksum, scratch);
    *value = *scratch;
    return status;
  }
  const Status status = WholeValue(pool, reference, value);
  if (!status.ok() || !verify_checksum) return status;
  return CheckSum(pool, reference, crc32c::Value(value->data(), value->size()));
}

Status ReadValue(const Pool& pool, const ValueRef& reference, bool verify_checksum,
                 std::string* value) {
  if (reference.is_chunk_list) return JoinChunks(pool, reference, verify_checksum, value);
  Slice whole;
  const Status status = WholeValue(pool, reference, &whole);
  if (!status.ok()) return status;
  value->assign(whole.data(), whole.size());
  if (!verify_checksum) return status;
  return CheckSum(pool, reference, crc32c::Value(value->data(), value->size()));
}

Status CheckValue(const Pool& pool, const ValueRef& reference) {
  uint32_t sum = 0;
  if (reference.is_chunk_list) {
    const Status status = ForEachChunk(pool, reference, [&sum](const Slice& chunk) {
      sum = crc32c::Extend(sum, chunk.data(), chunk.size());
    });
    if (!status.ok()) return status;
    return CheckSum(pool, reference, sum);
  }
  Slice value;
  const Status status = WholeValue(pool, reference, &value);
  if (!status.ok()) return status;
  return CheckSum(pool, reference, crc32c::Value(value.data(), value.size()));
}

Status ListValuePieces(const Pool& pool, const ValueRef& reference,
                       std::vector<ValuePiece>* pieces) {
  if (!reference.is_chunk_list) {
    Slice value;
    const Status status = WholeValue(pool, reference, &value);
    if (status.ok() && !value.empty()) pieces->push_back({reference.pool_offset, reference.length});
    return status;
  }
  ChunkCursor cursor(pool, reference);
  Status status = cursor.Open();
  if (!status.ok()) return status;
  ValuePiece chunk;
  while (cursor.Next(&chunk, &status)) pieces->push_back(chunk);
  if (status.ok()) pieces->push_back({reference.pool_offset, cursor.list_size()});
  return status;
}

}  // namespace leveldb
