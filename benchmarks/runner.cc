#include "benchmarks/runner.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "benchmarks/progress_line.h"

namespace leveldb::bench {

namespace {

using Crewmen = std::vector<std::unique_ptr<BenchThread>>;

// Holds threads back until all of them have come.
class StartingLine {
 public:
  explicit StartingLine(size_t threads) : missing_(threads) {}

  void ArriveAndWait() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (--missing_ == 0) everyone_is_here_.notify_all();
    everyone_is_here_.wait(lock, [this] { return missing_ == 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable everyone_is_here_;
  size_t missing_;
};

int MeasuredThreads(const Phase& phase) {
  return phase.benchmark->crew == Crew::kOneThread ? 1 : phase.options->threads;
}

Crewmen Hire(Phase* phase) {
  Crewmen crew;
  const int measured = MeasuredThreads(*phase);
  for (int i = 0; i < measured; ++i) crew.push_back(std::make_unique<BenchThread>(phase, i, false));
  if (phase->benchmark->crew == Crew::kThreadsAndWriter) {
    crew.push_back(std::make_unique<BenchThread>(phase, measured, true));
  }
  return crew;
}

void RunTogether(const Crewmen& crew) {
  StartingLine line(crew.size());
  std::vector<std::thread> threads;
  for (const std::unique_ptr<BenchThread>& member : crew) {
    threads.emplace_back([&line, &member] {
      line.ArriveAndWait();
      member->Run();
    });
  }
  for (std::thread& thread : threads) thread.join();
}

uint64_t MeasuredOperations(const Crewmen& crew) {
  uint64_t operations = 0;
  for (const std::unique_ptr<BenchThread>& member : crew) {
    if (!member->is_writer()) operations += member->stats().operations();
  }
  return operations;
}

void AddMeasured(const Phase& phase, const ThreadStats& stats, BenchResult* result) {
  result->operations = stats.operations();
  result->bytes = stats.bytes();
  result->busy_seconds = stats.busy_seconds();
  result->elapsed_seconds = stats.elapsed_seconds();
  result->message = stats.message();
  if (phase.benchmark->tells_found) result->found = stats.found();
  if (stats.histogram() != nullptr) result->latency = *stats.histogram();
}

BenchResult AddUp(const Phase& phase, const Crewmen& crew) {
  BenchResult result;
  result.name = phase.benchmark->name;
  result.threads = MeasuredThreads(phase);
  result.text = crew.front()->text();
  ThreadStats& measured = crew.front()->stats();
  for (size_t i = 1; i < crew.size(); ++i) {
    const ThreadStats& stats = crew[i]->stats();
    if (crew[i]->is_writer()) {
      result.writes_per_second = static_cast<double>(stats.operations()) / stats.elapsed_seconds();
    } else {
      measured.Merge(stats);
    }
  }
  AddMeasured(phase, measured, &result);
  return result;
}

}  // namespace

BenchResult RunPhase(Phase* phase) {
  const Crewmen crew = Hire(phase);
  const int measured = MeasuredThreads(*phase);
  phase->measured_threads_running.store(measured);
  const ProgressLine progress(phase->benchmark->name,
                              static_cast<uint64_t>(phase->operations * measured),
                              [&crew] { return MeasuredOperations(crew); });
  RunTogether(crew);
  return AddUp(*phase, crew);
}

}  // namespace leveldb::bench
