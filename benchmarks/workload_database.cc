#include <malloc.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

#include "benchmarks/bench_thread.h"
#include "benchmarks/tier_metrics.h"
#include "benchmarks/workloads.h"

namespace leveldb::bench {

namespace {

// Background work counts as finished when none of its traces has changed for this time.
constexpr auto kRest = std::chrono::seconds(2);
constexpr auto kPollInterval = std::chrono::milliseconds(50);

std::string Property(DB* db, const char* name) {
  std::string value;
  return db->GetProperty(name, &value) ? value
                                       : "(the library has no property " + std::string(name) + ")";
}

std::string TracesOfBackgroundWork(DB* db) {
  std::string traces = Property(db, "leveldb.stats") + Property(db, "leveldb.sstables");
  for (const auto& [name, value] : ReadTierMetrics(db)) {
    traces += name + '=' + std::to_string(value) + '\n';
  }
  return traces;
}

}  // namespace

void OpenAgain(BenchThread& thread) {
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    thread.stats().BeginOperation();
    if (!thread.CheckStatus("an open", thread.phase().database->Open())) return;
    thread.stats().EndOperation();
  }
}

void CompactAll(BenchThread& thread) {
  thread.stats().BeginOperation();
  thread.db()->CompactRange(nullptr, nullptr);
  thread.stats().EndOperation();
}

void WaitForCompaction(BenchThread& thread) {
  using Clock = std::chrono::steady_clock;
  thread.stats().BeginOperation();
  std::string traces = TracesOfBackgroundWork(thread.db());
  Clock::time_point changed = Clock::now();
  while (Clock::now() - changed < kRest) {
    std::this_thread::sleep_for(kPollInterval);
    std::string now = TracesOfBackgroundWork(thread.db());
    if (now == traces) continue;
    traces.swap(now);
    changed = Clock::now();
  }
  thread.stats().EndOperation();
  thread.stats().SetMessage("(2 s of rest included)");
}

void PrintStats(BenchThread& thread) {
  std::string text = Property(thread.db(), "leveldb.stats");
  std::string tier;
  if (thread.db()->GetProperty("leveldb.pmem", &tier)) text += "\n" + tier;
  thread.set_text(text);
  thread.stats().EndOperation();
}

void PrintTables(BenchThread& thread) {
  thread.set_text(Property(thread.db(), "leveldb.sstables"));
  thread.stats().EndOperation();
}

void WriteHeapProfile(BenchThread& thread) {
  const std::string path =
      thread.options().db + ".heap-" + std::to_string(thread.phase().repetition + 1) + ".xml";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "w"),
                                                             &std::fclose);
  if (file == nullptr || malloc_info(0, file.get()) != 0) {
    thread.set_text("the heap profile cannot be written to " + path);
    return;
  }
  thread.set_text("the heap profile is in " + path);
  thread.stats().EndOperation();
}

}  // namespace leveldb::bench
