#include "pmem/wal/wal_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "pmem/media/extent_header.h"
#include "util/coding.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Looking for a later record tries every place as the beginning of one. An extent made of
// lookalikes is not worth hanging for; after this much the search ends without a find.
constexpr size_t kSearchBudget = size_t{64} << 20;

// Short records are looked for first: lookalikes of long ones would use the budget up, and the
// record that leads to the next extent is short.
constexpr size_t kShortRecord = 4096;

// No next record is put where there is more room than this: a record that is not cut into pieces
// would have fitted there.
constexpr size_t kMaxRoomBeforeNext = kWalMaxExtentsNoted * kWalValueExtentSize + kWalMaxHeaderSize;

}  // namespace

WalReader::WalReader(const Pool& pool, const LogSlot& slot)
    : pool_(pool), slot_(slot), extent_size_(pool.extent_size()) {}

std::string WalReader::Name() const {
  return "log #" + NumberToString(slot_.number) + " in pool " + pool_.path();
}

Status WalReader::DamageAt(const WalPosition& at, const std::string& what) const {
  return Status::Corruption(Name(),
                            what + " at place " + NumberToString(chain_[at.link] + at.used));
}

Status WalReader::Open() {
  const Status status = CheckExtentHeader(pool_, slot_.first, HeaderOf(0));
  if (!status.ok()) return status;
  chain_.push_back(slot_.first);
  at_.used = ExtentHeader::kSize;
  WalRecord record;
  if (!Parse(at_, &record) || record.kind != WalKind::kBegin ||
      !DecodeWalStart(record.payload, &start_)) {
    return DamageAt(at_, "no beginning of a log");
  }
  alignment_ = start_.alignment();
  at_.used += Aligned(record.size);
  end_ = at_;
  return status;
}

// Looks for a record at a place of the chain. Only a next and a seal may reach into the tail room.
bool WalReader::Parse(const WalPosition& at, WalRecord* record) const {
  if (!ParseWalRecord(BytesAt(at), extent_size_ - at.used, SeedAt(at), record)) return false;
  return at.used + record->size <= extent_size_ - kWalTailRoom || record->kind == WalKind::kNext ||
         record->kind == WalKind::kSeal;
}

bool WalReader::AdoptValueExtents(const Slice& payload) {
  if (payload.empty() || payload.size() % kWalValueExtentSize != 0) return false;
  const size_t known = value_extents_.size();
  for (size_t i = 0; i < payload.size(); i += kWalValueExtentSize) {
    const PoolOffset extent = LoadFixed64(payload.data() + i);
    ExtentHeader header;
    if (!ReadExtentHeader(pool_, extent, &header).ok() || header.kind != ExtentKind::kValue ||
        header.salt != LoadFixed64(payload.data() + i + 8)) {
      value_extents_.resize(known);
      return false;
    }
    value_extents_.push_back(extent);
  }
  return true;
}

// The header of the extent that has this place in the chain.
ExtentHeader WalReader::HeaderOf(size_t link) const {
  return {.kind = ExtentKind::kLog,
          .object = slot_.number,
          .salt = slot_.salt,
          .position = static_cast<uint32_t>(link)};
}

bool WalReader::GoOnIn(const Slice& payload) {
  if (payload.size() != sizeof(uint64_t)) return false;
  const PoolOffset extent = LoadFixed64(payload.data());
  if (!CheckExtentHeader(pool_, extent, HeaderOf(at_.link + 1)).ok()) return false;
  chain_.resize(at_.link + 1);
  chain_.push_back(extent);
  at_ = {at_.link + 1, ExtentHeader::kSize};
  return true;
}

bool WalReader::ReadRecord(Slice* payload, std::string* scratch) {
  if (at_end_) return false;
  bool in_pieces = false;
  while (true) {
    const WalPosition begin = at_;
    WalRecord record;
    if (!Parse(begin, &record)) return EndBefore(begin, begin);
    at_.used += Aligned(record.size);
    const bool is_later_piece = record.kind == WalKind::kMiddle || record.kind == WalKind::kLast;
    if (is_later_piece != in_pieces && record.kind != WalKind::kNext) {
      status_ = DamageAt(begin, "a record of a kind that is out of turn");
      at_end_ = true;
      return false;
    }
    switch (record.kind) {
      case WalKind::kWhole:
      case WalKind::kShared:
        last_record_ = begin;
        last_is_shared_ = record.kind == WalKind::kShared;
        end_ = at_;
        *payload = record.payload;
        return true;
      case WalKind::kFirst:
        last_record_ = begin;
        last_is_shared_ = false;
        in_pieces = true;
        scratch->assign(record.payload.data(), record.payload.size());
        break;
      case WalKind::kMiddle:
        scratch->append(record.payload.data(), record.payload.size());
        break;
      case WalKind::kLast:
        scratch->append(record.payload.data(), record.payload.size());
        end_ = at_;
        *payload = *scratch;
        return true;
      case WalKind::kValueExtents:
        // It left with one fence with the extents' headers: it proves nothing about them.
        if (!AdoptValueExtents(record.payload)) return EndBefore(begin, at_);
        end_ = at_;
        break;
      case WalKind::kNext:
        at_.used = begin.used;
        if (!GoOnIn(record.payload)) return EndBefore(begin, begin);
        if (!in_pieces) end_ = at_;
        break;
      case WalKind::kSeal:
        if (record.payload.size() != sizeof(uint64_t)) return EndBefore(begin, begin);
        sealed_ = true;
        sealed_sequence_ = LoadFixed64(record.payload.data());
        at_end_ = true;
        return false;
      case WalKind::kBegin:
        status_ = DamageAt(begin, "a second beginning");
        at_end_ = true;
        return false;
    }
  }
}

// Ends the reading before what is not whole at `torn`, which is damage if a record is whole at
// `behind` or further on. Returns false.
bool WalReader::EndBefore(const WalPosition& torn, const WalPosition& behind) {
  at_end_ = true;
  if (LaterRecordFollows(behind)) status_ = DamageAt(torn, "damage before records that are whole");
  return false;
}

// Whether something stands at or behind `from` that must have been begun after all that was before
// it had been fenced.
//
//  * A record begins a group, or is fenced alone, unless it is a later piece, a next record, or one
//    of two writers side by side. One of those may follow what is not whole, a second one proves.
//  * A next record leaves with the piece before it, so it proves nothing itself. But what follows
//    it was fenced before anything was put into the next extent: there every record is a proof.
bool WalReader::LaterRecordFollows(const WalPosition& from) const {
  if (!IsFencedInOrder()) return false;
  size_t budget = kSearchBudget;
  // Most often the payload is damaged, and the size still tells where the next record is.
  WalRecord record;
  WalPosition at = from;
  size_t size;
  ParseWalRecord(BytesAt(from), extent_size_ - from.used, SeedAt(from), &record, &size);
  at.used += Aligned(size);
  size_t shared_at = 0;
  if (at.used <= LastRecordAt() && ProvesDamage(at, extent_size_, &budget, &shared_at)) return true;
  for (const size_t limit : {kShortRecord, extent_size_}) {
    for (at = from; at.used <= LastRecordAt(); at.used += alignment_) {
      if (ProvesDamage(at, limit, &budget, &shared_at)) return true;
    }
  }
  return from.used + kMaxRoomBeforeNext > LastRecordAt() && UnnamedExtentHasRecord(from.link + 1);
}

// Whether a record there is such a proof. *shared_at is where one of two side by side was found.
bool WalReader::ProvesDamage(const WalPosition& at, size_t limit, size_t* budget,
                             size_t* shared_at) const {
  WalRecord record;
  if (!ParseIn(chain_[at.link], at, limit, budget, &record)) return false;
  switch (record.kind) {
    case WalKind::kWhole:
    case WalKind::kFirst:
    case WalKind::kValueExtents:
    case WalKind::kSeal:
      return true;
    case WalKind::kShared:
      if (*shared_at == 0) *shared_at = at.used;
      return *shared_at != at.used;
    case WalKind::kNext:
      return record.payload.size() == sizeof(uint64_t) &&
             ExtentHasRecord(LoadFixed64(record.payload.data()), at.link + 1);
    default:
      return false;
  }
}

// Whether there is any record in an extent, if that is the log's one of this place in the chain.
// Its header is not asked for: it may be what is damaged. An extent with bad blocks is taken for
// one that has.
bool WalReader::ExtentHasRecord(PoolOffset extent, size_t link) const {
  if (Overlaps(pool_.bad_ranges(), extent, extent_size_)) return true;
  if (extent % extent_size_ != 0 || !pool_.Contains(extent, extent_size_)) return false;
  size_t budget = kSearchBudget;
  for (const size_t limit : {kShortRecord, extent_size_}) {
    WalPosition at{link, ExtentHeader::kSize};
    for (; at.used <= LastRecordAt(); at.used += alignment_) {
      WalRecord record;
      if (ParseIn(extent, at, limit, &budget, &record)) return true;
    }
  }
  return false;
}

// The same for the extent that says itself that it has this place in the chain: the next record
// that leads there may be what is damaged.
bool WalReader::UnnamedExtentHasRecord(size_t link) const {
  const ExtentHeader expected = HeaderOf(link);
  for (const Slab& slab : pool_.slabs()) {
    PoolOffset extent = (slab.begin + extent_size_ - 1) & ~(extent_size_ - 1);
    for (; extent + extent_size_ <= slab.end; extent += extent_size_) {
      if (CheckExtentHeader(pool_, extent, expected).ok() && ExtentHasRecord(extent, link)) {
        return true;
      }
    }
  }
  return false;
}

// Looks for a record of at most `limit` bytes at a place of `extent`.
bool WalReader::ParseIn(PoolOffset extent, const WalPosition& at, size_t limit, size_t* budget,
                        WalRecord* record) const {
  const size_t available = std::min({extent_size_ - at.used, limit, *budget});
  size_t summed;
  const bool is_whole =
      ParseWalRecord(pool_.At(extent) + at.used, available, SeedAt(at), record, &summed);
  *budget -= summed;
  return is_whole;
}

Status WalReader::Reject(const Status& why) {
  assert(!at_end_);
  end_ = last_record_;
  if (MoreFollows()) status_ = why;
  at_end_ = true;
  sealed_ = false;
  return status_;
}

// Whether all up to the record that was read last must have been fenced: something that was begun
// later is there, or else a seal, which is fenced after everything.
bool WalReader::MoreFollows() {
  const WalPosition end = end_;
  const WalPosition behind = at_;
  const size_t known = value_extents_.size();
  const bool in_order = IsFencedInOrder();
  Slice payload;
  std::string scratch;
  WalPosition behind_shared = behind;  // where a writer side by side may have left a record
  while (ReadRecord(&payload, &scratch)) {
    if (!in_order) continue;
    if (!last_is_shared_ || behind_shared != behind) break;
    behind_shared = at_;
  }
  end_ = end;
  value_extents_.resize(known);
  if (!status_.ok()) return true;
  return in_order ? at_ != behind_shared : sealed_ && !start_.unordered;
}

std::vector<PoolOffset> WalReader::extents() const {
  return std::vector<PoolOffset>(chain_.begin(),
                                 chain_.begin() + static_cast<ptrdiff_t>(end_.link) + 1);
}

Status SealRecoveredWal(Pool* pool, const WalReader& reader, uint64_t last_sequence) {
  // Where it takes a sync to survive a loss of power, a seal may just be in the page cache.
  const bool is_safe = reader.sealed() && pool->medium() != MediumKind::kPageCache;
  if (is_safe) return Status::OK();
  Persist* const persist = pool->persist();
  const std::vector<PoolOffset> extents = reader.extents();
  for (const PoolOffset extent : extents) persist->Flush(pool->At(extent), pool->extent_size());
  const Status status = persist->Sync();
  if (!status.ok() || reader.sealed()) return status;

  alignas(kWalLineAlignment) char record[kWalLineAlignment] = {};
  const size_t header_size = EncodeWalHeader(WalKind::kSeal, sizeof(uint64_t), record);
  StoreFixed64(record + header_size, last_sequence);
  const WalPosition& end = reader.end();
  const uint32_t seed = SumSeed(reader.salt(), end.link * pool->extent_size() + end.used);
  SetWalSum(seed, record, header_size, Slice(record + header_size, sizeof(uint64_t)));
  const size_t alignment = reader.start().alignment();
  const size_t size = header_size + sizeof(uint64_t);
  persist->Copy(pool->At(extents.back()) + end.used, record,
                (size + alignment - 1) & ~(alignment - 1));
  return persist->Sync();
}

}  // namespace leveldb
