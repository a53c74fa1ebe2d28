// Tests choosers and inserting threads concurrently.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "ycsbc/generators.h"

namespace leveldb::ycsbc {
namespace {

TEST(GeneratorThreadsTest, NobodyIsLedToARecordThatHasNotCome) {
  constexpr uint64_t kFirst = 100;
  constexpr uint64_t kInserts = 20'000;
  AcknowledgedCounter counter(kFirst);
  std::vector<std::atomic<bool>> is_there(kFirst + kInserts);
  for (uint64_t i = 0; i < kFirst; ++i) is_there[i].store(true);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (const Distribution distribution :
       {Distribution::kUniform, Distribution::kZipfian, Distribution::kLatest}) {
    threads.emplace_back([&, distribution] {
      CoreWorkload workload;
      workload.request_distribution = distribution;
      const auto chooser = NewRecordChooser(workload, 0, &counter, kInserts);
      Random random(static_cast<uint64_t>(distribution));
      while (counter.limit() < kFirst + kInserts) {
        if (!is_there[chooser->Next(&random)].load(std::memory_order_relaxed)) ++wrong;
      }
    });
  }
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (uint64_t n = 0; n < kInserts / 2; ++n) {
        const uint64_t record = counter.Next();
        is_there[record].store(true, std::memory_order_relaxed);
        counter.Acknowledge(record);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(0, wrong.load());
  EXPECT_EQ(kFirst + kInserts, counter.limit());
}

}  // namespace
}  // namespace leveldb::ycsbc
