#include "pmem/bptree/value_uses.h"

#include <algorithm>

#include "pmem/media/extent_header.h"
#include "util/text.h"

namespace leveldb {

Status ValueUses::Add(const ValueRef& reference) {
  if (!reference.is_chunk_list) return AddPiece(reference.place, reference.length);
  if (list_chunks_ == nullptr) return Status::NotSupported("values that are lists of chunks");
  pieces_.clear();
  Status status = list_chunks_(*pool_, reference, &pieces_);
  for (const ValuePiece& piece : pieces_) {
    if (!status.ok()) break;
    status = AddPiece(piece.place, piece.bytes);
  }
  return status;
}

Status ValueUses::AddPiece(Place place, uint64_t bytes) {
  const uint64_t extent_size = pool_->extent_size();
  const Place extent = place & ~(extent_size - 1);
  if (last_ == nullptr || last_->extent != extent) {
    const auto found = uses_.find(extent);
    if (found != uses_.end()) {
      last_ = &found->second;
    } else {
      const Status status = NewUse(extent, &last_);
      if (!status.ok()) return status;
    }
  }
  if (place - extent + bytes > extent_size) {
    return Status::Corruption("value at place " + NumberToString(place),
                              "reaches beyond its extent");
  }
  last_->live_bytes += bytes;
  return Status::OK();
}

Status ValueUses::NewUse(Place extent, ValueExtentUse** use) {
  ExtentHeader header;
  Status status = ReadExtentHeader(*pool_, extent, &header);
  if (status.ok() && header.kind != ExtentKind::kValue) {
    status = Status::Corruption("extent at place " + NumberToString(extent), "holds no values");
  }
  if (status.ok()) {
    *use = &uses_.emplace(extent, ValueExtentUse{extent, header.salt, 0}).first->second;
  }
  return status;
}

std::vector<ValueExtentUse> ValueUses::Sorted() const {
  std::vector<ValueExtentUse> sorted;
  sorted.reserve(uses_.size());
  for (const auto& [extent, use] : uses_) sorted.push_back(use);
  std::sort(sorted.begin(), sorted.end(),
            [](const ValueExtentUse& a, const ValueExtentUse& b) { return a.extent < b.extent; });
  return sorted;
}

}  // namespace leveldb
