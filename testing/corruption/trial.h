// Trial: opens, reads, writes, checks and repairs a damaged database, and judges every answer.

#ifndef BUSHSTORE_TESTING_CORRUPTION_TRIAL_H_
#define BUSHSTORE_TESTING_CORRUPTION_TRIAL_H_

#include <set>
#include <string>

#include "testing/corruption/base.h"
#include "testing/corruption/judge.h"
#include "testing/corruption/wound.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

enum class Verdict {
  kHarmless,  // every answer was right
  kDetected,  // an error reported the damage
  kExcused,   // something is missing, as a rule of the documentation permits
  kWrong,
};
constexpr int kVerdicts = static_cast<int>(Verdict::kWrong) + 1;

struct Finding {
  Verdict verdict = Verdict::kHarmless;
  std::string wrong;  // what was wrong
  std::string rule;   // the rule that excuses it
};

// Tries `image`, the image of the base with the wound. It must be at the base's path, where this
// function leaves the remains.
Finding Try(const Base& base, const std::set<KeyVersion>& held, const Image& image,
            const Wound& wound, Dice* dice);

// Returns what a database that was opened with the wound may answer.
Allowance AllowanceWhileOpen(const Base& base, const Wound& wound, const Injury& injury,
                             bool paranoid);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_TRIAL_H_
