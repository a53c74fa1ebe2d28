// Tests that concurrent clients on a store in memory report no error for correct answers.
#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ycsbc/memory_store.h"
#include "ycsbc/phase.h"
#include "ycsbc/record_ledger.h"

namespace leveldb::ycsbc {
namespace {

TEST(LedgerThreadsTest, OneWriterAtATime) {
  constexpr int kThreads = 4;
  constexpr int kWrites = 3000;
  RecordLedger ledger(0, 2);
  int64_t unguarded[2] = {0, 0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kWrites; ++i) {
        const auto record = static_cast<uint64_t>((i + t) % 2);
        const Version version = ledger.BeginWrite(record);
        ++unguarded[record];
        ledger.EndWrite(record, version + 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(kThreads * kWrites, unguarded[0] + unguarded[1]);
  EXPECT_EQ(static_cast<Version>(unguarded[0]), ledger.Get(0).version);
  EXPECT_EQ(static_cast<Version>(unguarded[1]), ledger.Get(1).version);
}

TEST(YcsbThreadsTest, AllOperationsAtOnceOnFewRecords) {
  constexpr uint64_t kRecords = 20;
  constexpr uint64_t kOperationsInAll = 8000;
  for (const Distribution distribution :
       {Distribution::kUniform, Distribution::kZipfian, Distribution::kLatest}) {
    for (const bool write_all_fields : {false, true}) {
      RunOptions options;
      options.threads = 4;
      options.latency = true;
      CoreWorkload& workload = options.workload;
      workload.record_count = workload.insert_count = kRecords;
      workload.operation_count = kOperationsInAll;
      workload.field_count = 3;
      workload.field_length = 16;
      workload.proportions = {0.3, 0.3, 0.05, 0.15, 0.2};
      workload.scan_length_max = 10;
      workload.request_distribution = distribution;
      workload.write_all_fields = write_all_fields;

      MemoryDisk disk;
      MemoryStore store(&disk);
      const RecordKeys keys(true, 1);
      const RecordCodec codec(workload);
      RecordLedger ledger(0, kRecords + kOperationsInAll);
      const ScanOrder order(keys, 0, kRecords);
      RunFailure failure;
      AcknowledgedCounter empty(0);
      AcknowledgedCounter counter(kRecords);
      Phase phase{PhaseKind::kLoad, &options, &store, {&keys, &codec, &ledger, &order, true},
                  &empty,           &failure};
      EXPECT_EQ(kRecords, RunPhase(phase).operations);
      phase.kind = PhaseKind::kRun;
      phase.counter = &counter;
      const PhaseResult result = RunPhase(phase);
      EXPECT_EQ("", failure.sentence());
      EXPECT_EQ(kOperationsInAll, result.operations);
      EXPECT_EQ(disk.entries.size(), counter.limit());
    }
  }
}

}  // namespace
}  // namespace leveldb::ycsbc
