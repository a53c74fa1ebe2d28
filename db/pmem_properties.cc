#include "db/pmem_properties.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

#include "db/state/db_state.h"
#include "db/state/read_view.h"
#include "pmem/group/tree_group.h"
#include "pmem/pmem_tier.h"
#include "util/text.h"

namespace leveldb {

namespace {

class MetricsSnapshot {
 public:
  void Add(const std::string& name, uint64_t value) {
    metrics_.emplace_back(name, NumberToString(value));
  }
  void AddText(const std::string& name, std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');  // one line per metric
    metrics_.emplace_back(name, std::move(text));
  }
  void AddRatio(const std::string& name, double value) {
    char text[32];
    snprintf(text, sizeof(text), "%.4f", value);
    metrics_.emplace_back(name, text);
  }

  bool Find(const Slice& name, std::string* value) const {
    for (const auto& [metric, text] : metrics_) {
      if (name != Slice(metric)) continue;
      *value = text;
      return true;
    }
    return false;
  }

  std::string ToString() const {
    std::string text;
    for (const auto& [metric, value] : metrics_) text += metric + " " + value + "\n";
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> metrics_;
};

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void AddPool(PmemTier* tier, MetricsSnapshot* metrics) {
  metrics->Add("pool-bytes", tier->pool()->size());
  metrics->Add("pool-ceiling", tier->pool()->ceiling());
  metrics->Add("pool-used-bytes", tier->extents()->used_bytes());
  metrics->AddRatio("pool-use", tier->extents()->use());
  metrics->AddText("medium", tier->pool()->medium_description().Text());
}

void AddGroup(const PmemTier& tier, const TreeGroup& group, MetricsSnapshot* metrics) {
  uint64_t leaf_bytes = 0;
  std::map<PoolOffset, uint64_t> live_bytes;  // by run of value extents
  for (int level = 0; level < kGroupLevels; level++) {
    metrics->Add("trees-at-level" + NumberToString(level), group.trees(level).size());
    leaf_bytes += group.LevelLeafBytes(level);
    for (const TreePtr& tree : group.trees(level)) {
      for (const ValueExtentUse& use : tree->value_extents()) {
        live_bytes[use.extent] += use.live_bytes;
      }
    }
  }
  uint64_t live = 0;
  for (const auto& [extent, bytes] : live_bytes) live += bytes;
  const uint64_t room = live_bytes.size() * tier.pool()->extent_size();
  metrics->Add("leaf-bytes", leaf_bytes);
  metrics->Add("dram-bytes", group.TotalDramBytes());
  metrics->Add("hint-bytes", tier.value_hints().memory_bytes());
  metrics->Add("value-extents", live_bytes.size());
  metrics->Add("value-live-bytes", live);
  metrics->AddRatio("garbage-share", live < room ? Share(room - live, room) : 0.0);
}

// Metrics that are read under the mutex.
struct StateMetrics {
  uint64_t table_bytes = 0;
  uint64_t stalls = 0;
  uint64_t stall_micros = 0;
  uint64_t flush_moves = 0;
  uint64_t logs = 0;
  Status error;
};

StateMetrics SnapshotStateMetrics(DbState* state) {
  MutexLock lock(&state->mutex);
  StateMetrics state_metrics;
  int64_t bytes = 0;
  for (const LevelWork& work : state->stats.levels) bytes += work.bytes_written;
  state_metrics.table_bytes = static_cast<uint64_t>(bytes);
  state_metrics.stalls = static_cast<uint64_t>(state->stats.write_wait_count);
  state_metrics.stall_micros = static_cast<uint64_t>(state->stats.write_wait_micros);
  state_metrics.flush_moves = static_cast<uint64_t>(state->stats.flush_moves);
  state_metrics.logs = state->log_numbers.size();
  state_metrics.error = state->background_error();
  return state_metrics;
}

void AddWork(const PmemStats& stats, uint64_t table_bytes, MetricsSnapshot* metrics) {
  const uint64_t user_bytes = stats.Sum(&PmemWriterStats::user_bytes);
  const uint64_t log_bytes = stats.Sum(&PmemWriterStats::log_bytes);
  const uint64_t value_bytes = stats.Sum(&PmemWriterStats::value_bytes);
  const uint64_t pool_bytes = log_bytes + value_bytes + stats.flush_bytes.value() +
                              stats.merge_bytes.value() + stats.gc_bytes.value();
  metrics->Add("user-bytes", user_bytes);
  metrics->Add("log-bytes", log_bytes);
  metrics->Add("value-bytes", value_bytes);
  metrics->Add("flush-bytes", stats.flush_bytes.value());
  metrics->Add("merge-bytes", stats.merge_bytes.value());
  metrics->Add("gc-bytes", stats.gc_bytes.value());
  metrics->Add("spill-bytes", stats.spill_bytes.value());
  metrics->Add("ssd-bytes", table_bytes);
  metrics->AddRatio("pm-bytes-per-user-byte", Share(pool_bytes, user_bytes));
  metrics->AddRatio("ssd-bytes-per-user-byte", Share(table_bytes, user_bytes));
  metrics->Add("flushes", stats.flushes.value());
  metrics->Add("merges", stats.merges.value());
  metrics->Add("gc-jobs", stats.gc_jobs.value());
  metrics->Add("spills", stats.spills.value());
}

void AddWaits(const PmemStats& stats, const StateMetrics& state_metrics, MetricsSnapshot* metrics) {
  metrics->Add("stalls", state_metrics.stalls);
  metrics->Add("stall-micros", state_metrics.stall_micros);
  metrics->Add("flush-moves", state_metrics.flush_moves);
  metrics->Add("full-waits", stats.Sum(&PmemWriterStats::full_waits));
  metrics->Add("delays", stats.Sum(&PmemWriterStats::delays));
}

}  // namespace

bool ReadPmemProperty(DbState* state, const ReadView& view, const Slice& name, std::string* value) {
  PmemTier* const tier = state->tier();
  if (tier == nullptr) return false;
  MetricsSnapshot metrics;
  AddPool(tier, &metrics);
  AddGroup(*tier, *view.version->group(), &metrics);
  const StateMetrics state_metrics = SnapshotStateMetrics(state);
  metrics.Add("logs", state_metrics.logs);
  AddWork(*tier->stats(), state_metrics.table_bytes, &metrics);
  AddWaits(*tier->stats(), state_metrics, &metrics);
  const PersistCounts counts = tier->persist()->counts();
  metrics.Add("fences", counts.fences);
  metrics.Add("flushed-lines", counts.flushes);
  metrics.Add("lost", tier->pool()->Lost() ? 1 : 0);
  metrics.AddText("background-error", state_metrics.error.ToString());
  if (name.empty()) {
    *value = metrics.ToString();
    return true;
  }
  return metrics.Find(name, value);
}

}  // namespace leveldb
