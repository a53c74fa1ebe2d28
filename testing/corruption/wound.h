// Wound: damage to one place of an image.

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
  kSwap,      // the piece, or the file, is as in an older image; a table is another table
  kMix,       // the directory has files of several (merged_trial.h)
};
constexpr int kHarms = static_cast<int>(Harm::kMix) + 1;

const char* HarmName(Harm harm);
// False if none has this name.
bool HarmOf(const std::string& name, Harm* harm);

struct Wound {
  Structure structure = Structure::kUnused;
  Harm harm = Harm::kFlip;
  std::string field;
  std::string file;
  // Bytes that are not as they were; of a truncation all to the former end. Empty: nothing was
  // changed.
  uint64_t begin = 0;
  uint64_t end = 0;

  std::string Text() const;
};

// Which structures and harms may be chosen.
struct WoundChoice {
  std::vector<Structure> structures;
  std::vector<Harm> harms;
};

// Chooses a place by the dice: first the structure, then the piece and the field. False if the base
// has nothing of what may be chosen, or it cannot be harmed so. Never mixes directories.
bool Inflict(const Base& base, const WoundChoice& choice, Dice* dice, Image* image, Wound* wound);

// What is hit by a wound, and what is lost by that at most.
struct Injury {
  std::set<Structure> structures;
  bool hits_checked_bytes = false;
  // Whether only reads of what is hit can meet it: the database has to open, and the rest of it to
  // be readable.
  bool is_local = true;
  // Of the versions that the image holds.
  std::set<KeyVersion> lost;
  // The same while the database is open: logs in the pool end at their first record that is not
  // whole, when that can be the work of a crash.
  bool may_end_log = false;
};

Injury Examine(const PieceMap& map, const Wound& wound);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_WOUND_H_
