// The pieces are found with the library's own readers: from the root to the logs, from the
// manifest's records to the trees, and from both to the values. Everything else is unused space.

#include "testing/corruption/pool_pieces.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "entry/compact_batch.h"
#include "entry/internal_key.h"
#include "entry/value_ref.h"
#include "leveldb/comparator.h"
#include "pmem/bptree/footer_layout.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/media/extent_header.h"
#include "pmem/media/heap_layout.h"
#include "pmem/media/pool.h"
#include "pmem/value/value_layout.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/wal_reader.h"
#include "util/coding.h"

namespace leveldb {
namespace testkit {

namespace {

// Offsets in our root (pool_root.h).
constexpr uint64_t kSumAt = 60;
constexpr uint64_t kOwnerAt = 64;
constexpr uint64_t kWordsAt = 1536;
constexpr uint64_t kSlabsAt = 1600;
constexpr uint64_t kSlabEntryBytes = 32;
constexpr uint64_t kLogSlotsAt = 5696;
constexpr uint64_t kLogSlotBytes = 64;

void Expect(const Status& status) {
  if (!status.ok()) {
    std::fprintf(stderr, "corruption: the base is not as expected: %s\n",
                 status.ToString().c_str());
    std::abort();
  }
}

class PoolPieces {
 public:
  PoolPieces(const std::string& file, const Image& image, const NamedParts& named, PieceMap* map)
      : file_(file), bytes_(image.at(file)), named_(named), map_(map) {
    PoolOptions options;
    options.path = file;
    options.assume_pmem = true;
    Expect(Pool::Open(options, nullptr, &pool_));
  }

  void Find() {
    root_ = pool_->root()->identity().here;
    for (const LogSlot& slot : pool_->root()->Logs()) {
      if (slot.number >= named_.log_number) FindLog(slot);
    }
    FindRoot();
    FindHeap();
    for (const TreeRecord& tree : named_.trees) FindTree(tree);
    for (auto& [pool_offset, piece] : values_) map_->pieces.push_back(std::move(piece));
    FindUnusedRoom();
  }

 private:
  Piece Begin(Structure structure, const std::string& field, uint64_t at, uint64_t size,
              bool is_checked) const {
    Piece piece;
    piece.structure = structure;
    piece.file = file_;
    piece.Start(field, at, size, is_checked);
    return piece;
  }

  void FindRoot() {
    Piece piece = Begin(Structure::kRootIdentity, "magic", root_, 8, true);
    piece.Add("version", 4, true);
    piece.Add("owner length", 4, true);
    piece.Add("id", 16, true);
    piece.Add("extent size", 8, true);
    piece.Add("here", 8, true);
    piece.Add("zeros", 12, true);
    piece.Add("sum", kOwnerAt - kSumAt, true);
    const size_t owner = pool_->owner().size();
    piece.Add("owner", owner, true);
    piece.Add("padding", kWordsAt - kOwnerAt - owner, false);
    map_->pieces.push_back(piece);
    for (const char* const word : {"epoch", "clean epoch", "bytes", "ceiling"}) {
      const uint64_t at = words_.size() * 8 + root_ + kWordsAt;
      words_.push_back(Begin(Structure::kRootWords, word, at, 8, true));
    }
    map_->pieces.insert(map_->pieces.end(), words_.begin(), words_.end());
    const size_t slabs = pool_->slabs().size();
    for (size_t i = 0; i <= slabs; ++i) {  // and one unused entry
      const uint64_t at = root_ + kSlabsAt + i * kSlabEntryBytes;
      piece = Begin(Structure::kRootSlabs, i < slabs ? "object" : "unused", at, 16, i < slabs);
      piece.Add("length", 8, i < slabs);
      piece.Add("sum", 4, i < slabs);
      piece.Add("seal", 4, false);  // without it libpmemobj is called
      map_->pieces.push_back(piece);
    }
    for (size_t i = 0; i < PoolRoot::kLogsMax; ++i) FindLogSlot(i);
  }

  void FindLogSlot(size_t index) {
    const uint64_t at = root_ + kLogSlotsAt + index * kLogSlotBytes;
    const uint64_t number = LoadFixed64(bytes_.data() + at);
    const bool is_used = log_of_number_.count(number) > 0;
    if (!is_used && index > 1) return;  // two unused slots are enough
    Piece piece = Begin(Structure::kRootLogSlots, is_used ? "number" : "unused", at, 8, is_used);
    piece.Add("first", 8, is_used);
    piece.Add("salt", 8, is_used);
    piece.Add("zeros", 36, is_used);
    piece.Add("sum", 4, is_used);
    map_->pieces.push_back(piece);
  }

  void FindHeap() {
    map_->pieces.push_back(
        Begin(Structure::kPoolHeader, "header", 0, HeapLayout::kDescriptorAt, false));
    const uint64_t heap = LoadFixed64(bytes_.data() + HeapLayout::kHeapOffsetAt);
    const uint64_t end = pool_->slabs().front().begin;
    map_->pieces.push_back(Begin(Structure::kPoolHeap, "descriptor", HeapLayout::kDescriptorAt,
                                 HeapLayout::kLanesAt - HeapLayout::kDescriptorAt, false));
    map_->pieces.push_back(Begin(Structure::kPoolHeap, "lanes", HeapLayout::kLanesAt,
                                 heap - HeapLayout::kLanesAt, false));
    if (root_ > heap) {
      map_->pieces.push_back(Begin(Structure::kPoolHeap, "heap", heap, root_ - heap, false));
    }
    const uint64_t behind = root_ + PoolRoot::kBytes;
    if (end > behind) {
      map_->pieces.push_back(Begin(Structure::kPoolHeap, "heap", behind, end - behind, false));
    }
  }

  void AddExtentHeader(Structure structure, PoolOffset extent, bool is_asked,
                       std::vector<LogCut> cuts) {
    Piece piece = Begin(structure, "magic", extent, 4, is_asked);
    piece.Add("kind", 2, is_asked);
    piece.Add("zeros", 2, is_asked);
    piece.Add("ids", 24, is_asked);
    piece.Add("length", 8, is_asked);
    piece.Add("reserved", 20, is_asked);
    piece.Add("sum", 4, is_asked);
    piece.cuts = std::move(cuts);
    map_->pieces.push_back(piece);
  }

  void FindLog(const LogSlot& slot) {
    const int number = static_cast<int>(map_->logs.size());
    log_of_number_[slot.number] = number;
    LogRecords log;
    log.file = file_;
    WalReader reader(*pool_, slot);
    Expect(reader.Open());
    log.is_fenced_in_order = !reader.start().deferred && !reader.start().unordered;
    WalPosition before{0, ExtentHeader::kSize};
    AddLogSpan(reader, before, reader.end(), {number, 0});
    before = reader.end();
    std::map<PoolOffset, size_t> named_before;  // extents of values, by the first record after them
    Slice record;
    std::string scratch;
    while (reader.ReadRecord(&record, &scratch)) {
      const LogCut cut{number, log.records.size()};
      for (const PoolOffset extent : reader.value_extents())
        named_before.emplace(extent, cut.record);
      AddLogSpan(reader, before, reader.end(), cut);
      std::vector<KeyVersion> carries;
      CompactBatchCursor cursor(record, reader.start().first_sequence);
      while (cursor.Next()) {
        const KeyVersion version{cursor.key().ToString(), cursor.sequence()};
        carries.push_back(version);
        if (cursor.type() == kTypeValueRef) AddValue(cursor.value(), version, &cut);
      }
      log.records.push_back(std::move(carries));
      before = reader.end();
    }
    Expect(reader.status());
    const std::vector<PoolOffset> extents = reader.extents();
    if (reader.sealed()) {
      const uint64_t at = extents[before.link] + before.used;
      Piece piece = Begin(Structure::kPoolLog, "seal sum", at, 4, true);
      piece.Add("seal", 10, true);
      piece.cuts.push_back({number, log.records.size()});
      map_->pieces.push_back(piece);
    }
    log.end_is_proven = reader.sealed() && pool_->was_clean();
    for (size_t link = 0; link < extents.size(); ++link) {
      AddExtentHeader(Structure::kLogExtentHeader, extents[link], true,
                      {{number, first_record_of_[{number, link}]}});
    }
    for (const auto& [extent, first] : named_before) {
      value_extents_[extent].push_back({number, first});
    }
    map_->logs.push_back(std::move(log));
  }

  // Adds the part of the log between two positions, which may be in two extents.
  void AddLogSpan(const WalReader& reader, const WalPosition& from, const WalPosition& to,
                  const LogCut& cut) {
    const std::vector<PoolOffset> extents = reader.extents();
    for (size_t link = from.link; link <= to.link; ++link) {
      first_record_of_.emplace(std::make_pair(cut.log, link), cut.record);
      const uint64_t begin = link == from.link ? from.used : ExtentHeader::kSize;
      const uint64_t end = link == to.link ? to.used : pool_->extent_size();
      if (end - begin < 8) continue;
      const uint64_t at = extents[link] + begin;
      Piece piece = Begin(Structure::kPoolLog, "sum", at, 4, true);
      piece.Add("size and kind", 1, true);
      // Records are padded, and a span may have several records.
      WalRecord record;
      const bool is_one =
          link == to.link && from.link == to.link &&
          ParseWalRecord(bytes_.data() + at, end - begin,
                         SumSeed(reader.salt(), from.link * pool_->extent_size() + from.used),
                         &record) &&
          end - begin - record.size < 64;
      const uint64_t payload = is_one ? record.size - 5 : end - begin - 5;
      piece.Add("payload", payload, is_one);
      piece.Add("padding", end - begin - 5 - payload, false);
      piece.cuts.push_back(cut);
      map_->pieces.push_back(piece);
    }
  }

  // `cut`, if not null, is the position in a log that refers to the value.
  void AddValue(const Slice& encoded, const KeyVersion& version, const LogCut* cut) {
    ValueRef reference;
    if (!DecodeValueRef(encoded, &reference)) Expect(Status::Corruption("a bad reference"));
    std::vector<ValuePiece> pieces;
    Expect(ListValuePieces(*pool_, reference, &pieces));
    for (const ValuePiece& part : pieces) {
      Piece& piece = values_[part.pool_offset];
      if (piece.fields.empty()) {
        const bool is_list = reference.is_chunk_list && part.pool_offset == reference.pool_offset;
        piece = Begin(is_list ? Structure::kChunkList : Structure::kValue,
                      is_list ? "sum" : "bytes", part.pool_offset, is_list ? 4 : part.bytes, true);
        if (is_list) piece.Add("chunks", part.bytes - 4, true);
      }
      piece.carries.push_back(version);
      if (cut != nullptr) piece.cuts.push_back(*cut);
      value_extents_[part.pool_offset & ~(pool_->extent_size() - 1)];
    }
  }

  void FindTree(const TreeRecord& record) {
    const InternalKeyComparator comparator(BytewiseComparator());
    TreeContext context;
    context.pool = pool_.get();
    context.comparator = &comparator;
    std::unique_ptr<TreeMeta> meta;
    Expect(ReadTreeMeta(context, record, &meta));
    for (const ExtentRun& run : meta->runs) {
      AddExtentHeader(Structure::kTreeRunHeader, run.begin, true, {});
    }
    for (const ValueExtentUse& use : meta->value_extents) value_extents_[use.extent];
    FindTreeFooter(record);
    for (size_t i = 0; i < meta->leaves.size(); ++i) {
      LeafView leaf;
      Expect(meta->OpenLeaf(*pool_, i, true, &leaf));
      FindLeaf(meta->leaves[i].pool_offset(), leaf);
    }
  }

  void FindTreeFooter(const TreeRecord& record) {
    namespace layout = footer_layout;
    const char* const footer = bytes_.data() + record.footer_offset;
    const uint32_t runs = LoadFixed32(footer + layout::kRunCountAt);
    const uint32_t parts = LoadFixed32(footer + layout::kPieceCountAt);
    Piece piece = Begin(Structure::kTreeFooter, "magic", record.footer_offset, 8, true);
    piece.Add("ids", layout::kEntriesAt - layout::kPoolAt, true);
    piece.Add("counts", layout::kHeaderSize - layout::kEntriesAt, true);
    piece.Add("runs", runs * layout::kRunSize, true);
    piece.Add("pieces", parts * layout::kPieceSize, true);
    map_->pieces.push_back(piece);
    uint64_t index_bytes = LoadFixed64(footer + layout::kIndexBytesAt);
    const char* part = footer + layout::kHeaderSize + runs * layout::kRunSize;
    for (uint32_t i = 0; i < parts; ++i, part += layout::kPieceSize) {
      const PoolOffset pool_offset = LoadFixed64(part);
      const uint64_t bytes = LoadFixed32(part + 8);
      const uint64_t of_index = std::min(bytes, index_bytes);
      index_bytes -= of_index;
      if (of_index > 0) {
        map_->pieces.push_back(Begin(Structure::kTreeIndex, "index", pool_offset, of_index, true));
      }
      if (bytes > of_index) {
        map_->pieces.push_back(Begin(Structure::kTreeFilter, "filter", pool_offset + of_index,
                                     bytes - of_index, true));
      }
    }
  }

  void FindLeaf(PoolOffset pool_offset, const LeafView& leaf) {
    Piece piece = Begin(Structure::kLeaf, "crc", pool_offset, 4, true);
    piece.Add("used", 4, true);
    piece.Add("counts", 8, true);
    piece.Add("first sequence", 8, true);
    const size_t fingerprints = leaf.fingerprints() != nullptr ? leaf.count() : 0;
    piece.Add("fingerprints", fingerprints, true);
    piece.Add("offsets", 2 * leaf.count(), true);
    piece.Add("prefix", leaf.prefix().size(), true);
    piece.Add("entries", pool_offset + leaf.used() - piece.end(), true);
    piece.Add("padding", leaf.size() - leaf.used(), false);
    for (size_t i = 0; i < leaf.count(); ++i) {
      LeafEntry entry;
      if (!leaf.ReadEntry(i, &entry)) Expect(Status::Corruption("a bad entry"));
      const KeyVersion version{leaf.prefix().ToString() + entry.suffix.ToString(), entry.sequence};
      piece.carries.push_back(version);
      if (entry.type == kTypeValueRef) AddValue(entry.value, version, nullptr);
    }
    map_->pieces.push_back(piece);
  }

  void FindUnusedRoom() {
    for (const auto& [extent, cuts] : value_extents_) {
      // Trees do not read it.
      AddExtentHeader(Structure::kValueExtentHeader, extent, !cuts.empty(), cuts);
    }
    std::vector<std::pair<uint64_t, uint64_t>> used;
    for (const Piece& piece : map_->pieces) {
      if (IsInPool(piece.structure)) used.emplace_back(piece.begin(), piece.end());
    }
    std::sort(used.begin(), used.end());
    for (const Slab& slab : pool_->slabs()) {
      uint64_t at = slab.begin;
      for (const auto& [begin, end] : used) {
        if (begin > at && begin <= slab.end) {
          map_->pieces.push_back(Begin(Structure::kUnused, "gap", at, begin - at, false));
        }
        at = std::max(at, end);
      }
      if (at < slab.end) {
        map_->pieces.push_back(Begin(Structure::kUnused, "rest", at, slab.end - at, false));
      }
    }
  }

  const std::string file_;
  const std::string& bytes_;
  const NamedParts& named_;
  PieceMap* const map_;
  std::unique_ptr<Pool> pool_;
  PoolOffset root_ = kNoPoolOffset;
  std::vector<Piece> words_;
  std::map<uint64_t, int> log_of_number_;
  std::map<std::pair<int, size_t>, size_t> first_record_of_;  // by log and link
  std::map<PoolOffset, Piece> values_;
  std::map<PoolOffset, std::vector<LogCut>> value_extents_;
};

}  // namespace

void FindPoolPieces(const ImagePlace& image_place, const Image& image, const NamedParts& named,
                    PieceMap* map) {
  PoolPieces(image_place.pool(), image, named, map).Find();
}

}  // namespace testkit
}  // namespace leveldb
