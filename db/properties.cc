#include "db/properties.h"

#include <cstdio>

#include "db/pmem_properties.h"
#include "leveldb/cache.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr double kMiB = 1048576.0;

bool NumFilesAtLevel(const Version& version, Slice digits, std::string* value) {
  uint64_t level;
  if (!ConsumeDecimal(&digits, &level) || !digits.empty() || level >= kNumLevels) return false;
  *value = NumberToString(version.num_files(static_cast<int>(level)));
  return true;
}

// Returns a table that programs parse: a level per line, after three heading lines.
std::string CompactionStats(const Version& version, const JobStats& stats) {
  std::string text =
      "                               Compactions\n"
      "Level  Files Size(MB) Time(sec) Read(MB) Write(MB)\n"
      "--------------------------------------------------\n";
  for (int level = 0; level < kNumLevels; level++) {
    const LevelWork& work = stats.levels[level];
    const int files = version.num_files(level);
    if (files == 0 && work.micros == 0) continue;
    char line[120];
    snprintf(line, sizeof(line), "%3d %8d %8.0f %9.0f %8.0f %9.0f\n", level, files,
             static_cast<double>(version.level_bytes(level)) / kMiB,
             static_cast<double>(work.micros) / 1e6, static_cast<double>(work.bytes_read) / kMiB,
             static_cast<double>(work.bytes_written) / kMiB);
    text += line;
  }
  return text;
}

// The memory that a database uses in the process, in bytes.
struct MemoryUse {
  size_t memtables = 0;
  size_t block_cache = 0;  // by all databases that share it
  TableMemory tables;

  size_t Total() const { return memtables + block_cache + tables.indexes + tables.filters; }
};

MemoryUse MeasureMemory(const DbState& state, const ReadView& view, const TableCache& tables) {
  MemoryUse use;
  use.memtables = view.memtable->MemoryUsage();
  if (view.immutable != nullptr) use.memtables += view.immutable->MemoryUsage();
  use.block_cache = state.options().block_cache->TotalCharge();
  use.tables = tables.Memory();
  return use;
}

std::string MemoryText(const MemoryUse& use) {
  return "memtables " + NumberToString(use.memtables) + "\nblock-cache " +
         NumberToString(use.block_cache) + "\ntable-indexes " + NumberToString(use.tables.indexes) +
         "\ntable-filters " + NumberToString(use.tables.filters) + "\n";
}

}  // namespace

bool ReadProperty(DbState* state, const TableCache& tables, const Slice& property,
                  std::string* value) {
  value->clear();
  if (state->IsInForkedChild()) return false;
  Slice name = property;
  const Slice prefix("leveldb.");
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());

  const std::shared_ptr<const ReadView> view = state->current_view.Pin();
  const Slice pmem("pmem");
  if (name.starts_with(pmem)) {
    name.remove_prefix(pmem.size());
    if (name.empty()) return ReadPmemProperty(state, *view, name, value);
    if (name[0] != '.') return false;
    name.remove_prefix(1);
    return !name.empty() && ReadPmemProperty(state, *view, name, value);
  }
  const Slice num_files("num-files-at-level");
  if (name.starts_with(num_files)) {
    name.remove_prefix(num_files.size());
    return NumFilesAtLevel(*view->version, name, value);
  }
  if (name == Slice("stats")) {
    MutexLock lock(&state->mutex);
    *value = CompactionStats(*view->version, state->stats);
    return true;
  }
  if (name == Slice("sstables")) {
    *value = view->version->DebugString();
    return true;
  }
  if (name == Slice("approximate-memory-usage")) {
    *value = NumberToString(MeasureMemory(*state, *view, tables).Total());
    return true;
  }
  if (name == Slice("memory")) {
    *value = MemoryText(MeasureMemory(*state, *view, tables));
    return true;
  }
  return false;
}

}  // namespace leveldb
