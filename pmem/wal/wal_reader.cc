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
  const Status status = CheckExtentHeader(
      pool_, slot_.first, {.kind = ExtentKind::kLog, .object = slot_.number, .salt = slot_.salt});
  if (!status.ok()) return status;
  chain_.push_back(slot_.first);
  at_.used = ExtentHeader::kSize;
  WalRecord record;
  if (!Parse(at_, &record) || record.kind != WalKind::kBegin ||
      !DecodeWalStart(record.payload, &start_)) {
    return DamageAt(at_, "no beginning of a log");
  }
  alignment_ = start_.alignment();
  at_.used += (record.size + alignment_ - 1) & ~(alignment_ - 1);
  end_ = at_;
  return status;
}

// Looks for a record at a place of the chain. Only a next and a seal may reach into the tail room.
bool WalReader::Parse(const WalPosition& at, WalRecord* record) const {
  const uint32_t seed = SumSeed(slot_.salt, at.link * extent_size_ + at.used);
  if (!ParseWalRecord(BytesAt(at), extent_size_ - at.used, seed, record)) return false;
  return at.used + record->size <= extent_size_ - kWalTailRoom || record->kind == WalKind::kNext ||
         record->kind == WalKind::kSeal;
}

bool WalReader::AdoptValueExtents(const Slice& payload) {
  if (payload.empty() || payload.size() % kWalValueExtentSize != 0) return false;
  const size_t known = value_extents_.size();
  for (size_t i = 0; i < payload.size(); i += kWalValueExtentSize) {
    const Place extent = LoadFixed64(payload.data() + i);
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

bool WalReader::GoOnIn(const Slice& payload) {
  if (payload.size() != sizeof(uint64_t)) return false;
  const Place extent = LoadFixed64(payload.data());
  const ExtentHeader expected{.kind = ExtentKind::kLog,
                              .object = slot_.number,
                              .salt = slot_.salt,
                              .position = static_cast<uint32_t>(at_.link + 1)};
  if (!CheckExtentHeader(pool_, extent, expected).ok()) return false;
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
    if (!Parse(begin, &record)) return EndBefore(begin);
    at_.used += (record.size + alignment_ - 1) & ~(alignment_ - 1);
    const bool is_later_piece = record.kind == WalKind::kMiddle || record.kind == WalKind::kLast;
    if (is_later_piece != in_pieces && record.kind != WalKind::kNext) {
      status_ = DamageAt(begin, "a record of a kind that is out of turn");
      at_end_ = true;
      return false;
    }
    switch (record.kind) {
      case WalKind::kWhole:
        last_record_ = begin;
        end_ = at_;
        *payload = record.payload;
        return true;
      case WalKind::kFirst:
        last_record_ = begin;
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
        if (!AdoptValueExtents(record.payload)) return EndBefore(begin);
        end_ = at_;
        break;
      case WalKind::kNext:
        at_.used = begin.used;
        if (!GoOnIn(record.payload)) return EndBefore(begin);
        if (!in_pieces) end_ = at_;
        break;
      case WalKind::kSeal:
        if (record.payload.size() != sizeof(uint64_t)) return EndBefore(begin);
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

// Ends the reading before a record that is not whole. Returns false.
bool WalReader::EndBefore(const WalPosition& torn) {
  at_end_ = true;
  if (LaterRecordFollows(torn)) status_ = DamageAt(torn, "damage before records that are whole");
  return false;
}

// Whether a record that is whole begins at or behind `at` in its extent and must have been begun
// after everything before it was fenced.
bool WalReader::LaterRecordFollows(WalPosition at) const {
  if (start_.deferred || start_.unordered) return false;
  size_t budget = kSearchBudget;
  for (; at.used <= extent_size_ - kWalTailRoom; at.used += alignment_) {
    const size_t available = std::min(extent_size_ - at.used, budget);
    const uint32_t seed = SumSeed(slot_.salt, at.link * extent_size_ + at.used);
    WalRecord record;
    size_t summed;
    if (ParseWalRecord(BytesAt(at), available, seed, &record, &summed)) {
      switch (record.kind) {
        case WalKind::kWhole:
        case WalKind::kFirst:
        case WalKind::kValueExtents:
        case WalKind::kSeal:
          return true;
        default:
          break;
      }
    }
    budget -= std::min(budget, summed);
  }
  return false;
}

Status WalReader::Reject(const Status& why) {
  assert(!at_end_);
  end_ = last_record_;
  if (LaterRecordFollows(at_) || SealFollows()) {
    status_ = why;
  }
  at_end_ = true;
  sealed_ = false;
  return status_;
}

// Reads on to the end and tells whether that is a seal which was fenced after all records.
bool WalReader::SealFollows() {
  const WalPosition end = end_;
  Slice payload;
  std::string scratch;
  while (ReadRecord(&payload, &scratch)) {
  }
  end_ = end;
  return sealed_ && !start_.unordered;
}

std::vector<Place> WalReader::extents() const {
  return std::vector<Place>(chain_.begin(), chain_.begin() + static_cast<ptrdiff_t>(end_.link) + 1);
}

Status SealRecoveredWal(Pool* pool, const WalReader& reader, uint64_t last_sequence) {
  if (reader.sealed()) return Status::OK();
  Persist* const persist = pool->persist();
  const std::vector<Place> extents = reader.extents();
  for (const Place extent : extents) persist->Flush(pool->At(extent), pool->extent_size());
  const Status status = persist->Sync();
  if (!status.ok()) return status;

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
