// Trial: a damaged database is opened, read, written to, checked and repaired, and everything it
// says is judged.

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
  kHarmless,  // everything was right
  kDetected,  // an error told of the damage
  kExcused,   // something is missing, as a rule of the documentation says
  kWrong,
};
constexpr int kVerdicts = static_cast<int>(Verdict::kWrong) + 1;

struct Finding {
  Verdict verdict = Verdict::kHarmless;
  std::string wrong;  // what was
  std::string rule;   // that excuses it
};

// `image` is that of the base with the wound. It stands at the base's place while it is tried, and
// what is left of it afterwards.
Finding Try(const Base& base, const std::set<KeyVersion>& held, const Image& image,
            const Wound& wound, Dice* dice);

// What may be shown by a database that was opened with the wound.
Allowance AllowanceWhileOpen(const Base& base, const Wound& wound, const Injury& injury,
                             bool paranoid);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_TRIAL_H_
