#include "pmem/wal/wal_reader.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "pmem/media/extent_header.h"
#include "util/coding.h"
#include "util/text.h"

namespace leveldb {

namespace {

// The search for a later record tries every position as the beginning of one. After this many bytes
// it ends without a result, so that an extent full of bytes that look like records does not block
// it.
constexpr size_t kSearchBudget = size_t{64} << 20;

// Short records are searched for first: bytes that look like long ones would use up the budget, and
// the record that leads to the next extent is short.
constexpr size_t kShortRecord = 4096;

// No next record is put where more room than this is left, because a record that is not cut into
// pieces would have fitted there.
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

// Parses a record at a position of the chain. Only a next and a seal may extend into the tail room.
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

// Returns the header that the extent at `link` of the chain must have.
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
        // The record was made persistent by the same fence as the extents' headers, so it proves
        // nothing about them.
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

// Ends the reading before the record at `torn`, which is not whole. That is damage if a record at
// `behind` or after it is whole. Returns false.
bool WalReader::EndBefore(const WalPosition& torn, const WalPosition& behind) {
  at_end_ = true;
  if (LaterRecordFollows(behind)) status_ = DamageAt(torn, "damage before records that are whole");
  return false;
}

// Returns true if there is a record at `from` or after it that must have been begun after
// everything before it had been fenced.
//
//  * A record begins a group, or is fenced by itself, unless it is a later piece, a next record, or
//    a record of two concurrent writers. One of the last kind may follow what is not whole; a
//    second one is proof.
//  * A next record is fenced together with the piece before it, so it proves nothing itself. But it
//    was fenced, with the header of the next extent, before anything else was put into that extent:
//    there every record is proof.
bool WalReader::LaterRecordFollows(const WalPosition& from) const {
  if (!IsFencedInOrder()) return false;
  size_t budget = kSearchBudget;
  // Usually the payload is damaged, and the size still tells where the next record is.
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

// Returns true if a record at `at` is such a proof. *shared_at is where one of two concurrent
// records was found.
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

// Returns true if there is any record in `extent`, if it is the log's extent at `link` of the
// chain. Does not require the extent's header, which may be what is damaged. Returns true for an
// extent with bad blocks.
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

// Same as ExtentHasRecord for an extent whose header says that it is at `link` of the chain: the
// next record that leads there may be what is damaged.
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

// Parses a record of at most `limit` bytes at a position of `extent`.
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

// Returns true if everything up to the record that was read last must have been fenced: there is
// something that was begun later, or else a seal, which is fenced after everything.
bool WalReader::MoreFollows() {
  const WalPosition end = end_;
  const WalPosition behind = at_;
  const size_t known = value_extents_.size();
  const bool in_order = IsFencedInOrder();
  Slice payload;
  std::string scratch;
  WalPosition behind_shared = behind;  // after a record that a concurrent writer may have left
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
  // If only a sync makes data survive a power failure, a seal may be in the page cache only.
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
