// Client is one thread of a phase, a client of the store.
#ifndef BUSHSTORE_YCSBC_CLIENT_H_
#define BUSHSTORE_YCSBC_CLIENT_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "util/histogram.h"
#include "util/random.h"
#include "ycsbc/generators.h"
#include "ycsbc/phase.h"
#include "ycsbc/record_checker.h"

namespace leveldb::ycsbc {

// ClientStats counts the work of a client. Only its own thread counts; other threads may read
// operations and bytes at any time.
class ClientStats {
 public:
  explicit ClientStats(bool with_latency) : with_latency_(with_latency) {}

  void Count(Operation operation, std::chrono::steady_clock::duration latency, uint64_t bytes);
  void CountScanned(uint64_t records) { scanned_records_ += records; }

  uint64_t operations() const { return operations_.load(std::memory_order_relaxed); }
  uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  // Adds all counts to *result. REQUIRES: the client has ended.
  void AddTo(PhaseResult* result) const;

 private:
  struct PerOperation {
    uint64_t operations = 0;
    std::unique_ptr<Histogram> latency;  // made when first needed
  };

  const bool with_latency_;
  std::atomic<uint64_t> operations_{0};
  std::atomic<uint64_t> bytes_{0};
  uint64_t scanned_records_ = 0;
  std::array<PerOperation, kOperations> by_operation_;
};

// Client is not thread-safe.
class Client {
 public:
  // `index` is in [0, phase.options->threads).
  Client(const Phase& phase, int index);

  // Runs the client's share of the phase, until something fails.
  void Run();

  const ClientStats& stats() const { return stats_; }

 private:
  using Clock = std::chrono::steady_clock;

  // Stopwatch adds up the time of the store's calls in one operation, without the time to make
  // values and check them. It does nothing without -latency.
  class Stopwatch {
   public:
    explicit Stopwatch(bool enabled) : enabled_(enabled) {}
    void Reset() { elapsed_ = Clock::duration::zero(); }
    template <typename Call>
    Status Time(const Call& call) {
      if (!enabled_) return call();
      const Clock::time_point began = Clock::now();
      Status status = call();
      elapsed_ += Clock::now() - began;
      return status;
    }
    Clock::duration elapsed() const { return elapsed_; }

   private:
    const bool enabled_;
    Clock::duration elapsed_{};
  };

  void ForOwnRecords(uint64_t first, const std::function<bool(uint64_t)>& action);
  void DoOperations();
  uint64_t ShareOf(uint64_t operations) const;
  uint64_t ChooseRecord() { return records_->Next(&record_random_); }
  bool Do(Operation operation);
  bool Read(uint64_t record);
  bool Scan();
  bool Insert(uint64_t record);
  bool Update(Operation operation);
  // Writes the record's next version, and returns it in *version. REQUIRES: the thread has begun
  // the write in the ledger.
  bool Rewrite(Operation operation, uint64_t record, Version* version);
  void Count(Operation operation, uint64_t bytes);

  const Phase& phase_;
  const CoreWorkload& workload_;
  const int index_;
  const std::unique_ptr<StoreSession> session_;
  RecordChecker checker_;
  // Operations and lengths do not depend on the work of other threads. Records do, as some are
  // drawn again because they do not exist yet.
  Random random_;
  Random record_random_;
  OperationChooser operations_;
  LengthChooser scan_lengths_;
  std::unique_ptr<RecordChooser> records_;  // null except in a run
  ClientStats stats_;
  Stopwatch watch_;
  std::string key_;
  std::string value_;
  std::vector<Version> versions_;
  EntryList scanned_;
};

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_CLIENT_H_
