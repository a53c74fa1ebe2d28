#include "pmem/media/extents.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <string>

#include "pmem/media/extent_header.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr size_t kBitsPerWord = 64;

// At least this much is kept free, and touched, in advance of Reserve: enough for what a fast
// writer fills while a background thread is busy elsewhere. The pool grows earlier if its growth
// steps, which take longer, are larger.
constexpr uint64_t kLeastReadyBytes = 32 << 20;

bool TestBit(const std::vector<uint64_t>& bits, size_t i) {
  return (bits[i / kBitsPerWord] >> (i % kBitsPerWord) & 1) != 0;
}

void SetBit(std::vector<uint64_t>* bits, size_t i) {
  (*bits)[i / kBitsPerWord] |= uint64_t{1} << (i % kBitsPerWord);
}

void ClearBit(std::vector<uint64_t>* bits, size_t i) {
  (*bits)[i / kBitsPerWord] &= ~(uint64_t{1} << (i % kBitsPerWord));
}

std::string Megabytes(uint64_t bytes) {
  return NumberToString(bytes >> 20) + " MiB";
}

std::string Kilobytes(uint64_t bytes) {
  return NumberToString(bytes >> 10) + " KiB";
}

}  // namespace

Extents::Extents(Pool* pool)
    : pool_(pool),
      extent_size_(pool->extent_size()),
      value_salts_(pool->reserved_bytes() / extent_size_ + 1),
      references_(value_salts_.size()),
      free_(references_.size() / kBitsPerWord + 1),
      warm_(free_.size()) {
  MutexLock lock(&mutex_);
  AdoptSlabs();
}

Extents::~Extents() = default;

void Extents::AdoptSlabs() {
  if (pool_->size() == bytes_seen_) return;
  bytes_seen_ = pool_->size();
  const std::vector<Slab> slabs = pool_->slabs();
  for (; slabs_seen_ < slabs.size(); slabs_seen_++) {
    const Slab& slab = slabs[slabs_seen_];
    const size_t first = IndexOf(slab.begin + extent_size_ - 1);
    const size_t end = IndexOf(slab.end);
    for (size_t i = first; i < end; i++) {
      if (!pool_->Contains(i * extent_size_, extent_size_)) continue;  // has bad blocks
      SetBit(&free_, i);
      usable_extents_++;
      free_extents_++;
    }
  }
}

// Returns the lowest run of free extents, of warm ones only or of any; kNone if there is none.
size_t Extents::FindRun(uint32_t count, bool warm) const {
  size_t length = 0;
  for (size_t word = 0; word < free_.size(); word++) {
    const uint64_t bits = warm ? free_[word] & warm_[word] : free_[word];
    if (bits == 0) {
      length = 0;
      continue;
    }
    if (count == 1) return word * kBitsPerWord + static_cast<size_t>(std::countr_zero(bits));
    for (size_t bit = 0; bit < kBitsPerWord; bit++) {
      length = (bits >> bit & 1) != 0 ? length + 1 : 0;
      if (length == count) return word * kBitsPerWord + bit + 1 - count;
    }
  }
  return kNone;
}

void Extents::Take(size_t index, uint32_t count) {
  for (size_t i = index; i < index + count; i++) {
    assert(TestBit(free_, i));
    assert(references_[i] == 0);
    references_[i] = 1;
    value_salts_[i].store(0, std::memory_order_relaxed);
    ClearBit(&free_, i);
    if (TestBit(warm_, i)) warm_free_extents_--;
    SetBit(&warm_, i);
  }
  free_extents_ -= count;
}

void Extents::Free(size_t index) {
  assert(!TestBit(free_, index));
  SetBit(&free_, index);
  free_extents_++;
  if (TestBit(warm_, index)) warm_free_extents_++;
}

Status Extents::Reserve(uint32_t count, PoolOffset* run) {
  assert(count > 0);
  while (true) {
    uint64_t bytes_before;
    {
      MutexLock lock(&mutex_);
      AdoptSlabs();
      size_t index = FindRun(count, true);
      if (index == kNone) index = FindRun(count, false);
      if (index != kNone) {
        Take(index, count);
        *run = index * extent_size_;
        return Status::OK();
      }
      bytes_before = bytes_seen_;
    }
    Status s = GrowFrom(bytes_before, count * extent_size_);
    if (!s.ok()) return FullError(s, count);
  }
}

// Grows the pool, unless it has grown since the caller saw it with bytes_before in slabs.
Status Extents::GrowFrom(uint64_t bytes_before, uint64_t at_least_bytes) {
  MutexLock growth_lock(&growth_mutex_);
  if (pool_->size() != bytes_before) return Status::OK();
  Status s = pool_->Grow(at_least_bytes);
  MutexLock lock(&mutex_);
  growth_failed_ = !s.ok();
  return s;
}

Status Extents::FullError(const Status& why, uint32_t count) const {
  std::string reason = why.ToString();
  const std::string kind = "IO error: ";
  if (reason.compare(0, kind.size(), kind) == 0) reason.erase(0, kind.size());
  return Status::IOError("persistent memory pool " + pool_->path() + " is full",
                         Megabytes(used_bytes()) + " of " + Megabytes(capacity_bytes()) +
                             " are in use, no " + Kilobytes(count * extent_size_) +
                             " are free in one piece, and " + reason +
                             "; close iterators that have long been open, give the pool a larger "
                             "size, turn spilling on, or drain the tier");
}

void Extents::AddReference(PoolOffset extent, uint32_t count) {
  assert(extent % extent_size_ == 0);
  MutexLock lock(&mutex_);
  for (size_t i = IndexOf(extent); count > 0; i++, count--) {
    assert(references_[i] > 0);
    references_[i]++;
  }
}

void Extents::Release(PoolOffset extent, uint32_t count) {
  MutexLock lock(&mutex_);
  DropReferences(extent, count, /*erases_trees=*/false);
}

void Extents::Forget(PoolOffset extent, uint32_t count) {
  MutexLock lock(&mutex_);
  DropReferences(extent, count, /*erases_trees=*/true);
}

void Extents::DropReferences(PoolOffset extent, uint32_t count, bool erases_trees) {
  assert(extent % extent_size_ == 0);
  for (size_t i = IndexOf(extent); count > 0; i++, count--) {
    assert(references_[i] > 0);
    if (--references_[i] > 0) continue;
    if (hold_releases_) {
      held_.push_back(i);
      continue;
    }
    if (erases_trees) EraseTree(i);
    Free(i);
  }
}

// Erases the header of a tree that begins in the extent. For a tree in several runs, erasing the
// first is enough.
void Extents::EraseTree(size_t index) {
  const PoolOffset extent = index * extent_size_;
  if (!MayBeginWith(*pool_, extent, ExtentKind::kTree)) return;
  ExtentHeader header;
  const Status status = ReadExtentHeader(*pool_, extent, &header);
  if (status.ok() && header.position == 0) EraseExtentHeader(pool_, extent);
}

void Extents::ForgetFree() {
  MutexLock lock(&mutex_);
  for (size_t i = 0; i < references_.size(); i++) {
    if (TestBit(free_, i)) EraseTree(i);
  }
}

Status Extents::MarkUsed(PoolOffset extent, uint32_t count) {
  if (count == 0) return Status::OK();
  if (extent % extent_size_ != 0 || !pool_->Contains(extent, count * extent_size_)) {
    if (Overlaps(pool_->bad_ranges(), extent, count * extent_size_)) {
      return Status::Corruption("pool " + pool_->path() +
                                    " has bad blocks in extents that are in "
                                    "use",
                                "at " + NumberToString(extent));
    }
    return Status::Corruption(
        "pool " + pool_->path() + " has no extents at " + NumberToString(extent),
        NumberToString(count) + " of them are referred to");
  }
  MutexLock lock(&mutex_);
  AdoptSlabs();
  for (size_t i = IndexOf(extent); count > 0; i++, count--) {
    if (TestBit(free_, i)) {
      Take(i, 1);
    } else {
      references_[i]++;
    }
  }
  return Status::OK();
}

void Extents::HoldReleases(bool hold) {
  MutexLock lock(&mutex_);
  hold_releases_ = hold;
  if (hold) return;
  for (const size_t index : held_) {
    EraseTree(index);
    Free(index);
  }
  held_.clear();
}

// Metrics.

uint64_t Extents::used_bytes() const {
  MutexLock lock(&mutex_);
  return (usable_extents_ - free_extents_) * extent_size_;
}

uint64_t Extents::free_bytes() const {
  MutexLock lock(&mutex_);
  return free_extents_ * extent_size_;
}

uint64_t Extents::CapacityLocked() const {
  const uint64_t now = usable_extents_ * extent_size_;
  const uint64_t room = growth_failed_ ? 0 : pool_->growth_room();
  // A part of an extent is lost at both ends of a slab.
  const uint64_t lost = (room / Pool::kGrowthBytesMin + 1) * extent_size_;
  return room <= lost ? now : now + (room - lost) / extent_size_ * extent_size_;
}

uint64_t Extents::capacity_bytes() const {
  MutexLock lock(&mutex_);
  return CapacityLocked();
}

double Extents::use() const {
  MutexLock lock(&mutex_);
  const uint64_t capacity = CapacityLocked();
  const uint64_t used = (usable_extents_ - free_extents_) * extent_size_;
  return capacity == 0 ? 1 : static_cast<double>(used) / static_cast<double>(capacity);
}

uint64_t Extents::largest_free_run() const {
  MutexLock lock(&mutex_);
  size_t length = 0;
  size_t largest = 0;
  for (size_t i = 0; i < references_.size(); i++) {
    length = TestBit(free_, i) ? length + 1 : 0;
    largest = std::max(largest, length);
  }
  return largest * extent_size_;
}

uint32_t Extents::references(PoolOffset extent) const {
  MutexLock lock(&mutex_);
  return IndexOf(extent) < references_.size() ? references_[IndexOf(extent)] : 0;
}

// Prefaulting.

bool Extents::PrefaultStep(uint64_t bytes_until_next) {
  const uint64_t wanted = std::max(kLeastReadyBytes, bytes_until_next);
  uint64_t bytes_before;
  size_t cold = kNone;
  {
    MutexLock lock(&mutex_);
    AdoptSlabs();
    bytes_before = bytes_seen_;
    const bool grow =
        !growth_failed_ && pool_->growth_room() > 0 &&
        free_extents_ * extent_size_ < std::max(kLeastReadyBytes, pool_->growth_step() / 2);
    const uint64_t ready = std::min(wanted, CapacityLocked() / 8);
    if (!grow && warm_free_extents_ * extent_size_ >= ready) return false;
    if (!grow) cold = FindCold();
    if (!grow && cold == kNone) return false;
  }
  if (cold == kNone) return GrowFrom(bytes_before, extent_size_).ok();
  pool_->Touch(cold * extent_size_, extent_size_);
  MutexLock lock(&mutex_);
  if (TestBit(free_, cold) && !TestBit(warm_, cold)) {
    SetBit(&warm_, cold);
    warm_free_extents_++;
  }
  return true;
}

size_t Extents::FindCold() const {
  for (size_t word = 0; word < free_.size(); word++) {
    const uint64_t bits = free_[word] & ~warm_[word];
    if (bits != 0) return word * kBitsPerWord + static_cast<size_t>(std::countr_zero(bits));
  }
  return kNone;
}

}  // namespace leveldb
