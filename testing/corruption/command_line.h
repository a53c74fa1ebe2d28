// The command line of `corruption`, as data.

#ifndef BUSHSTORE_TESTING_CORRUPTION_COMMAND_LINE_H_
#define BUSHSTORE_TESTING_CORRUPTION_COMMAND_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "testing/corruption/wound.h"

namespace leveldb {
namespace testkit {

extern const char kCorruptionUsage[];

struct CommandLine {
  bool help = false;
  double seconds = 60;
  uint64_t images = 0;  // 0: as many as the time allows
  std::optional<uint64_t> seed;
  std::optional<uint64_t> image;  // try only this one
  uint64_t wrong = 1;             // the run ends after this many wrong images
  std::string dir;
  std::string keep;
  std::string report;
  WoundChoice choice;
  std::string choice_text;  // as words of a command line
};

// Returns what is wrong with the command line; empty if nothing is.
std::string ParseCommandLine(const std::vector<std::string>& words, CommandLine* line);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_COMMAND_LINE_H_
