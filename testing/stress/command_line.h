// The command line of `stress`, as data.

#ifndef BUSHSTORE_TESTING_STRESS_COMMAND_LINE_H_
#define BUSHSTORE_TESTING_STRESS_COMMAND_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

extern const char kStressUsage[];

struct CommandLine {
  bool help = false;
  bool print = false;  // print the scripts instead of running them
  double seconds = 60;
  uint64_t runs = 0;  // 0: as many as the time allows
  std::optional<uint64_t> seed;
  uint32_t threads = 4;
  std::string dir;
  std::string pm;
  std::string pool;  // a file or device; empty: pools are made in `pm`
  std::vector<Kind> kinds;
  std::string replay;
  std::string minimize;
  std::string report;

  // Returns the value of --kinds=.
  std::string KindsText() const;
};

// Returns what is wrong with the command line; empty if nothing is.
std::string ParseCommandLine(const std::vector<std::string>& words, CommandLine* line);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_COMMAND_LINE_H_
