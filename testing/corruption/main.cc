// corruption: damages databases at one position at a time, until the time is over or something is
// wrong.

#include <signal.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "testing/corruption/batch.h"
#include "testing/corruption/command_line.h"
#include "testing/corruption/figures.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kExitFound = 1;
constexpr int kExitUsage = 2;

using Clock = std::chrono::steady_clock;
using Number = unsigned long long;

class CorruptionRun {
 public:
  explicit CorruptionRun(const CommandLine& line)
      : line_(line), seed_(line.seed.has_value() ? *line.seed : std::random_device()()) {
    if (line.dir.empty()) {
      temporary_ = std::make_unique<TempDir>(Medium::kMemory);
      dir_ = temporary_->path();
    } else {
      std::filesystem::create_directories(line.dir);
      dir_ = std::filesystem::absolute(line.dir).string();
    }
  }

  int Run() {
    std::printf("seed %llu; to repeat: corruption --seed=%llu%s\n", Number{seed_}, Number{seed_},
                line_.choice_text.c_str());
    std::fflush(stdout);
    if (line_.image.has_value()) {
      RunFrom(*line_.image, *line_.image + 1);
      return Report();
    }
    for (uint64_t image = 0; GoesOn(); image += kImagesOfABase) {
      const uint64_t last = line_.images == 0 ? image + kImagesOfABase
                                              : std::min(image + kImagesOfABase, line_.images);
      if (last <= image) break;
      RunFrom(image, last);
    }
    return Report();
  }

 private:
  void RunFrom(uint64_t first, uint64_t last) {
    RunBatch(
        line_, seed_, dir_, first, last, [this] { return GoesOn(); },
        [this](uint64_t image, const std::string& wrong) {
          std::printf("WRONG in image %llu: %s\nto repeat: corruption --seed=%llu --image=%llu%s\n",
                      Number{image}, wrong.c_str(), Number{seed_}, Number{image},
                      line_.choice_text.c_str());
          std::fflush(stdout);
        },
        &figures_);
  }

  double Seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  bool GoesOn() const {
    if (figures_.wrong() >= line_.wrong) return false;
    return line_.images > 0 || line_.image.has_value() || Seconds() < line_.seconds;
  }

  int Report() const {
    const Figures::Run run{Seconds(), seed_};
    std::printf("%s", figures_.Table(run).c_str());
    if (!line_.report.empty()) {
      std::ofstream out(line_.report);
      out << figures_.Json(run);
      if (!out.flush()) {
        std::fprintf(stderr, "corruption: cannot write %s\n", line_.report.c_str());
        return kExitUsage;
      }
    }
    return figures_.wrong() == 0 ? 0 : kExitFound;
  }

  const CommandLine& line_;
  const uint64_t seed_;
  const Clock::time_point start_ = Clock::now();
  std::unique_ptr<TempDir> temporary_;
  std::string dir_;
  Figures figures_;
};

int Main(const std::vector<std::string>& words) {
  ::signal(SIGPIPE, SIG_IGN);
  CommandLine line;
  const std::string wrong = ParseCommandLine(words, &line);
  if (!wrong.empty()) {
    std::fprintf(stderr, "corruption: %s; corruption --help says more\n", wrong.c_str());
    return kExitUsage;
  }
  if (line.help) {
    std::fputs(kCorruptionUsage, stdout);
    return 0;
  }
  return CorruptionRun(line).Run();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb

int main(int argc, char** argv) {
  return leveldb::testkit::Main(std::vector<std::string>(argv + 1, argv + argc));
}
