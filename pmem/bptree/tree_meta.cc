#include "pmem/bptree/tree_meta.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "pmem/bptree/footer_layout.h"
#include "pmem/media/pool.h"
#include "port/cache_line.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/key_bytes.h"
#include "util/prefetch.h"
#include "util/text.h"

namespace leveldb {

Status DamagedTree(const Pool& pool, const TreeRecord& record, const std::string& what) {
  return Status::Corruption("tree #" + NumberToString(record.number) + " in pool " + pool.path(),
                            what);
}

namespace {

// Reads the meta of one tree.
class MetaReader {
 public:
  MetaReader(const TreeContext& context, const TreeRecord& record, TreeMeta* meta)
      : context_(context), pool_(*context.pool), record_(record), meta_(meta) {}

  Status Read() {
    Status status = ReadFooter();
    if (status.ok()) status = ReadBody();
    if (!status.ok()) return status;
    SliceReader index(index_);
    if (!ReadValueExtents(&index)) return Damaged("has a malformed list of value extents");
    status = ReadLeaves(&index);
    if (!status.ok()) return status;
    if (!ReadLeafFilters(&index)) return Damaged("has malformed filters");
    return Status::OK();
  }

 private:
  struct Piece {
    PoolOffset pool_offset;
    uint32_t bytes;
    uint32_t crc;
  };

  Status Damaged(const std::string& what) const { return DamagedTree(pool_, record_, what); }

  bool MatchesRecord(const char* footer) const {
    using namespace footer_layout;
    return LoadFixed64(footer + kPoolAt) == pool_.id().Folded() &&
           LoadFixed64(footer + kNumberAt) == record_.number &&
           LoadFixed64(footer + kSaltAt) == record_.salt &&
           LoadFixed64(footer + kEntriesAt) == record_.entries &&
           LoadFixed64(footer + kLeafBytesAt) == record_.leaf_bytes &&
           LoadFixed64(footer + kUserBytesAt) == record_.user_bytes;
  }

  Status ReadFooter() {
    using namespace footer_layout;
    if (record_.footer_bytes < kHeaderSize ||
        !pool_.Contains(record_.footer_offset, record_.footer_bytes)) {
      return Damaged("has no footer at place " + NumberToString(record_.footer_offset));
    }
    const char* const footer = pool_.At(record_.footer_offset);
    if (LoadFixed32(footer + kMagicAt) != kMagic ||
        crc32c::Value(footer, record_.footer_bytes) != record_.footer_crc) {
      return Damaged("has a damaged footer at place " + NumberToString(record_.footer_offset));
    }
    if (LoadFixed32(footer + kVersionAt) != kVersion) return Damaged("is of an unknown format");
    if (!MatchesRecord(footer)) return Damaged("is another than the manifest says");
    leaf_count_ = LoadFixed64(footer + kLeavesAt);
    index_bytes_ = LoadFixed64(footer + kIndexBytesAt);
    filter_blocks_ = LoadFixed64(footer + kFilterBlocksAt);
    const uint64_t run_count = LoadFixed32(footer + kRunCountAt);
    const uint64_t piece_count = LoadFixed32(footer + kPieceCountAt);
    if (kHeaderSize + run_count * kRunSize + piece_count * kPieceSize != record_.footer_bytes) {
      return Damaged("has a malformed footer");
    }
    const char* p = footer + kHeaderSize;
    for (uint64_t i = 0; i < run_count; i++, p += kRunSize) {
      meta_->runs.push_back({LoadFixed64(p), LoadFixed32(p + 8)});
    }
    for (uint64_t i = 0; i < piece_count; i++, p += kPieceSize) {
      pieces_.push_back({LoadFixed64(p), LoadFixed32(p + 8), LoadFixed32(p + 12)});
    }
    return CheckRuns();
  }

  Status CheckRuns() const {
    const uint64_t extent_size = pool_.extent_size();
    for (const ExtentRun& run : meta_->runs) {
      if (run.length == 0 || run.begin % extent_size != 0 ||
          !pool_.Contains(run.begin, run.length * extent_size)) {
        return Damaged("names extents at " + NumberToString(run.begin) + " that are none");
      }
    }
    return Status::OK();
  }

  // Puts the pieces together: the index into a string, the filter's blocks into their final memory.
  Status ReadBody() {
    uint64_t bytes = 0;
    for (const Piece& piece : pieces_) {
      if (!pool_.Contains(piece.pool_offset, piece.bytes) ||
          crc32c::Value(pool_.At(piece.pool_offset), piece.bytes) != piece.crc) {
        return Damaged("is damaged at place " + NumberToString(piece.pool_offset));
      }
      bytes += piece.bytes;
    }
    // Each size is bounded by the one before, so none can be absurdly large.
    if (bytes > pool_.size() || index_bytes_ > bytes || leaf_count_ > index_bytes_ ||
        filter_blocks_ > (bytes - index_bytes_) / BlockedBloomFilter::kBlockBytes ||
        index_bytes_ + filter_blocks_ * BlockedBloomFilter::kBlockBytes != bytes) {
      return Damaged("has a malformed footer");
    }
    index_.resize(index_bytes_);
    FilterBlocks blocks(filter_blocks_);
    uint64_t done = 0;
    for (const Piece& piece : pieces_) {
      Slice rest(pool_.At(piece.pool_offset), piece.bytes);
      if (done < index_bytes_) {
        const size_t n = std::min<uint64_t>(rest.size(), index_bytes_ - done);
        memcpy(index_.data() + done, rest.data(), n);
        rest.remove_prefix(n);
        done += n;
      }
      if (!rest.empty()) memcpy(blocks.data() + (done - index_bytes_), rest.data(), rest.size());
      done += rest.size();
    }
    // Hashes are meaningless where different bytes may be the same key.
    if (filter_blocks_ > 0 && context_.comparator->is_bytewise()) {
      meta_->filter = TreeFilter(std::move(blocks));
    }
    return Status::OK();
  }

  bool ReadValueExtents(SliceReader* index) {
    uint64_t count;
    if (!index->ReadVarint64(&count) || count > index->remaining()) return false;
    meta_->value_extents.reserve(count);
    for (uint64_t i = 0; i < count; i++) {
      uint64_t number;
      ValueExtentUse use;
      if (!index->ReadVarint64(&number) || !index->ReadFixed64(&use.salt) ||
          !index->ReadVarint64(&use.live_bytes) ||
          number > pool_.reserved_bytes() / pool_.extent_size()) {
        return false;
      }
      use.extent = number * pool_.extent_size();
      if (i > 0 && use.extent <= meta_->value_extents.back().extent) return false;
      meta_->value_extents.push_back(use);
    }
    return true;
  }

  // Reads a separator. Separators route keys, so they are checked against each other and the tree's
  // bounds.
  bool ReadSeparator(SliceReader* index) {
    const InternalKeyComparator& comparator = *context_.comparator;
    uint32_t shared;
    uint64_t rest;
    Slice bytes;
    if (!index->ReadVarint32(&shared) || !index->ReadVarint64(&rest) ||
        shared > separator_.size() || !index->ReadBytes(rest >> 1, &bytes)) {
      return false;
    }
    const bool is_first = meta_->separators.size() == 0;
    const std::string before = is_first ? record_.smallest.user_key().ToString() : separator_;
    const uint64_t trailer_before = trailer_;
    separator_.resize(shared);
    separator_.append(bytes.data(), bytes.size());
    trailer_ = kBeforeAllVersions;
    if ((rest & 1) != 0 && !index->ReadFixed64(&trailer_)) return false;
    const int order = comparator.CompareUserKeys(before, separator_);
    if (order > 0 || (order == 0 && trailer_before <= trailer_) ||
        comparator.CompareUserKeys(separator_, record_.largest.user_key()) > 0) {
      return false;
    }
    meta_->separators.Append(separator_, trailer_);
    return true;
  }

  bool ReadSpot(SliceReader* index, size_t* run, PoolOffset* next) {
    uint64_t size;
    if (!index->ReadVarint64(&size)) return false;
    if ((size & 1) != 0) {
      if (++*run >= meta_->runs.size()) return false;
      *next = meta_->runs[*run].begin + kLeafUnit;
    }
    const uint64_t units = size >> 1;
    if (*run >= meta_->runs.size() || units == 0 || units > LeafSpot::kUnitsMax) return false;
    const ExtentRun& in = meta_->runs[*run];
    const PoolOffset end = in.begin + in.length * pool_.extent_size();
    if (units > (end - *next) / kLeafUnit) return false;
    meta_->leaves.push_back(LeafSpot(*next, units * kLeafUnit));
    *next += units * kLeafUnit;
    return true;
  }

  Status ReadLeaves(SliceReader* index) {
    if (leaf_count_ == 0) return Damaged("has no leaves");
    const Slice smallest = record_.smallest.user_key();
    const Slice largest = record_.largest.user_key();
    if (context_.comparator->CompareUserKeys(smallest, largest) > 0) {
      return Damaged("has bounds that are out of order");
    }
    meta_->separators = Separators(context_.comparator, smallest, largest);
    meta_->leaves.reserve(leaf_count_);
    meta_->user_bytes_before.reserve(leaf_count_);
    size_t run = ~size_t{0};  // before the first run
    PoolOffset next = kNoPoolOffset;
    uint64_t user_bytes = 0;
    for (uint64_t leaf = 0; leaf < leaf_count_; leaf++) {
      if (leaf > 0 && !ReadSeparator(index)) {
        return Damaged("has a malformed separator before leaf " + NumberToString(leaf));
      }
      uint64_t leaf_user_bytes;
      if (!ReadSpot(index, &run, &next) || !index->ReadVarint64(&leaf_user_bytes)) {
        return Damaged("does not say where leaf " + NumberToString(leaf) + " is");
      }
      meta_->user_bytes_before.push_back(user_bytes);
      user_bytes += leaf_user_bytes;
    }
    meta_->separators.Seal();
    const uint64_t average = record_.entries / leaf_count_;
    if (context_.comparator->is_bytewise()) PrepareHints();
    meta_->head_bytes = kLeafHeaderSize + static_cast<size_t>(std::min<uint64_t>(average, 400)) * 3;
    return Status::OK();
  }

  void PrepareHints() {
    meta_->hints = LeafHints(leaf_count_);
    uint64_t bytes = 0;
    for (const ValueExtentUse& use : meta_->value_extents) bytes += use.live_bytes;
    if (bytes == 0) return;
    const uint64_t entries = std::max<uint64_t>(record_.entries, 1);
    meta_->value_bytes = std::max<uint64_t>(bytes / entries, kCacheLineBytes);
  }

  bool ReadLeafFilters(SliceReader* index) {
    Slice name;
    if (!index->ReadLengthPrefixed(&name)) return false;
    if (name.empty()) return index->empty();
    LeafFilters filters;
    for (uint64_t leaf = 0; leaf < leaf_count_; leaf++) {
      Slice filter;
      if (!index->ReadLengthPrefixed(&filter)) return false;
      filters.bytes.append(filter.data(), filter.size());
      filters.ends.push_back(filters.bytes.size());
    }
    // Another policy would not understand the filters.
    const FilterPolicy* const policy = context_.user_filter;
    if (policy != nullptr && name == Slice(policy->Name()) && !context_.comparator->is_bytewise()) {
      filters.policy = policy;
      meta_->filter = TreeFilter(std::move(filters));
    }
    return index->empty();
  }

  const TreeContext& context_;
  const Pool& pool_;
  const TreeRecord& record_;
  TreeMeta* const meta_;
  uint64_t leaf_count_ = 0;
  uint64_t index_bytes_ = 0;
  uint64_t filter_blocks_ = 0;
  std::vector<Piece> pieces_;
  std::string index_;
  std::string separator_;  // the one read last
  uint64_t trailer_ = kBeforeAllVersions;
};

}  // namespace

uint64_t TreeMeta::memory_bytes() const {
  return runs.capacity() * sizeof(runs[0]) + value_extents.capacity() * sizeof(value_extents[0]) +
         separators.memory_bytes() + hints.memory_bytes() + leaves.capacity() * sizeof(LeafSpot) +
         user_bytes_before.capacity() * sizeof(uint64_t) + filter.memory_bytes();
}

Status TreeMeta::Damaged(const Pool& pool, const std::string& what) const {
  return DamagedTree(pool, record, what);
}

Status TreeMeta::DamagedLeaf(const Pool& pool, size_t leaf, const std::string& what) const {
  return Damaged(pool, "leaf " + NumberToString(leaf) + " at place " +
                           NumberToString(leaves[leaf].pool_offset()) + " " + what);
}

Status TreeMeta::OpenLeaf(const Pool& pool, size_t leaf, bool verify_checksum,
                          LeafView* view) const {
  const LeafSpot spot = leaves[leaf];
  if (!view->Open(pool.At(spot.pool_offset()), spot.size())) {
    return DamagedLeaf(pool, leaf, "has a malformed header");
  }
  if (verify_checksum && !view->IsIntact(record.salt, spot.pool_offset())) {
    return DamagedLeaf(pool, leaf, "has a wrong checksum");
  }
  return Status::OK();
}

void TreeMeta::PrefetchLeaf(const Pool& pool, size_t leaf) const {
  Prefetch(pool.At(leaves[leaf].pool_offset()), head_bytes);
}

void TreeMeta::PrefetchPart(const Pool& pool, size_t leaf, const LeafPart& part) const {
  // Prefetching more takes longer than it saves.
  constexpr size_t kMost = 4096;
  PrefetchLeaf(pool, leaf);
  const size_t begin = std::max(part.begin, head_bytes);
  const size_t end = std::min(part.end, part.begin + kMost);
  if (end > begin) PrefetchNear(pool.At(leaves[leaf].pool_offset()) + begin, end - begin);
}

void TreeMeta::PrefetchSearchedLeaf(const Pool& pool, size_t leaf) const {
  PrefetchPart(pool, leaf, {0, leaves[leaf].size()});
}

void TreeMeta::PrefetchSearchedLeaf(const Pool& pool, size_t leaf, const Slice& user_key) const {
  const size_t size = leaves[leaf].size();
  LeafPart part = hints.Find(leaf, size, user_key);
  part.end = std::min(part.end + kCacheLineBytes, size);  // the last entry may reach beyond it
  PrefetchPart(pool, leaf, part);
}

// `pool_offset` may be invalid: it may come from damaged bytes.
void TreeMeta::PrefetchValue(const Pool& pool, PoolOffset pool_offset, bool is_for_once) const {
  // With more lines the hardware prefetcher detects that they follow each other.
  constexpr size_t kMost = 1024;
  const size_t bytes = std::min(value_bytes, kMost);
  if (is_for_once) {
    PrefetchForOnce(pool.base() + pool_offset, bytes);
  } else {
    Prefetch(pool.base() + pool_offset, bytes);
  }
}

Status ReadTreeMeta(const TreeContext& context, const TreeRecord& record,
                    std::unique_ptr<TreeMeta>* meta) {
  auto result = std::make_unique<TreeMeta>();
  result->record = record;
  const Status status = MetaReader(context, result->record, result.get()).Read();
  if (status.ok()) *meta = std::move(result);
  return status;
}

}  // namespace leveldb
