#include "pmem/bptree/tree.h"

#include <utility>

#include "entry/value_ref.h"
#include "pmem/bptree/check.h"
#include "pmem/bptree/iter.h"
#include "pmem/bptree/search.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/bptree/tree_references.h"
#include "pmem/bptree/value_hints.h"
#include "pmem/media/pool.h"

namespace leveldb {

Status Tree::Open(const TreeContext& context, const TreeRecord& record, TreePtr* tree) {
  std::unique_ptr<TreeMeta> meta;
  Status status = ReadTreeMeta(context, record, &meta);
  if (status.ok()) status = CheckTreeExtents(context, *meta);
  if (status.ok()) status = MarkTreeExtents(context, *meta);
  if (status.ok()) *tree = std::make_shared<const Tree>(context, std::move(meta));
  return status;
}

Tree::Tree(const TreeContext& context, std::unique_ptr<const TreeMeta> meta)
    : context_(context), meta_(std::move(meta)) {}

Tree::~Tree() {
  DropTreeExtents(context_, *meta_);
}

const TreeRecord& Tree::record() const {
  return meta_->record;
}

const std::vector<ValueExtentUse>& Tree::value_extents() const {
  return meta_->value_extents;
}

uint64_t Tree::dram_bytes() const {
  return sizeof(*this) + sizeof(*meta_) + meta_->memory_bytes();
}

uint64_t Tree::pool_bytes() const {
  uint64_t bytes = 0;
  for (const ExtentRun& run : meta_->runs) bytes += run.length * context_.pool->extent_size();
  return bytes;
}

uint64_t Tree::leaf_count() const {
  return meta_->leaves.size();
}

bool Tree::MayContain(uint64_t hash) const {
  return meta_->filter.MayContain(hash);
}

void Tree::PrefetchFilter(uint64_t hash) const {
  meta_->filter.Prefetch(hash);
}

const ValueHints* Tree::value_hints() const {
  return meta_->value_bytes > 0 ? context_.value_hints : nullptr;
}

Status Tree::Get(const LookupKey& key, uint64_t hash, bool verify_checksums, TreeHit* hit) const {
  const TreeMeta& meta = *meta_;
  const Slice internal_key = key.internal_key();
  const Slice user_key = key.user_key();
  const uint64_t trailer = ExtractTrailer(internal_key);
  hit->found = false;
  const ValueHints* const hints = value_hints();
  const size_t leaf = meta.separators.Find(user_key, trailer);
  if (!meta.filter.LeafMayContain(leaf, internal_key)) return Status::OK();
  meta.PrefetchSearchedLeaf(*context_.pool, leaf, user_key);
  const PoolOffset hinted = hints == nullptr ? kNoPoolOffset : hints->Find(hash);
  if (hinted != kNoPoolOffset) {
    meta.PrefetchValue(*context_.pool, hinted, /*is_for_once=*/!hints->AreReused());
  }
  LeafView view;
  const Status status = meta.OpenLeaf(*context_.pool, leaf, verify_checksums, &view);
  if (!status.ok()) return status;
  if (meta.hints.IsWanted(leaf)) meta.hints.Learn(leaf, view);
  LeafEntry entry;
  if (!FindVersionInLeaf(view, *context_.comparator, user_key, trailer >> 8, hash, &hit->found,
                         &entry)) {
    hit->found = false;
    return meta.DamagedLeaf(*context_.pool, leaf, "has a malformed entry");
  }
  if (hit->found) {
    hit->type = entry.type;
    hit->sequence = entry.sequence;
    hit->value = entry.value;
    if (hints != nullptr && entry.type == kTypeValueRef) {
      const PoolOffset pool_offset = ValueRefOffsetWord(entry.value);
      if (pool_offset != hinted) hints->Learn(hash, pool_offset);
      hints->OnRead(hash);
    }
  }
  return status;
}

TreeIterator* Tree::NewIterator(bool verify_checksums, const ReadAhead* read_ahead) const {
  return new TreeIterator(context_, meta_.get(), verify_checksums, read_ahead);
}

uint64_t Tree::ApproximateOffset(const Slice& internal_key) const {
  const TreeMeta& meta = *meta_;
  const InternalKeyComparator& comparator = *context_.comparator;
  const Slice user_key = ExtractUserKey(internal_key);
  if (comparator.CompareUserKeys(user_key, smallest_user_key()) < 0) return 0;
  if (comparator.CompareUserKeys(user_key, largest_user_key()) > 0) return meta.record.user_bytes;
  const uint64_t trailer = ExtractTrailer(internal_key);
  const size_t leaf = meta.separators.Find(user_key, trailer);
  uint64_t offset = meta.user_bytes_before[leaf];
  LeafView view;
  size_t end;
  if (!meta.OpenLeaf(*context_.pool, leaf, false, &view).ok() ||
      !FindInLeaf(view, comparator, user_key, trailer, &end)) {
    return offset;
  }
  for (size_t i = 0; i < end; i++) {
    LeafEntry entry;
    if (!view.ReadEntry(i, &entry)) break;
    offset += UserBytes(view, entry);
  }
  return offset;
}

Status Tree::Check(const Report& report) const {
  return CheckTree(context_, *meta_, report);
}

}  // namespace leveldb
