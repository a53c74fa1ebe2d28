// stress: runs stress runs of databases until the time is over or something is wrong.

#include <signal.h>
#include <stdlib.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "testing/stress/command_line.h"
#include "testing/stress/figures.h"
#include "testing/stress/minimize.h"
#include "testing/stress/plan.h"
#include "testing/stress/stress_run.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kExitFound = 1;
constexpr int kExitUsage = 2;
constexpr int kMinimizingRuns = 300;
constexpr int kTriesWithThreads = 4;

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

int WrongUsage(const std::string& wrong) {
  std::fprintf(stderr, "stress: %s; stress --help says more\n", wrong.c_str());
  return kExitUsage;
}

class StressProgram {
 public:
  // `pool_bytes` is the size of the pool that the command line names.
  StressProgram(const CommandLine& line, uint64_t pool_bytes) : line_(line) {
    places_.files = Place(line.dir, Medium::kAny, &files_);
    places_.pools = Place(line.pm, Medium::kMemory, &pools_);
    places_.pool = line.pool;
    places_.pool_bytes = pool_bytes;
  }

  int RunAll() {
    PlanOptions plan;
    plan.kinds = line_.kinds;
    plan.threads = line_.threads;
    const uint64_t first = line_.seed.has_value() ? *line_.seed : std::random_device()();
    summary_.first_seed = first;
    std::printf("seed %llu; to repeat: stress --seed=%llu %s\n",
                static_cast<unsigned long long>(first), static_cast<unsigned long long>(first),
                Choices().c_str());
    std::fflush(stdout);
    for (uint64_t run = 0; GoesOn(run); ++run) {
      const Script script = PlanRun(first + run, plan);
      const std::string wrong = RunStress(script, places_, &figures_, true);
      if (!wrong.empty()) {
        const unsigned long long seed = first + run;
        std::printf("WRONG in the run of seed %llu: %s\n", seed, wrong.c_str());
        std::printf("to repeat: stress --seed=%llu --runs=1 %s\n", seed, Choices().c_str());
        Shorten(script);
        break;
      }
    }
    return Report();
  }

  int Replay(const Script& script) {
    const std::string wrong = RunStress(script, places_, &figures_, true);
    if (!wrong.empty()) {
      std::printf("WRONG: %s\nto repeat: stress --replay=%s\n", wrong.c_str(),
                  line_.replay.c_str());
      Shorten(script);
    }
    return Report();
  }

 private:
  static std::string Place(const std::string& wanted, Medium medium,
                           std::unique_ptr<TempDir>* fallback) {
    if (wanted.empty()) {
      *fallback = std::make_unique<TempDir>(medium);
      return (*fallback)->path();
    }
    std::error_code error;
    std::filesystem::create_directories(wanted, error);
    if (error) {
      std::fprintf(stderr, "stress: %s: %s\n", wanted.c_str(), error.message().c_str());
      std::exit(kExitUsage);
    }
    return std::filesystem::absolute(wanted).string();
  }

  bool GoesOn(uint64_t run) const {
    if (line_.runs > 0) {
      return run < line_.runs;
    }
    return SecondsSince(start_) < line_.seconds;
  }

  std::string Choices() const {
    return "--threads=" + std::to_string(line_.threads) + " --kinds=" + line_.KindsText() +
           (line_.pool.empty() ? "" : " --pool=" + line_.pool);
  }

  void Shorten(const Script& script) {
    ++summary_.failures;
    // Keeps the directories for inspection.
    static_cast<void>(files_.release());
    static_cast<void>(pools_.release());
    if (line_.minimize.empty()) {
      return;
    }
    Figures spent;
    const auto still_fails = [&](const Script& shorter) {
      const int tries = shorter.threads() > 1 ? kTriesWithThreads : 1;
      for (int i = 0; i < tries; ++i) {
        if (!RunStress(shorter, places_, &spent, false).empty()) return true;
      }
      return false;
    };
    const Script shortest = Minimize(script, still_fails, kMinimizingRuns);
    std::ofstream(line_.minimize) << shortest.Text();
    std::printf("the shortest script that goes wrong, in %s:\n%sto repeat: stress --replay=%s\n",
                line_.minimize.c_str(), shortest.Text().c_str(), line_.minimize.c_str());
  }

  int Report() {
    summary_.seconds = SecondsSince(start_);
    summary_.threads = line_.threads;
    summary_.kinds = line_.KindsText();
    std::printf("%s", figures_.Table(summary_).c_str());
    if (!line_.report.empty()) {
      std::ofstream out(line_.report);
      out << figures_.Json(summary_);
      if (!out.flush()) {
        std::fprintf(stderr, "stress: cannot write %s\n", line_.report.c_str());
        return kExitUsage;
      }
    }
    return summary_.failures == 0 ? 0 : kExitFound;
  }

  const CommandLine& line_;
  const Clock::time_point start_ = Clock::now();
  std::unique_ptr<TempDir> files_;
  std::unique_ptr<TempDir> pools_;
  RunPlaces places_;
  Figures figures_;
  Figures::Summary summary_;
};

int Print(const CommandLine& line) {
  PlanOptions plan;
  plan.kinds = line.kinds;
  plan.threads = line.threads;
  const uint64_t first = line.seed.has_value() ? *line.seed : std::random_device()();
  for (uint64_t run = 0; run < line.runs; ++run) {
    std::printf("# seed %llu\n%s", static_cast<unsigned long long>(first + run),
                PlanRun(first + run, plan).Text().c_str());
  }
  return 0;
}

int Main(const std::vector<std::string>& words) {
  ::signal(SIGPIPE, SIG_IGN);
  CommandLine line;
  std::string wrong = ParseCommandLine(words, &line);
  if (!wrong.empty()) {
    return WrongUsage(wrong);
  }
  if (line.help) {
    std::fputs(kStressUsage, stdout);
    return 0;
  }
  if (line.print) {
    return Print(line);
  }
  uint64_t pool_bytes = 0;
  wrong = line.pool.empty() ? "" : MeasurePool(line.pool, &pool_bytes);
  if (!wrong.empty()) {
    return WrongUsage(wrong);
  }
  if (line.replay.empty()) {
    return StressProgram(line, pool_bytes).RunAll();
  }
  std::ifstream in(line.replay);
  std::stringstream text;
  text << in.rdbuf();
  if (!in) {
    return WrongUsage("cannot read " + line.replay);
  }
  Script script;
  wrong = Script::Parse(text.str(), &script);
  return wrong.empty() ? StressProgram(line, pool_bytes).Replay(script)
                       : WrongUsage(line.replay + ": " + wrong);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb

int main(int argc, char** argv) {
  return leveldb::testkit::Main(std::vector<std::string>(argv + 1, argv + argc));
}
