// The steps from an entry to a tree:
//
//   Add      checks order and parts; counts the use of the value's extent; if the leaf has no room
//            for the entry, writes the leaf and notes the separator before the next one
//   leaf     is put together in DRAM and copied into the pool
//   Finish   writes the last leaf, then filter, index and footer; then syncs, reads all but the
//            leaves back as opening the tree would, and takes the references
//
// If entries are small, a leaf ends at a multiple of the fill size, so that it crosses no page. The
// first leaf of a run is shorter by the run's header; so is a leaf after one that was cut short.
#include "pmem/bptree/builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "entry/value_ref.h"
#include "leveldb/filter_policy.h"
#include "pmem/bptree/leaf_builder.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/separators.h"
#include "pmem/bptree/tree_filter.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/bptree/tree_meta_writer.h"
#include "pmem/bptree/tree_references.h"
#include "pmem/bptree/tree_space.h"
#include "pmem/bptree/value_hints.h"
#include "pmem/bptree/value_uses.h"
#include "pmem/media/pool.h"
#include "util/blocked_bloom_filter.h"
#include "util/copy_short.h"
#include "util/hash64.h"
#include "util/key_bytes.h"

namespace leveldb {

class TreeBuilder::Rep {
 public:
  explicit Rep(const TreeBuildOptions& options)
      : context_(options.context),
        leaf_budget_(options.leaf_bytes),
        filter_bits_per_key_(options.filter_bits_per_key),
        is_bytewise_(context_.comparator->is_bytewise()),
        teach_hints_(options.teach_hints && is_bytewise_ && context_.value_hints != nullptr),
        yield_(options.yield),
        space_(context_.pool, context_.extents, options.number, salt_),
        meta_(context_.pool, &space_),
        uses_(context_.pool, context_.extents, context_.list_chunks),
        leaf_(is_bytewise_) {
    assert(leaf_budget_ % kLeafUnit == 0);
    assert(leaf_budget_ > 0 && leaf_budget_ <= kLeafBytesMax);
    record_.number = options.number;
    record_.salt = salt_;
  }

  void Add(const Slice& internal_key, const Slice& value);
  Status Finish(TreeRecord* record, TreePtr* tree);

  const Status& status() const { return status_; }
  Slice last_key() const { return last_key_; }
  const TreeRecord& record() const { return record_; }
  uint64_t written_bytes() const {
    return record_.leaf_bytes + meta_.written_bytes() + space_.runs().size() * kRunHeaderBytes;
  }

 private:
  static constexpr uint64_t kRunHeaderBytes = 64;

  bool uses_filter() const { return is_bytewise_ && filter_bits_per_key_ > 0; }
  bool notes_hashes() const { return uses_filter() || teach_hints_; }
  bool uses_leaf_filters() const { return !is_bytewise_ && context_.user_filter != nullptr; }

  Status CheckEntry(const Slice& internal_key, const Slice& value, ParsedKey* key);
  uint64_t Budget() const;
  Status WriteLeaf();
  void AddLeafFilter();
  void AddSeparator(const ParsedKey& key);
  void NoteKey(const Slice& internal_key, const ParsedKey& key, uint64_t hash, const Slice& value);
  template <class DoSome>
  void InPortions(size_t count, const DoSome& do_some) const;
  FilterBlocks BuildFilter() const;
  void TeachHints() const;

  const TreeContext context_;
  const uint64_t leaf_budget_;
  const int filter_bits_per_key_;
  const bool is_bytewise_;
  const bool teach_hints_;
  const std::function<void()> yield_;
  const uint64_t salt_ = RandomSalt();

  Status status_;
  TreeRecord record_;
  TreeSpace space_;
  TreeMetaWriter meta_;
  ValueUses uses_;

  LeafBuilder leaf_;
  uint64_t budget_ = 0;           // of the leaf being filled
  uint64_t leaf_user_bytes_ = 0;  // of its entries
  std::string last_key_;          // the internal key added last
  std::vector<uint64_t> hashes_;  // of all user keys; for the filter and hints
  std::vector<PoolOffset>
      pool_offsets_;  // of their values as far as these are in extents, else kNoPoolOffset
  // The internal keys of the leaf, concatenated, for a filter of the caller's policy.
  std::string leaf_keys_;
  std::vector<size_t> leaf_key_ends_;
};

namespace {

Status BadEntry(const char* what, const Slice& internal_key) {
  ParsedKey key;
  const bool is_parsed = ParseInternalKey(internal_key, &key);
  InternalKey named;
  if (is_parsed) named.DecodeFrom(internal_key);
  return Status::Corruption(what, is_parsed ? named.DebugString() : "no internal key");
}

// Returns the shortest prefix of `right` that is greater than `left`. REQUIRES: left < right.
Slice ShortestSeparator(const Slice& left, const Slice& right) {
  const size_t shared =
      CommonPrefixLength(left.data(), right.data(), std::min(left.size(), right.size()));
  assert(shared < right.size());
  return Slice(right.data(), shared + 1);
}

}  // namespace

// Checks an entry before it is used: what was read from media may be anything.
Status TreeBuilder::Rep::CheckEntry(const Slice& internal_key, const Slice& value, ParsedKey* key) {
  if (!ParseInternalKey(internal_key, key)) return BadEntry("malformed entry", internal_key);
  constexpr uint64_t kBytesMax = LeafSpot::kUnitsMax * kLeafUnit - kLeafUnit;
  if (internal_key.size() + value.size() > kBytesMax) {
    return Status::NotSupported("an entry too large for a tree");
  }
  if (!last_key_.empty() && context_.comparator->Compare(last_key_, internal_key) >= 0) {
    return BadEntry("entries out of order for a tree", internal_key);
  }
  if (key->type != kTypeValueRef) return Status::OK();
  ValueRef reference;
  if (!DecodeValueRef(value, &reference)) {
    return BadEntry("malformed reference to a value", internal_key);
  }
  return uses_.Add(reference);
}

void TreeBuilder::Rep::Add(const Slice& internal_key, const Slice& value) {
  if (!status_.ok()) return;
  ParsedKey key;
  status_ = CheckEntry(internal_key, value, &key);
  if (!status_.ok()) return;
  const Slice kept_value = key.type == kTypeDeletion ? Slice() : value;
  const uint64_t hash = is_bytewise_ ? HashKey64(key.user_key) : 0;
  if (!leaf_.Add(key, kept_value, hash, budget_)) {
    status_ = WriteLeaf();
    if (!status_.ok()) return;
    AddSeparator(key);
    leaf_.Add(key, kept_value, hash, budget_);
  }
  if (leaf_.count() == 1) budget_ = Budget();  // the first entry is added regardless
  const uint64_t value_size = key.type == kTypeValueRef ? ValueRefLength(value) : kept_value.size();
  leaf_user_bytes_ += key.user_key.size() + value_size;
  record_.user_bytes += key.user_key.size() + value_size;
  NoteKey(internal_key, key, hash, kept_value);
}

// Notes the hash of the user key, and the pool offset of its value. The first version of a key is
// the newest, whose value a hint leads to.
void TreeBuilder::Rep::NoteKey(const Slice& internal_key, const ParsedKey& key, uint64_t hash,
                               const Slice& value) {
  if (notes_hashes() && (hashes_.empty() || hashes_.back() != hash)) {
    hashes_.push_back(hash);
    if (teach_hints_ && key.type == kTypeValueRef) {
      pool_offsets_.resize(hashes_.size());
      pool_offsets_.back() = ValueRefOffsetWord(value);
    }
  }
  if (uses_leaf_filters()) {
    leaf_keys_.append(internal_key.data(), internal_key.size());
    leaf_key_ends_.push_back(leaf_keys_.size());
  }
  if (record_.entries == 0) record_.smallest.DecodeFrom(internal_key);
  record_.entries++;
  AssignShort(&last_key_, internal_key.data(), internal_key.size());
}

// Returns the size to which the next leaf is filled: up to the next multiple of the fill size, or
// the one after if that is near, but no more than the room left in the run if that is enough for a
// leaf.
uint64_t TreeBuilder::Rep::Budget() const {
  const bool fits_run = space_.room() >= std::max<uint64_t>(leaf_budget_ / 2, kLeafUnit);
  const PoolOffset start = fits_run ? space_.next() : kLeafUnit;
  const uint64_t to_boundary = leaf_budget_ - start % leaf_budget_;
  const uint64_t budget =
      to_boundary >= leaf_budget_ / 2 ? to_boundary : to_boundary + leaf_budget_;
  return fits_run ? std::min(budget, space_.room()) : budget;
}

Status TreeBuilder::Rep::WriteLeaf() {
  size_t used;
  const Slice leaf = leaf_.Finish(&used);
  PoolOffset pool_offset = kNoPoolOffset;
  const Status status = space_.Take(leaf.size(), &pool_offset);
  if (!status.ok()) return status;
  StoreFixed32(const_cast<char*>(leaf.data()), LeafCrc(leaf.data(), used, salt_, pool_offset));
  context_.pool->persist()->Copy(context_.pool->At(pool_offset), leaf.data(), leaf.size());
  meta_.AddLeaf(pool_offset, leaf.size(), leaf_user_bytes_);
  if (uses_leaf_filters()) AddLeafFilter();
  record_.leaf_bytes += leaf.size();
  leaf_user_bytes_ = 0;
  return status;
}

void TreeBuilder::Rep::AddLeafFilter() {
  std::vector<Slice> keys;
  size_t begin = 0;
  for (const size_t end : leaf_key_ends_) {
    keys.emplace_back(leaf_keys_.data() + begin, end - begin);
    begin = end;
  }
  std::string filter;
  context_.user_filter->CreateFilter(keys.data(), static_cast<int>(keys.size()), &filter);
  meta_.AddLeafFilter(filter);
  leaf_keys_.clear();
  leaf_key_ends_.clear();
}

// Notes the separator between the leaf that ended with last_key_ and the one that begins with
// `key`. Versions of one user key may be on both sides: then the separator is the first position
// after the last of the left ones, so that a search for anything after that one goes right.
void TreeBuilder::Rep::AddSeparator(const ParsedKey& key) {
  const Slice left = ExtractUserKey(last_key_);
  if (context_.comparator->CompareUserKeys(left, key.user_key) == 0) {
    meta_.AddSeparator(left, ExtractTrailer(last_key_) - 1);
  } else if (is_bytewise_) {
    meta_.AddSeparator(ShortestSeparator(left, key.user_key), kBeforeAllVersions);
  } else {
    meta_.AddSeparator(key.user_key, kBeforeAllVersions);
  }
}

// Calls do_some(begin, end) for `count` keys in portions, and the caller's `yield` after each: a
// portion takes less than a millisecond, all keys of a large tree tens of milliseconds.
template <class DoSome>
void TreeBuilder::Rep::InPortions(size_t count, const DoSome& do_some) const {
  constexpr size_t kPortion = 8192;
  for (size_t begin = 0; begin < count; begin += kPortion) {
    do_some(begin, std::min(begin + kPortion, count));
    if (yield_) yield_();
  }
}

FilterBlocks TreeBuilder::Rep::BuildFilter() const {
  if (!uses_filter()) return FilterBlocks();
  FilterBlocks blocks(BlockedBloomFilter::BlockCount(hashes_.size(), filter_bits_per_key_));
  memset(blocks.data(), 0, blocks.size());
  InPortions(hashes_.size(), [&](size_t begin, size_t end) {
    BlockedBloomFilter::Add(&hashes_[begin], end - begin, blocks.data(), blocks.count());
  });
  return blocks;
}

// Adds the hints. Buckets are far apart, so each is prefetched some values ahead.
void TreeBuilder::Rep::TeachHints() const {
  InPortions(pool_offsets_.size(), [&](size_t begin, size_t end) {
    constexpr size_t kAhead = 16;
    for (size_t i = begin; i < end; i++) {
      if (i + kAhead < end) context_.value_hints->Prefetch(hashes_[i + kAhead]);
      if (pool_offsets_[i] != kNoPoolOffset)
        context_.value_hints->Learn(hashes_[i], pool_offsets_[i]);
    }
  });
}

Status TreeBuilder::Rep::Finish(TreeRecord* record, TreePtr* tree) {
  if (!status_.ok()) return status_;
  assert(record_.entries > 0);
  status_ = WriteLeaf();
  if (!status_.ok()) return status_;
  record_.largest.DecodeFrom(last_key_);
  const FilterBlocks blocks = BuildFilter();
  TeachHints();
  pool_offsets_ = {};
  hashes_ = {};
  status_ = meta_.Write(uses_.Sorted(), Slice(blocks.data(), blocks.size()),
                        uses_leaf_filters() ? context_.user_filter : nullptr, &record_);
  if (status_.ok()) status_ = context_.pool->persist()->Sync();
  std::unique_ptr<TreeMeta> meta;
  if (status_.ok()) status_ = ReadTreeMeta(context_, record_, &meta);
  if (!status_.ok()) return status_;
  ReferenceValueExtents(context_, *meta);
  space_.HandOver();
  if (record != nullptr) *record = record_;
  *tree = std::make_shared<const Tree>(context_, std::move(meta));
  return status_;
}

TreeBuilder::TreeBuilder(const TreeBuildOptions& options) : rep_(std::make_unique<Rep>(options)) {}

TreeBuilder::~TreeBuilder() = default;

void TreeBuilder::Add(const Slice& internal_key, const Slice& value) {
  rep_->Add(internal_key, value);
}

const Status& TreeBuilder::status() const {
  return rep_->status();
}

Slice TreeBuilder::last_key() const {
  return rep_->last_key();
}

uint64_t TreeBuilder::entries() const {
  return rep_->record().entries;
}

uint64_t TreeBuilder::leaf_bytes() const {
  return rep_->record().leaf_bytes;
}

uint64_t TreeBuilder::user_bytes() const {
  return rep_->record().user_bytes;
}

uint64_t TreeBuilder::written_bytes() const {
  return rep_->written_bytes();
}

Status TreeBuilder::Finish(TreeRecord* record, TreePtr* tree) {
  return rep_->Finish(record, tree);
}

}  // namespace leveldb
