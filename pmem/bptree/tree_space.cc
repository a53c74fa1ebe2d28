#include "pmem/bptree/tree_space.h"

#include <cassert>

#include "pmem/media/extent_header.h"

namespace leveldb {

static_assert(ExtentHeader::kSize <= kLeafUnit);

TreeSpace::TreeSpace(Pool* pool, Extents* extents, uint64_t number, uint64_t salt)
    : pool_(pool), extents_(extents), number_(number), salt_(salt) {}

TreeSpace::~TreeSpace() {
  if (!is_owner_) return;
  for (const ExtentRun& run : runs_) extents_->Forget(run.begin, run.length);
}

Status TreeSpace::AddRun(uint64_t bytes) {
  const uint64_t extent_size = extents_->extent_size();
  const uint64_t count = (kLeafUnit + bytes + extent_size - 1) / extent_size;
  if (count > UINT32_MAX) return Status::NotSupported("an entry too large for a tree");
  ExtentRun run;
  run.length = static_cast<uint32_t>(count);
  const Status status = extents_->Reserve(run.length, &run.begin);
  if (!status.ok()) return status;
  ExtentHeader header;
  header.kind = ExtentKind::kTree;
  header.object = number_;
  header.salt = salt_;
  header.length = run.length;
  header.position = static_cast<uint32_t>(runs_.size());
  WriteExtentHeader(pool_, run.begin, header);
  runs_.push_back(run);
  next_ = run.begin + kLeafUnit;
  end_ = run.begin + run.length * extent_size;
  return status;
}

Status TreeSpace::Take(uint64_t bytes, PoolOffset* pool_offset) {
  assert(bytes % kLeafUnit == 0);
  if (bytes > room()) {
    const Status status = AddRun(bytes);
    if (!status.ok()) return status;
  }
  *pool_offset = next_;
  next_ += bytes;
  return Status::OK();
}

}  // namespace leveldb
