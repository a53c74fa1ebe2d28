#include "ycsbc/phase.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>

#include "benchmarks/progress_line.h"
#include "benchmarks/starting_line.h"
#include "ycsbc/client.h"

namespace leveldb::ycsbc {

namespace {

using Clock = std::chrono::steady_clock;

bench::WorkDone WorkOf(const std::vector<std::unique_ptr<Client>>& clients) {
  bench::WorkDone work;
  for (const std::unique_ptr<Client>& client : clients) {
    work.operations += client->stats().operations();
    work.bytes += client->stats().bytes();
  }
  return work;
}

// Runs the clients concurrently; returns the seconds from the first one's start to the last one's
// end.
double RunTogether(const std::vector<std::unique_ptr<Client>>& clients) {
  struct Times {
    Clock::time_point began;
    Clock::time_point ended;
  };
  std::vector<Times> times(clients.size());
  bench::StartingLine line(clients.size());
  std::vector<std::thread> threads;
  for (size_t i = 0; i < clients.size(); ++i) {
    threads.emplace_back([&line, &client = *clients[i], &own = times[i]] {
      line.ArriveAndWait();
      own.began = Clock::now();
      client.Run();
      own.ended = Clock::now();
    });
  }
  for (std::thread& thread : threads) thread.join();
  Times all = times.front();
  for (const Times& own : times) {
    all.began = std::min(all.began, own.began);
    all.ended = std::max(all.ended, own.ended);
  }
  return std::chrono::duration<double>(all.ended - all.began).count();
}

}  // namespace

const char* Phase::name() const {
  switch (kind) {
    case PhaseKind::kLoad:
      return "load";
    case PhaseKind::kRun:
      return "run";
    case PhaseKind::kCheck:
      return "check";
  }
  return "?";
}

uint64_t Phase::operations() const {
  switch (kind) {
    case PhaseKind::kLoad:
      return options->workload.insert_count;
    case PhaseKind::kRun:
      return options->workload.operation_count;
    case PhaseKind::kCheck:
      return counter->limit() - records.ledger->first();
  }
  return 0;
}

PhaseResult RunPhase(const Phase& phase) {
  const RunOptions& options = *phase.options;
  const uint64_t waits_before = phase.records.ledger->waits();
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < options.threads; ++i) {
    clients.push_back(std::make_unique<Client>(phase, i));
  }
  const auto look = [&clients] { return WorkOf(clients); };

  std::optional<bench::ProgressLine> progress;
  std::optional<bench::ThroughputMeter> throughput;
  if (options.time_series) {
    throughput.emplace(phase.name(), look);
  } else {
    progress.emplace(phase.name(), phase.operations(), [look] { return look().operations; });
  }
  PhaseResult result;
  result.name = phase.name();
  result.threads = options.threads;
  const bench::DeviceUse device_before = bench::LookAtDevices(options.device_account);
  result.elapsed_seconds = RunTogether(clients);
  result.device = bench::LookAtDevices(options.device_account) - device_before;
  if (throughput.has_value()) result.throughput = throughput->Stop();
  for (const std::unique_ptr<Client>& client : clients) client->stats().AddTo(&result);
  result.waits = phase.records.ledger->waits() - waits_before;
  return result;
}

}  // namespace leveldb::ycsbc
