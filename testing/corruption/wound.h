// Wound: damage at one position of an image.

#ifndef BUSHSTORE_TESTING_CORRUPTION_WOUND_H_
#define BUSHSTORE_TESTING_CORRUPTION_WOUND_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "testing/corruption/base.h"
#include "testing/corruption/piece.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

enum class Harm {
  kFlip,      // one bit
  kZero,      // bytes become zeros
  kGarbage,   // bytes become others
  kTruncate,  // the file ends there
  kSwap,      // the piece or file becomes that of an older image, a table another table
  kMix,       // the directory has files of several databases (merged_trial.h)
};
constexpr int kHarms = static_cast<int>(Harm::kMix) + 1;

const char* HarmName(Harm harm);
// Returns false if no harm has this name.
bool HarmOf(const std::string& name, Harm* harm);

struct Wound {
  Structure structure = Structure::kUnused;
  Harm harm = Harm::kFlip;
  std::string field;
  std::string file;
  // The range of bytes that were changed; for a truncation, all up to the former end. Empty if
  // nothing was changed.
  uint64_t begin = 0;
  uint64_t end = 0;

  std::string Text() const;
};

// The structures and harms that may be chosen.
struct WoundChoice {
  std::vector<Structure> structures;
  std::vector<Harm> harms;
};

// Chooses a position at random: first the structure, then the piece and the field. Returns false if
// the base has nothing that may be chosen, or it cannot be harmed in the way chosen. Never mixes
// directories.
bool Inflict(const Base& base, const WoundChoice& choice, Dice* dice, Image* image, Wound* wound);

// The structures that a wound hits, and the most that it can lose.
struct Injury {
  std::set<Structure> structures;
  bool hits_checked_bytes = false;
  // Whether only reads of the damaged part can meet the damage: the database must open, and the
  // rest of it must be readable.
  bool is_local = true;
  // The lost versions among those that the image holds.
  std::set<KeyVersion> lost;
  // Whether, while the database is open, logs in the pool may also end at their first damaged
  // record, because a crash can have left it so.
  bool may_end_log = false;
};

Injury Examine(const PieceMap& map, const Wound& wound);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_WOUND_H_
