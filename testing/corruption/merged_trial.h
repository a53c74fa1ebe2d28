// MergedTrial: mixes directories of several databases, and then damages them.

#ifndef BUSHSTORE_TESTING_CORRUPTION_MERGED_TRIAL_H_
#define BUSHSTORE_TESTING_CORRUPTION_MERGED_TRIAL_H_

#include <cstdint>
#include <memory>
#include <string>

#include "testing/corruption/trial.h"
#include "testing/dice.h"
#include "testing/merged/directory_mixer.h"

namespace leveldb {
namespace testkit {

class MergedTrial {
 public:
  // `dir` is created when the first directory is mixed, and removed with this object. The databases
  // that are mixed are drawn from `seed`.
  MergedTrial(uint64_t seed, std::string dir);
  ~MergedTrial();
  MergedTrial(const MergedTrial&) = delete;
  MergedTrial& operator=(const MergedTrial&) = delete;

  // Mixes a directory at random. Returns what was done.
  std::string Mix(Dice* dice);

  // Has merge_judge.h (merged/) judge how the directory is opened and repaired; then damages one of
  // its files and checks that nothing is returned that was never written.
  Finding Try(Dice* dice);

 private:
  std::string Damage(Dice* dice) const;
  std::string ReadDamaged() const;

  const uint64_t seed_;
  const std::string dir_;
  const std::string mix_ = dir_ + "/mix";
  std::unique_ptr<DirectoryMixer> mixer_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_MERGED_TRIAL_H_
