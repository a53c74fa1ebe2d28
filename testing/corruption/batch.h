// Batch: tries the images of one base in a process of their own, so that an image that crashes or
// hangs the process is identified.

#ifndef BUSHSTORE_TESTING_CORRUPTION_BATCH_H_
#define BUSHSTORE_TESTING_CORRUPTION_BATCH_H_

#include <cstdint>
#include <functional>
#include <string>

#include "testing/corruption/command_line.h"
#include "testing/corruption/figures.h"

namespace leveldb {
namespace testkit {

constexpr uint64_t kImagesOfABase = 200;

// Receives the number of an image and a description of what went wrong with it.
using Tell = std::function<void(uint64_t image, const std::string& wrong)>;

// Tries images [first, last), all of the same base. Calls `goes_on` before each and stops when it
// returns false. Forks. REQUIRES: this process has one thread only.
void RunBatch(const CommandLine& line, uint64_t seed, const std::string& dir, uint64_t first,
              uint64_t last, const std::function<bool()>& goes_on, const Tell& tell,
              Figures* figures);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_BATCH_H_
