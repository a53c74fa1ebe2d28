#include "ycsbc/record_ledger.h"

#include <cassert>
#include <new>

namespace leveldb::ycsbc {

namespace {

constexpr uint32_t kWriting = 1;

// calloc leaves untouched pages unmapped.
uint32_t* ZeroCells(uint64_t count) {
  void* const memory = std::calloc(count == 0 ? 1 : count, sizeof(uint32_t));
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<uint32_t*>(memory);
}

}  // namespace

RecordLedger::RecordLedger(uint64_t first, uint64_t records)
    : first_(first), records_(records), cells_(ZeroCells(records)) {}

std::atomic_ref<uint32_t> RecordLedger::Cell(uint64_t record) const {
  assert(Has(record));
  return std::atomic_ref<uint32_t>(cells_[record - first_]);
}

RecordLedger::Entry RecordLedger::Get(uint64_t record) const {
  const uint32_t cell = Cell(record).load(std::memory_order_acquire);
  return {cell >> 1, (cell & kWriting) != 0};
}

void RecordLedger::Set(uint64_t record, Version version) {
  Cell(record).store(version << 1, std::memory_order_release);
}

Version RecordLedger::BeginWrite(uint64_t record) {
  const std::atomic_ref<uint32_t> cell = Cell(record);
  uint32_t seen = cell.load(std::memory_order_relaxed);
  bool has_waited = false;
  while (true) {
    if ((seen & kWriting) != 0) {
      has_waited = true;
      cell.wait(seen, std::memory_order_seq_cst);
      seen = cell.load(std::memory_order_relaxed);
    } else if (cell.compare_exchange_weak(seen, seen | kWriting, std::memory_order_acquire,
                                          std::memory_order_relaxed)) {
      break;
    }
  }
  if (has_waited) waits_.fetch_add(1, std::memory_order_relaxed);
  return seen >> 1;
}

void RecordLedger::EndWrite(uint64_t record, Version version) {
  assert(version < kUnknown);
  const std::atomic_ref<uint32_t> cell = Cell(record);
  // With a plain store, notify_all() may check for waiters before the store is visible.
  cell.exchange(version << 1, std::memory_order_seq_cst);
  cell.notify_all();
}

void RecordLedger::Learn(uint64_t record, Version version) {
  uint32_t unknown = kUnknown << 1;
  Cell(record).compare_exchange_strong(unknown, version << 1, std::memory_order_release,
                                       std::memory_order_relaxed);
}

}  // namespace leveldb::ycsbc
