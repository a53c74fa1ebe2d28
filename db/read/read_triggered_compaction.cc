#include "db/read/read_triggered_compaction.h"

namespace leveldb {

namespace {

// The cost of merging an entry is 200 ns. A quarter of it counts, since the merge runs concurrently
// with the readers, on a core and with bandwidth that are mostly idle; still less of it counts if
// the merge will not have to be repeated.
constexpr uint64_t kMergeNanosPerEntry = 50;
constexpr uint64_t kQuietNanosPerEntry = 12;

// A smaller memtable costs reads almost nothing.
constexpr size_t kRunBytesOfMemtable = size_t{64} << 10;

uint64_t RunsOf(const ReadView& view) {
  return view.version->group()->run_count() + (view.immutable == nullptr ? 0 : 1) +
         (MemtableIsRun(view) ? 1 : 0);
}

}  // namespace

bool MemtableIsRun(const ReadView& view) {
  return view.memtable->MemoryUsage() >= kRunBytesOfMemtable;
}

bool ReadTriggeredCompaction::Pay(const ReadView& view, uint64_t nanos) {
  const uint64_t runs = RunsOf(view);
  if (runs < 2) return false;
  sink_->OnRunsRead();
  const uint64_t more = (runs - 1) * nanos;
  const uint64_t paid = paid_nanos_.fetch_add(more, std::memory_order_relaxed) + more;
  const uint64_t entries = view.version->group()->read_triggered_entries();
  if (paid < entries * kQuietNanosPerEntry) return false;
  const SequenceNumber now = sink_->LastSequence();
  const bool is_quiet = begin_sequence_.load(std::memory_order_relaxed) == now;
  if (!is_quiet && paid < entries * kMergeNanosPerEntry) return false;
  paid_nanos_.store(0, std::memory_order_relaxed);
  begin_sequence_.store(now, std::memory_order_relaxed);
  is_quiet_.store(is_quiet, std::memory_order_relaxed);
  return true;
}

}  // namespace leveldb
