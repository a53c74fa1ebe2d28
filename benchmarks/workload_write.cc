#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "benchmarks/bench_thread.h"
#include "benchmarks/key_codec.h"
#include "benchmarks/workloads.h"
#include "leveldb/write_batch.h"

namespace leveldb::bench {

namespace {

enum class Order { kAscending, kRandom };
enum class Action { kPut, kDelete };

// Writes the entries of one benchmark, in batches or, where a batch would have one, alone, and
// enters into the ledger what the store has acknowledged.
class EntryWriter {
 public:
  EntryWriter(BenchThread* thread, Action action, uint64_t entries_a_batch)
      : thread_(thread),
        action_(action),
        is_alone_(entries_a_batch == 1),
        key_(static_cast<size_t>(thread->options().key_prefix)) {
    write_options_.sync = thread->phase().benchmark->sync;
  }

  void Add(uint64_t number) {
    thread_->phase().ledger->PrefetchToSet(number);
    key_.Set(number);
    numbers_.push_back(number);
    if (action_ == Action::kDelete) {
      if (!is_alone_) batch_.Delete(key_.key());
      return;
    }
    Phase& phase = thread_->phase();
    const auto size = static_cast<size_t>(phase.value_size);
    value_ = thread_->values().Make(number, phase.generation, size);
    if (!is_alone_) batch_.Put(key_.key(), value_);
    bytes_ += key_.key().size() + size;
  }

  // Writes what has been added since the last time. Returns false when the store refuses.
  bool Write() {
    ThreadStats& stats = thread_->stats();
    stats.BeginOperation();
    const Status status = Apply();
    if (!thread_->CheckStatus("a write", status)) return false;
    stats.EndOperation(numbers_.size());
    stats.AddBytes(bytes_);
    const KeyLedger::Entry entry =
        action_ == Action::kDelete ? KeyLedger::kAbsent : thread_->phase().generation;
    for (const uint64_t number : numbers_) thread_->phase().ledger->Set(number, entry);
    Clear();
    return true;
  }

 private:
  Status Apply() {
    if (!is_alone_) return thread_->db()->Write(write_options_, &batch_);
    if (action_ == Action::kDelete) return thread_->db()->Delete(write_options_, key_.key());
    return thread_->db()->Put(write_options_, key_.key(), value_);
  }

  void Clear() {
    batch_.Clear();
    numbers_.clear();
    bytes_ = 0;
  }

  BenchThread* const thread_;
  const Action action_;
  const bool is_alone_;
  KeyBuffer key_;  // of the entry added last
  Slice value_;    // the same
  WriteOptions write_options_;
  WriteBatch batch_;
  std::vector<uint64_t> numbers_;
  uint64_t bytes_ = 0;
};

void WriteMany(BenchThread& thread, Order order, Action action) {
  const auto operations = static_cast<uint64_t>(thread.phase().operations);
  const auto batch = static_cast<uint64_t>(thread.phase().entries_a_batch);
  EntryWriter writer(&thread, action, batch);
  for (uint64_t i = 0; i < operations && !thread.MustStop(); i += batch) {
    const uint64_t end = std::min(i + batch, operations);
    for (uint64_t j = i; j < end; ++j) {
      writer.Add(order == Order::kAscending ? j : thread.RandomKey());
    }
    if (!writer.Write()) return;
  }
}

}  // namespace

void WriteInOrder(BenchThread& thread) {
  WriteMany(thread, Order::kAscending, Action::kPut);
}
void WriteAtRandom(BenchThread& thread) {
  WriteMany(thread, Order::kRandom, Action::kPut);
}
void DeleteInOrder(BenchThread& thread) {
  WriteMany(thread, Order::kAscending, Action::kDelete);
}
void DeleteAtRandom(BenchThread& thread) {
  WriteMany(thread, Order::kRandom, Action::kDelete);
}

void WriteWhileOthersRead(BenchThread& thread) {
  EntryWriter writer(&thread, Action::kPut, 1);
  const std::atomic<int>& readers = thread.phase().measured_threads_running;
  while (readers.load(std::memory_order_relaxed) > 0 && !thread.MustStop()) {
    writer.Add(thread.RandomKey());
    if (!writer.Write()) return;
  }
}

}  // namespace leveldb::bench
