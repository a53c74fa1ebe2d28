// Notices that reads would be cheaper if there were fewer sorted runs.
//
// What reads pay for the runs beyond the first is added up, and when that comes to what a merge
// would cost, a merge is suggested: a payer who would pay more from then on should have bought, and
// has lost no more than once the price (the ski-rental rule; Karlin, Manasse, Rudolph and Sleator,
// Competitive Snoopy Caching, 1988). Where nothing is written, what is merged stays merged: then
// the price is lower, and the memtable, which is a run as well, is worth a flush. Costs are
// constants, measured once: docs/performance.md.
#ifndef BUSHSTORE_DB_READ_READ_TRIGGERED_COMPACTION_H_
#define BUSHSTORE_DB_READ_READ_TRIGGERED_COMPACTION_H_

#include <atomic>
#include <cstdint>

#include "db/state/read_view.h"
#include "entry/internal_key.h"

namespace leveldb {

// Whether the view's memtable is large enough to cost reads something.
bool MemtableIsRun(const ReadView& view);

// Who is asked and told. Any thread.
class ReadTriggeredCompactionSink {
 public:
  virtual ~ReadTriggeredCompactionSink() = default;
  // The number of the newest write.
  virtual SequenceNumber LastSequence() const = 0;
  // Reads look into several runs. Called now and then while they do, and within guards.
  virtual void OnRunsRead() = 0;
  // Merging would pay. `is_quiet`: there was no write for some time.
  virtual void OnReadTriggeredCompaction(bool is_quiet) = 0;
};

// Thread-safe. A caller that is told true has to call Suggest(), outside of any guard.
class ReadTriggeredCompaction {
 public:
  // `sink` is not owned.
  explicit ReadTriggeredCompaction(ReadTriggeredCompactionSink* sink) : sink_(sink) {}

  // Says that a key with that hash was looked up in the group. One in so many lookups counts, for
  // all of them, so that readers do not take turns on a cache line.
  bool OnGet(const ReadView& view, uint64_t hash) {
    return hash % kGetsPerSample == 0 && Pay(view, kGetsPerSample * kGetNanos);
  }
  // Says that an iterator over the view was sought, or has made so many steps.
  bool OnSeek(const ReadView& view) { return Pay(view, kSeekNanos); }
  bool OnSteps(const ReadView& view, uint64_t steps) { return Pay(view, steps * kStepNanos); }

  void Suggest() { sink_->OnReadTriggeredCompaction(is_quiet_.load(std::memory_order_relaxed)); }

 private:
  // What a run costs each of them.
  static constexpr uint64_t kGetNanos = 90;
  static constexpr uint64_t kSeekNanos = 700;
  static constexpr uint64_t kStepNanos = 25;
  static constexpr uint64_t kGetsPerSample = 64;

  // `nanos` for each run but one.
  bool Pay(const ReadView& view, uint64_t nanos);

  ReadTriggeredCompactionSink* const sink_;
  std::atomic<uint64_t> paid_nanos_{0};
  std::atomic<SequenceNumber> begin_sequence_{0};  // of the newest write when that was 0
  std::atomic<bool> is_quiet_{false};              // what the last payment of the price has found
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_READ_TRIGGERED_COMPACTION_H_
