#include "pmem/bptree/tree_references.h"

#include <string>
#include <utility>
#include <vector>

#include "pmem/bptree/retired_trees.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/media/extent_header.h"
#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "util/text.h"

namespace leveldb {

namespace {

Status CheckOwnExtent(const Pool& pool, const TreeMeta& meta, size_t position) {
  const ExtentRun& run = meta.runs[position];
  ExtentHeader expected;
  expected.kind = ExtentKind::kTree;
  expected.object = meta.record.number;
  expected.salt = meta.record.salt;
  expected.length = run.length;
  expected.position = static_cast<uint32_t>(position);
  return CheckExtentHeader(pool, run.begin, expected);
}

Status CheckValueExtent(const Pool& pool, const TreeMeta& meta, const ValueExtentUse& use) {
  ExtentHeader header;
  const Status status = ReadExtentHeader(pool, use.extent, &header);
  if (!status.ok()) return status;
  if (header.kind != ExtentKind::kValue || header.salt != use.salt) {
    return meta.Damaged(pool, "refers to values at " + NumberToString(use.extent) +
                                  ", where something else is now");
  }
  return status;
}

// Returns the extents of all references that the tree holds, one element per reference.
std::vector<PoolOffset> AllReferences(const Pool& pool, const TreeMeta& meta) {
  std::vector<PoolOffset> pool_offsets;
  for (const ExtentRun& run : meta.runs) {
    for (uint32_t i = 0; i < run.length; i++) {
      pool_offsets.push_back(run.begin + i * pool.extent_size());
    }
  }
  for (const ValueExtentUse& use : meta.value_extents) pool_offsets.push_back(use.extent);
  return pool_offsets;
}

}  // namespace

Status CheckTreeExtents(const TreeContext& context, const TreeMeta& meta) {
  const Pool& pool = *context.pool;
  Status status;
  for (size_t i = 0; i < meta.runs.size() && status.ok(); i++) {
    status = CheckOwnExtent(pool, meta, i);
  }
  for (size_t i = 0; i < meta.value_extents.size() && status.ok(); i++) {
    status = CheckValueExtent(pool, meta, meta.value_extents[i]);
  }
  return status;
}

Status MarkTreeExtents(const TreeContext& context, const TreeMeta& meta) {
  Status status;
  const std::vector<PoolOffset> pool_offsets = AllReferences(*context.pool, meta);
  size_t marked = 0;
  while (status.ok() && marked < pool_offsets.size()) {
    status = context.extents->MarkUsed(pool_offsets[marked]);
    if (status.ok()) marked++;
  }
  if (!status.ok()) {
    for (size_t i = 0; i < marked; i++) context.extents->Release(pool_offsets[i]);
  }
  return status;
}

void ReferenceValueExtents(const TreeContext& context, const TreeMeta& meta) {
  for (const ValueExtentUse& use : meta.value_extents) context.extents->AddReference(use.extent);
}

void DropTreeExtents(const TreeContext& context, const TreeMeta& meta) {
  if (context.pool == nullptr) return;
  std::vector<PoolOffset> pool_offsets = AllReferences(*context.pool, meta);
  if (context.retired != nullptr) {
    context.retired->Add(std::move(pool_offsets));
    return;
  }
  for (const PoolOffset pool_offset : pool_offsets) context.extents->Release(pool_offset);
}

}  // namespace leveldb
