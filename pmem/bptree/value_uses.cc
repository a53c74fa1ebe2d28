#include "pmem/bptree/value_uses.h"

#include <algorithm>

#include "pmem/media/extent_header.h"
#include "util/text.h"

namespace leveldb {

Status ValueUses::Add(const ValueRef& reference) {
  if (!reference.is_chunk_list) return AddPiece(reference.pool_offset, reference.length);
  if (list_chunks_ == nullptr) return Status::NotSupported("values that are lists of chunks");
  pieces_.clear();
  Status status = list_chunks_(*pool_, reference, &pieces_);
  for (const ValuePiece& piece : pieces_) {
    if (!status.ok()) break;
    status = AddPiece(piece.pool_offset, piece.bytes);
  }
  return status;
}

Status ValueUses::AddPiece(PoolOffset pool_offset, uint64_t bytes) {
  const uint64_t extent_size = uint64_t{1} << extent_bits_;
  const size_t index = pool_offset >> extent_bits_;
  if (index >= numbers_.size() || numbers_[index] == 0) {
    const Status status = AddExtent(index);
    if (!status.ok()) return status;
  }
  if ((pool_offset & (extent_size - 1)) + bytes > extent_size) {
    return Status::Corruption("value at place " + NumberToString(pool_offset),
                              "reaches beyond its extent");
  }
  uses_[numbers_[index] - 1].live_bytes += bytes;
  return Status::OK();
}

Status ValueUses::AddExtent(size_t index) {
  const PoolOffset extent = index * pool_->extent_size();
  uint64_t salt;
  const Status status = FindSalt(extent, &salt);
  if (!status.ok()) return status;
  uses_.push_back({extent, salt, 0});
  if (index >= numbers_.size()) numbers_.resize(index + 1);
  numbers_[index] = static_cast<uint32_t>(uses_.size());
  return status;
}

Status ValueUses::FindSalt(PoolOffset extent, uint64_t* salt) const {
  *salt = salts_ != nullptr ? salts_->value_salt(extent) : 0;
  if (*salt != 0) return Status::OK();
  ExtentHeader header;
  const Status status = ReadExtentHeader(*pool_, extent, &header);
  if (!status.ok()) return status;
  if (header.kind != ExtentKind::kValue) {
    return Status::Corruption("extent at place " + NumberToString(extent), "holds no values");
  }
  *salt = header.salt;
  if (salts_ != nullptr) salts_->NoteValueSalt(extent, *salt);
  return status;
}

std::vector<ValueExtentUse> ValueUses::Sorted() const {
  std::vector<ValueExtentUse> sorted = uses_;
  std::sort(sorted.begin(), sorted.end(),
            [](const ValueExtentUse& a, const ValueExtentUse& b) { return a.extent < b.extent; });
  return sorted;
}

}  // namespace leveldb
