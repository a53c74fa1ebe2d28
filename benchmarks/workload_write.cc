#include <algorithm>
#include <atomic>
#include <cstdint>

#include "benchmarks/bench_thread.h"
#include "benchmarks/key_codec.h"
#include "benchmarks/key_order.h"
#include "benchmarks/workloads.h"
#include "leveldb/write_batch.h"

namespace leveldb::bench {

namespace {

enum class Action { kPut, kDelete };

// EntryWriter writes the entries of one benchmark, in batches or, for batches of one entry, singly.
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
    key_.Set(number);
    count_++;
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

  // Writes the entries added since the last call. Returns false if the store fails; nothing more
  // may be written then.
  bool Write() {
    ThreadStats& stats = thread_->stats();
    stats.BeginOperation();
    const Status status = Apply();
    if (!thread_->CheckStatus("a write", status)) return false;
    stats.EndOperation(count_);
    stats.AddBytes(bytes_);
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
    if (!is_alone_) batch_.Clear();
    count_ = 0;
    bytes_ = 0;
  }

  BenchThread* const thread_;
  const Action action_;
  const bool is_alone_;
  KeyBuffer key_;  // of the entry added last
  Slice value_;    // the same
  WriteOptions write_options_;
  WriteBatch batch_;
  uint64_t count_ = 0;  // entries added
  uint64_t bytes_ = 0;  // of these
};

void WriteMany(BenchThread& thread, const KeyOrder& order, Action action) {
  const auto operations = static_cast<uint64_t>(thread.phase().operations);
  const auto batch = static_cast<uint64_t>(thread.phase().entries_a_batch);
  EntryWriter writer(&thread, action, batch);
  KeyOrder keys = order;
  uint64_t written = 0;
  while (written < operations && !thread.MustStop()) {
    const uint64_t end = std::min(written + batch, operations);
    for (uint64_t i = written; i < end; ++i) writer.Add(keys.Next());
    if (!writer.Write()) break;
    written = end;
  }
  const KeyLedger::Entry entry =
      action == Action::kDelete ? KeyLedger::kAbsent : thread.phase().generation;
  thread.EnterAtEnd({order, written, entry});
}

KeyOrder InRandomOrder(BenchThread& thread) {
  return KeyOrder(thread.random(), static_cast<uint64_t>(thread.options().num));
}

}  // namespace

void WriteInOrder(BenchThread& thread) {
  WriteMany(thread, KeyOrder(), Action::kPut);
}
void WriteAtRandom(BenchThread& thread) {
  WriteMany(thread, InRandomOrder(thread), Action::kPut);
}
void DeleteInOrder(BenchThread& thread) {
  WriteMany(thread, KeyOrder(), Action::kDelete);
}
void DeleteAtRandom(BenchThread& thread) {
  WriteMany(thread, InRandomOrder(thread), Action::kDelete);
}

// Records each write in the ledger at once, since the readers need it.
void WriteWhileOthersRead(BenchThread& thread) {
  EntryWriter writer(&thread, Action::kPut, 1);
  KeyLedger* const ledger = thread.phase().ledger;
  const std::atomic<int>& readers = thread.phase().measured_threads_running;
  while (readers.load(std::memory_order_relaxed) > 0 && !thread.MustStop()) {
    const uint64_t number = thread.RandomKey();
    ledger->PrefetchToSet(number);
    writer.Add(number);
    if (!writer.Write()) return;
    ledger->Set(number, thread.phase().generation);
  }
}

}  // namespace leveldb::bench
