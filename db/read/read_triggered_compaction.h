// ReadTriggeredCompaction suggests a merge when fewer sorted runs would make reads cheaper.
//
// It adds up what the runs beyond the first cost reads, and suggests a merge when the sum reaches
// the cost of that merge (the ski-rental rule; Karlin, Manasse, Rudolph and Sleator, Competitive
// Snoopy Caching, 1988): if reads continue, the merge should have been done at once, and at most
// the cost of one merge has been lost. If nothing is written, the result of a merge stays merged:
// then the cost of a merge counts less, and the memtable, which is a run as well, is worth a flush.
// Costs are constants, measured once: docs/performance.md.
#ifndef BUSHSTORE_DB_READ_READ_TRIGGERED_COMPACTION_H_
#define BUSHSTORE_DB_READ_READ_TRIGGERED_COMPACTION_H_

#include <atomic>
#include <cstdint>

#include "db/state/read_view.h"
#include "entry/internal_key.h"

namespace leveldb {

// Returns whether the view's memtable is large enough to cost reads something.
bool MemtableIsRun(const ReadView& view);

// The database as seen by ReadTriggeredCompaction. Thread-safe.
class ReadTriggeredCompactionSink {
 public:
  virtual ~ReadTriggeredCompactionSink() = default;
  // Returns the number of the newest write.
  virtual SequenceNumber LastSequence() const = 0;
  // Called from time to time while reads search several runs; may be called within epoch guards.
  virtual void OnRunsRead() = 0;
  // Called when a merge is worth its cost. `is_quiet`: there was no write for some time.
  virtual void OnReadTriggeredCompaction(bool is_quiet) = 0;
};

// Thread-safe. A caller to which a function returns true must call Suggest(), outside of any epoch
// guard.
class ReadTriggeredCompaction {
 public:
  // `sink` is not owned.
  explicit ReadTriggeredCompaction(ReadTriggeredCompactionSink* sink) : sink_(sink) {}

  // Records that a key with that hash was looked up in the group. One in kGetsPerSample lookups
  // counts, for all of them, so that readers do not contend for a cache line.
  bool OnGet(const ReadView& view, uint64_t hash) {
    return hash % kGetsPerSample == 0 && Pay(view, kGetsPerSample * kGetNanos);
  }
  // Record that an iterator over the view was sought, or has made `steps` steps.
  bool OnSeek(const ReadView& view) { return Pay(view, kSeekNanos); }
  bool OnSteps(const ReadView& view, uint64_t steps) { return Pay(view, steps * kStepNanos); }

  void Suggest() { sink_->OnReadTriggeredCompaction(is_quiet_.load(std::memory_order_relaxed)); }

 private:
  // The cost of one run for each of these operations.
  static constexpr uint64_t kGetNanos = 90;
  static constexpr uint64_t kSeekNanos = 700;
  static constexpr uint64_t kStepNanos = 25;
  static constexpr uint64_t kGetsPerSample = 64;

  // Adds `nanos` for each run but one. Returns whether a merge is worth its cost.
  bool Pay(const ReadView& view, uint64_t nanos);

  ReadTriggeredCompactionSink* const sink_;
  std::atomic<uint64_t> paid_nanos_{0};
  std::atomic<SequenceNumber> begin_sequence_{0};  // of the newest write when paid_nanos_ was 0
  std::atomic<bool> is_quiet_{false};              // when the sum last reached the cost of a merge
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_READ_TRIGGERED_COMPACTION_H_
