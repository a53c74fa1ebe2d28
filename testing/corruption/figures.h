// Figures: counts the images tried and their verdicts, by structure and harm.

#ifndef BUSHSTORE_TESTING_CORRUPTION_FIGURES_H_
#define BUSHSTORE_TESTING_CORRUPTION_FIGURES_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "testing/corruption/trial.h"
#include "testing/corruption/wound.h"

namespace leveldb {
namespace testkit {

class Figures {
 public:
  void Add(const Wound& wound, const Finding& finding);
  void NoteBase() { ++bases_; }
  void NotePeak(uint64_t kilobytes);

  uint64_t images() const { return images_; }
  uint64_t wrong() const { return wrong_; }

  // What the report says in addition to the counts.
  struct Run {
    double seconds = 0;
    uint64_t seed = 0;
  };
  std::string Table(const Run& run) const;
  std::string Json(const Run& run) const;

 private:
  using Verdicts = std::array<uint64_t, kVerdicts>;

  uint64_t images_ = 0;
  uint64_t wrong_ = 0;
  uint64_t bases_ = 0;
  uint64_t peak_kilobytes_ = 0;
  std::map<Structure, std::map<Harm, Verdicts>> cells_;
  std::map<std::string, uint64_t> fields_;  // "leaf: crc"
  std::map<std::string, uint64_t> rules_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_FIGURES_H_
