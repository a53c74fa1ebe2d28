#include "pmem/bptree/tree_meta_writer.h"

#include <algorithm>
#include <cassert>

#include "pmem/bptree/footer_layout.h"
#include "pmem/bptree/separators.h"
#include "util/blocked_bloom_filter.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/key_bytes.h"

namespace leveldb {

namespace {

uint64_t RoundedUp(uint64_t bytes) {
  return (bytes + kLeafUnit - 1) / kLeafUnit * kLeafUnit;
}

}  // namespace

void TreeMetaWriter::AddSeparator(const Slice& user_key, uint64_t trailer) {
  const size_t shared = CommonPrefixLength(user_key.data(), separator_.data(),
                                           std::min(user_key.size(), separator_.size()));
  const size_t rest = user_key.size() - shared;
  const bool has_trailer = trailer != kBeforeAllVersions;
  AppendVarint32(&leaves_, static_cast<uint32_t>(shared));
  AppendVarint64(&leaves_, uint64_t{rest} << 1 | (has_trailer ? 1 : 0));
  leaves_.append(user_key.data() + shared, rest);
  if (has_trailer) AppendFixed64(&leaves_, trailer);
  separator_.assign(user_key.data(), user_key.size());
}

void TreeMetaWriter::AddLeaf(PoolOffset pool_offset, uint64_t size, uint64_t user_bytes) {
  const bool begins_run = pool_offset != leaf_end_;
  AppendVarint64(&leaves_, size / kLeafUnit << 1 | (begins_run ? 1 : 0));
  AppendVarint64(&leaves_, user_bytes);
  leaf_end_ = pool_offset + size;
  leaf_count_++;
}

void TreeMetaWriter::AddLeafFilter(const Slice& filter) {
  AppendLengthPrefixed(&leaf_filters_, filter);
}

Status TreeMetaWriter::Write(const std::vector<ValueExtentUse>& value_extents, const Slice& filter,
                             const FilterPolicy* policy, TreeRecord* record) {
  assert(filter.size() % BlockedBloomFilter::kBlockBytes == 0);
  std::string index;
  AppendVarint64(&index, value_extents.size());
  for (const ValueExtentUse& use : value_extents) {
    AppendVarint64(&index, use.extent / pool_->extent_size());
    AppendFixed64(&index, use.salt);
    AppendVarint64(&index, use.live_bytes);
  }
  index.append(leaves_);
  AppendLengthPrefixed(&index, policy == nullptr ? "" : policy->Name());
  index.append(leaf_filters_);

  std::vector<Piece> pieces;
  Status status = WritePieces(index, &pieces);
  if (status.ok()) status = WritePieces(filter, &pieces);
  if (status.ok()) {
    status =
        WriteFooter(index.size(), filter.size() / BlockedBloomFilter::kBlockBytes, pieces, record);
  }
  return status;
}

Status TreeMetaWriter::WritePieces(Slice bytes, std::vector<Piece>* pieces) {
  const uint64_t whole_extent = pool_->extent_size() - kLeafUnit;
  while (!bytes.empty()) {
    const uint64_t room = space_->room() > 0 ? space_->room() : whole_extent;
    const size_t n = static_cast<size_t>(std::min<uint64_t>(bytes.size(), room));
    Piece piece;
    const Status status = space_->Take(RoundedUp(n), &piece.pool_offset);
    if (!status.ok()) return status;
    piece.bytes = static_cast<uint32_t>(n);
    piece.crc = crc32c::Value(bytes.data(), n);
    pool_->persist()->Copy(pool_->At(piece.pool_offset), bytes.data(), n);
    written_bytes_ += n;
    pieces->push_back(piece);
    bytes.remove_prefix(n);
  }
  return Status::OK();
}

Status TreeMetaWriter::WriteFooter(uint64_t index_bytes, uint64_t filter_blocks,
                                   const std::vector<Piece>& pieces, TreeRecord* record) {
  // Taking the room may add one more run, which the footer then names, too.
  const size_t runs_max = space_->runs().size() + 1;
  const size_t most = footer_layout::kHeaderSize + runs_max * footer_layout::kRunSize +
                      pieces.size() * footer_layout::kPieceSize;
  const Status status = space_->Take(RoundedUp(most), &record->footer_offset);
  if (!status.ok()) return status;

  std::string footer;
  AppendFixed32(&footer, footer_layout::kMagic);
  AppendFixed32(&footer, footer_layout::kVersion);
  AppendFixed64(&footer, pool_->id().Folded());
  AppendFixed64(&footer, record->number);
  AppendFixed64(&footer, record->salt);
  AppendFixed64(&footer, record->entries);
  AppendFixed64(&footer, record->leaf_bytes);
  AppendFixed64(&footer, record->user_bytes);
  AppendFixed64(&footer, leaf_count_);
  AppendFixed64(&footer, index_bytes);
  AppendFixed64(&footer, filter_blocks);
  AppendFixed32(&footer, static_cast<uint32_t>(space_->runs().size()));
  AppendFixed32(&footer, static_cast<uint32_t>(pieces.size()));
  assert(footer.size() == footer_layout::kHeaderSize);
  for (const ExtentRun& run : space_->runs()) {
    AppendFixed64(&footer, run.begin);
    AppendFixed32(&footer, run.length);
  }
  for (const Piece& piece : pieces) {
    AppendFixed64(&footer, piece.pool_offset);
    AppendFixed32(&footer, piece.bytes);
    AppendFixed32(&footer, piece.crc);
  }
  record->footer_bytes = static_cast<uint32_t>(footer.size());
  record->footer_crc = crc32c::Value(footer.data(), footer.size());
  pool_->persist()->Copy(pool_->At(record->footer_offset), footer.data(), footer.size());
  written_bytes_ += footer.size();
  return status;
}

}  // namespace leveldb
