#include "pmem/media/pool_root.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "util/coding.h"
#include "util/crc32c.h"
#include "util/text.h"

namespace leveldb {

namespace {

// The identity.
constexpr size_t kVersionAt = 8;
constexpr size_t kOwnerLengthAt = 12;
constexpr size_t kIdAt = 16;
constexpr size_t kExtentSizeAt = 32;
constexpr size_t kHereAt = 40;
constexpr size_t kIdentitySumAt = 60;
constexpr size_t kOwnerAt = 64;

// The words.
constexpr size_t kWordsAt = 1536;
constexpr int kPlaceShift = 48;  // of a word's offset above its number, for the sum
static_assert(kOwnerAt + PoolRoot::kOwnerBytesMax == kWordsAt);

// The slab entries.
constexpr size_t kSlabsAt = 1600;
constexpr size_t kSlabBytes = 32;
constexpr size_t kSlabBeginAt = 8;
constexpr size_t kSlabLengthAt = 16;
constexpr size_t kSlabSumAt = 24;
constexpr size_t kSlabSealAt = 28;

// The log slots.
constexpr size_t kLogsAt = kSlabsAt + PoolRoot::kSlabsMax * kSlabBytes;
constexpr size_t kLogBytes = 64;
constexpr size_t kLogFirstAt = 8;
constexpr size_t kLogSaltAt = 16;
constexpr size_t kLogSumAt = 60;
static_assert(kLogsAt % 64 == 0);
static_assert(kLogsAt + PoolRoot::kLogsMax * kLogBytes == PoolRoot::kBytes);

uint32_t SumOfNumber(const PoolId& id, uint64_t number) {
  char bytes[sizeof(number)];
  StoreFixed64(bytes, number);
  const uint32_t crc =
      crc32c::Value(reinterpret_cast<const char*>(id.bytes.data()), id.bytes.size());
  return crc32c::Extend(crc, bytes, sizeof(bytes));
}

uint32_t SumOfSlot(const PoolId& id, size_t index, const char* slot) {
  return crc32c::Extend(SumOfNumber(id, index), slot, kLogSumAt);
}

uint32_t SumOfIdentity(const char* bytes, const Slice& owner) {
  return crc32c::Extend(crc32c::Value(bytes, kIdentitySumAt), owner.data(), owner.size());
}

}  // namespace

Status PoolRoot::ReadIdentity(const char* bytes, const std::string& name, PoolIdentity* identity) {
  if (memcmp(bytes, kMagic, kMagicBytes) != 0) {
    return Status::Corruption("no root of a BushStore pool in " + name);
  }
  const uint32_t version = LoadFixed32(bytes + kVersionAt);
  // A power failure that tears the line that is written last leaves version 0.
  if (version == 0) return Status::Corruption("unfinished root of pool " + name);
  if (version > PoolIdentity::kNewestVersion) {
    return Status::NotSupported("pool " + name + " is of format " + NumberToString(version),
                                "this library knows formats up to " +
                                    NumberToString(PoolIdentity::kNewestVersion) +
                                    ": a newer one is needed");
  }
  const uint32_t owner_length = LoadFixed32(bytes + kOwnerLengthAt);
  const Slice owner(bytes + kOwnerAt, std::min<size_t>(owner_length, kOwnerBytesMax));
  if (owner_length > kOwnerBytesMax ||
      LoadFixed32(bytes + kIdentitySumAt) != SumOfIdentity(bytes, owner)) {
    return Status::Corruption("damaged root of pool " + name);
  }
  identity->version = version;
  memcpy(identity->id.bytes.data(), bytes + kIdAt, PoolId::kSize);
  identity->owner = owner.ToString();
  identity->extent_size = LoadFixed64(bytes + kExtentSizeAt);
  identity->here = LoadFixed64(bytes + kHereAt);
  return Status::OK();
}

PoolRoot::PoolRoot(char* bytes, const PoolIdentity& identity, const std::string& name,
                   Persist* persist)
    : bytes_(bytes), identity_(identity), name_(name), persist_(persist) {}

Status PoolRoot::Format(uint64_t ceiling) {
  assert(identity_.owner.size() <= kOwnerBytesMax);
  std::string fresh(kBytes, '\0');
  persist_->Copy(bytes_, fresh.data(), fresh.size());
  Status s = SetEpoch(0);
  if (s.ok()) s = SetCleanEpoch(0);
  if (s.ok()) s = SetBytes(0);
  if (s.ok()) s = SetCeiling(ceiling);
  if (!s.ok()) return s;

  fresh.resize(kOwnerAt);
  memcpy(fresh.data(), kMagic, kMagicBytes);
  StoreFixed32(fresh.data() + kVersionAt, identity_.version);
  StoreFixed32(fresh.data() + kOwnerLengthAt, static_cast<uint32_t>(identity_.owner.size()));
  memcpy(fresh.data() + kIdAt, identity_.id.bytes.data(), PoolId::kSize);
  StoreFixed64(fresh.data() + kExtentSizeAt, identity_.extent_size);
  StoreFixed64(fresh.data() + kHereAt, identity_.here);
  StoreFixed32(fresh.data() + kIdentitySumAt, SumOfIdentity(fresh.data(), identity_.owner));
  fresh += identity_.owner;
  persist_->Copy(bytes_, fresh.data(), fresh.size());
  persist_->Fence();
  return persist_->Sync();
}

// Words.

struct PoolRoot::Word {
  size_t at;
  const char* name;
  bool is_length;
};

const PoolRoot::Word PoolRoot::kEpoch{kWordsAt, "epoch", false};
const PoolRoot::Word PoolRoot::kCleanEpoch{kWordsAt + 8, "clean epoch", false};
const PoolRoot::Word PoolRoot::kLength{kWordsAt + 16, "length", true};
const PoolRoot::Word PoolRoot::kCeiling{kWordsAt + 24, "ceiling", true};

uint64_t PoolRoot::SealedWord(size_t offset, uint64_t number) const {
  const uint64_t sum =
      SumOfNumber(identity_.id, number ^ static_cast<uint64_t>(offset) << kPlaceShift);
  return number | sum << NumberBits();
}

Status PoolRoot::ReadWord(const Word& word, uint64_t* value) const {
  const uint64_t sealed = LoadFixed64(bytes_ + word.at);
  const uint64_t number = sealed & NumberMask();
  if (sealed != SealedWord(word.at, number)) {
    return Status::Corruption("damaged " + std::string(word.name) + " in the root of pool " +
                              name_);
  }
  *value = word.is_length ? number * LengthUnit() : number;
  return Status::OK();
}

Status PoolRoot::SetWord(const Word& word, uint64_t value) {
  const uint64_t number = word.is_length ? value / LengthUnit() : value;
  if (number > NumberMask()) {
    const uint64_t most = word.is_length ? NumberMask() * LengthUnit() : NumberMask();
    return Status::NotSupported(
        "pool " + name_ + " cannot have " + word.name + " " + NumberToString(value),
        "the most is " + NumberToString(most));
  }
  char bytes[sizeof(number)];
  StoreFixed64(bytes, SealedWord(word.at, number));
  uint64_t host_order;
  memcpy(&host_order, bytes, sizeof(host_order));
  persist_->Publish(reinterpret_cast<uint64_t*>(bytes_ + word.at), host_order);
  persist_->Fence();
  return persist_->Sync();
}

// Slabs.

// Returns the sum of bytes [begin, end) of the slab's entry.
uint32_t PoolRoot::SumOfSlab(size_t index, size_t begin, size_t end) const {
  const char* const entry = bytes_ + kSlabsAt + index * kSlabBytes;
  return crc32c::Extend(SumOfNumber(identity_.id, index), entry + begin, end - begin);
}

Status PoolRoot::ReadSlabs(std::vector<SlabEntry>* slabs) const {
  slabs->clear();
  for (size_t i = 0; i < kSlabsMax; i++) {
    const char* const entry = bytes_ + kSlabsAt + i * kSlabBytes;
    SlabEntry slab;
    // The object id is libpmemobj's, in the byte order of the machine.
    memcpy(&slab.pool_number, entry, sizeof(slab.pool_number));
    memcpy(&slab.begin, entry + kSlabBeginAt, sizeof(slab.begin));
    if (slab.begin == kNoPoolOffset) return CheckNoSlabsBehind(i);
    slab.length = LoadFixed64(entry + kSlabLengthAt);
    if (LoadFixed32(entry + kSlabSumAt) != SumOfSlab(i, kSlabLengthAt, kSlabSumAt)) {
      return Status::Corruption("damaged entry of slab " + NumberToString(i) +
                                " in the root of pool " + name_);
    }
    slab.sealed = LoadFixed32(entry + kSlabSealAt) == SumOfSlab(i, 0, kSlabSumAt);
    slabs->push_back(slab);
  }
  return Status::OK();
}

// Returns Corruption if an entry after `index` is in use. Slabs are added in order and never
// removed, so an entry that is in use proves that those before it were.
Status PoolRoot::CheckNoSlabsBehind(size_t index) const {
  for (size_t i = index + 1; i < kSlabsMax; i++) {
    const char* const entry = bytes_ + kSlabsAt + i * kSlabBytes;
    PoolOffset begin;
    memcpy(&begin, entry + kSlabBeginAt, sizeof(begin));
    if (begin != kNoPoolOffset &&
        LoadFixed32(entry + kSlabSumAt) == SumOfSlab(i, kSlabLengthAt, kSlabSumAt)) {
      return Status::Corruption("damaged entry of slab " + NumberToString(index) +
                                " in the root of pool " + name_);
    }
  }
  return Status::OK();
}

Status PoolRoot::PrepareSlab(size_t index, uint64_t length) {
  assert(index < kSlabsMax);
  char* const entry = bytes_ + kSlabsAt + index * kSlabBytes;
  char number[sizeof(length)];
  StoreFixed64(number, length);
  char sums[kSlabBytes - kSlabSumAt] = {};
  StoreFixed32(sums, crc32c::Extend(SumOfNumber(identity_.id, index), number, sizeof(number)));
  persist_->Copy(entry + kSlabLengthAt, number, sizeof(number));
  persist_->Copy(entry + kSlabSumAt, sums, sizeof(sums));
  persist_->Fence();
  return persist_->Sync();
}

Status PoolRoot::SealSlab(size_t index) {
  assert(index < kSlabsMax);
  char seal[kSlabBytes - kSlabSealAt];
  StoreFixed32(seal, SumOfSlab(index, 0, kSlabSumAt));
  persist_->Copy(bytes_ + kSlabsAt + index * kSlabBytes + kSlabSealAt, seal, sizeof(seal));
  persist_->Fence();
  return persist_->Sync();
}

void* PoolRoot::SlabObject(size_t index) {
  assert(index < kSlabsMax);
  return bytes_ + kSlabsAt + index * kSlabBytes;
}

// Logs.

bool PoolRoot::DecodeSlot(size_t index, LogSlot* log) const {
  const char* const slot = bytes_ + kLogsAt + index * kLogBytes;
  if (LoadFixed32(slot + kLogSumAt) != SumOfSlot(identity_.id, index, slot)) return false;
  log->number = LoadFixed64(slot);
  log->first = LoadFixed64(slot + kLogFirstAt);
  log->salt = LoadFixed64(slot + kLogSaltAt);
  return log->number != 0;
}

Status PoolRoot::AddLog(const LogSlot& log) {
  MutexLock lock(&mutex_);
  if (log.number == 0) return Status::InvalidArgument("a log in a pool needs a number");
  size_t free_slot = kLogsMax;
  for (size_t i = 0; i < kLogsMax; i++) {
    LogSlot other;
    if (!DecodeSlot(i, &other)) {
      free_slot = std::min(free_slot, i);
    } else if (other.number == log.number) {
      return Status::InvalidArgument("pool " + name_ + " has a log of that number already",
                                     NumberToString(log.number));
    }
  }
  if (free_slot == kLogsMax) {
    return Status::IOError("pool " + name_ + " has no room for one more log",
                           NumberToString(kLogsMax) + " are waiting to be flushed");
  }
  char slot[kLogBytes] = {};
  StoreFixed64(slot, log.number);
  StoreFixed64(slot + kLogFirstAt, log.first);
  StoreFixed64(slot + kLogSaltAt, log.salt);
  StoreFixed32(slot + kLogSumAt, SumOfSlot(identity_.id, free_slot, slot));
  persist_->Copy(bytes_ + kLogsAt + free_slot * kLogBytes, slot, sizeof(slot));
  persist_->Fence();
  // A manifest that asks for a log which a power failure has taken out of the pool looks older than
  // the tables that jobs have begun since.
  const Status status = persist_->Sync();
  if (!status.ok()) Forget(free_slot);  // the caller releases the extents of the log
  return status;
}

void PoolRoot::Forget(size_t slot) {
  persist_->Publish(reinterpret_cast<uint64_t*>(bytes_ + kLogsAt + slot * kLogBytes), 0);
  persist_->Fence();
}

Status PoolRoot::RemoveLog(uint64_t number) {
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < kLogsMax; i++) {
    LogSlot log;
    if (!DecodeSlot(i, &log) || log.number != number) continue;
    Forget(i);
    return Status::OK();
  }
  return Status::NotFound("pool " + name_ + " has no log of that number", NumberToString(number));
}

std::vector<LogSlot> PoolRoot::Logs() const {
  MutexLock lock(&mutex_);
  std::vector<LogSlot> logs;
  for (size_t i = 0; i < kLogsMax; i++) {
    LogSlot log;
    if (DecodeSlot(i, &log)) logs.push_back(log);
  }
  std::sort(logs.begin(), logs.end(),
            [](const LogSlot& a, const LogSlot& b) { return a.number < b.number; });
  return logs;
}

}  // namespace leveldb
