// A Writer is a queued write request; it waits for its turn.
#ifndef BUSHSTORE_DB_WRITE_WRITER_H_
#define BUSHSTORE_DB_WRITE_WRITER_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "db/write/write_batch_access.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

namespace leveldb {

// Lives on the stack of the thread that writes.
struct Writer {
  enum State : uint32_t {
    kWaiting,
    kSleeping,  // has to be woken
    kLeading,
    kDone,
  };
  enum Kind {
    kBatch,
    kPut,
    kDelete,
    kSwitch,     // a memtable switch
    kFence,      // everything acknowledged becomes persistent
    kLeavePool,  // the log becomes a file
  };

  Kind kind;
  bool sync = false;
  WriteBatch* batch = nullptr;  // kBatch
  Slice key{};                  // kPut, kDelete
  Slice value{};                // kPut
  Status status{};
  bool lacks_memory = false;  // there was no memory even for a status
  std::atomic<Writer*> next{nullptr};
  std::atomic<uint32_t> state{kWaiting};

  // Returns whether the writer has entries, so that it can be part of a group.
  bool HasEntries() const { return kind <= kDelete; }

  // Returns whether its turn is still to come.
  bool IsWaiting() const { return state.load(std::memory_order_relaxed) == kWaiting; }

  uint32_t Count() const { return kind == kBatch ? WriteBatchAccess::Count(*batch) : 1; }

  // Returns the bytes of its part of a record, or a little more.
  size_t Size() const {
    constexpr size_t kTagAndLengths = 11;
    return kind == kBatch ? batch->ApproximateSize()
                          : kBatchHeaderSize + kTagAndLengths + key.size() + value.size();
  }

  // Returns the state that Set() gives it: kLeading or kDone.
  uint32_t Await();

  // Stores the state and wakes the writer if it sleeps. The writer may be gone as soon as this has
  // stored the state.
  //
  // The store is an exchange because notify_one() wakes no thread if it sees no sleeping one: with
  // a plain store that check may come before the store is visible, and the writer may fall asleep
  // in between. In two million handovers in which one side always slept, one wake-up was lost that
  // way.
  void Set(State now) {
    if (state.exchange(now, std::memory_order_seq_cst) == kSleeping) state.notify_one();
  }

  // Waits for the writer after this one to complete its entry into the queue, and returns it.
  Writer* AwaitNext();
};

// Calls visit(Writer&) for each writer of a queue from `first` to `last`, in order.
template <class Visit>
void ForEachWriter(Writer* first, Writer* last, const Visit& visit) {
  for (Writer* writer = first;; writer = writer->next.load(std::memory_order_acquire)) {
    visit(*writer);
    if (writer == last) return;
  }
}

// The writers that are served together, from `first` to `last`; the `sync` of `first` applies to
// all. They are in the same shard. Their entries are numbered from `sequence` on.
struct WriteGroup {
  Writer* first;
  Writer* last;
  size_t shard;
  SequenceNumber sequence;

  bool sync() const { return first->sync; }

  // Calls visit(const Writer&) for each of them in order.
  template <class Visit>
  void ForEach(const Visit& visit) const {
    ForEachWriter(first, last, [&visit](const Writer& writer) { visit(writer); });
  }

  // Returns the number of entries.
  uint64_t Count() const {
    uint64_t count = 0;
    ForEach([&count](const Writer& writer) { count += writer.Count(); });
    return count;
  }

  // Returns the bytes of its record with all values, or a little more.
  uint64_t Bytes() const {
    uint64_t bytes = 0;
    ForEach([&bytes](const Writer& writer) { bytes += writer.Size(); });
    return bytes;
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITER_H_
