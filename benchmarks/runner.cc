#include "benchmarks/runner.h"

#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "benchmarks/control_thread.h"
#include "benchmarks/progress_line.h"
#include "benchmarks/starting_line.h"
#include "benchmarks/throughput_meter.h"

namespace leveldb::bench {

namespace {

using Crewmen = std::vector<std::unique_ptr<BenchThread>>;

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

WorkDone MeasuredWork(const Crewmen& crew) {
  WorkDone work;
  for (const std::unique_ptr<BenchThread>& member : crew) {
    if (member->is_writer()) continue;
    work.operations += member->stats().operations();
    work.bytes += member->stats().bytes();
  }
  return work;
}

void AddMeasured(const Phase& phase, const ThreadStats& stats, BenchResult* result) {
  result->operations = stats.operations();
  result->bytes = stats.bytes();
  result->busy_seconds = stats.busy_seconds();
  result->elapsed_seconds = stats.elapsed_seconds();
  result->message = stats.message();
  if (phase.benchmark->tells_found) result->found = stats.found();
  if (stats.histogram() != nullptr) result->latency = *stats.histogram();
  if (stats.paced() != nullptr) result->paced = stats.paced()->Sum();
}

void AddUp(const Phase& phase, const Crewmen& crew, BenchResult* result) {
  result->name = phase.benchmark->name;
  result->threads = MeasuredThreads(phase);
  result->text = crew.front()->text();
  ThreadStats& measured = crew.front()->stats();
  for (size_t i = 1; i < crew.size(); ++i) {
    const ThreadStats& stats = crew[i]->stats();
    if (crew[i]->is_writer()) {
      result->writes_per_second = static_cast<double>(stats.operations()) / stats.elapsed_seconds();
    } else {
      measured.Merge(stats);
    }
  }
  AddMeasured(phase, measured, result);
}

}  // namespace

BenchResult RunPhase(Phase* phase) {
  const Crewmen crew = Hire(phase);
  const int measured = MeasuredThreads(*phase);
  phase->measured_threads_running.store(measured);
  const std::string name = phase->benchmark->name;
  const auto look = [&crew] { return MeasuredWork(crew); };

  std::optional<ProgressLine> progress;
  std::optional<ThroughputMeter> throughput;
  std::optional<ControlThread> control;
  if (phase->options->throughput) {
    throughput.emplace(name, look);
  } else {
    progress.emplace(name, static_cast<uint64_t>(phase->operations * measured),
                     [look] { return look().operations; });
  }
  if (phase->options->control_thread) control.emplace();
  RunTogether(crew);

  BenchResult result;
  if (control.has_value()) result.control_pause_micros = control->Stop();
  if (throughput.has_value()) result.throughput = throughput->Stop();
  for (const std::unique_ptr<BenchThread>& member : crew) member->EnterWrites();
  AddUp(*phase, crew, &result);
  if (control.has_value()) {
    result.control_rare_pause_micros = control->PauseBehind(result.operations / kRareOperations);
  }
  return result;
}

}  // namespace leveldb::bench
