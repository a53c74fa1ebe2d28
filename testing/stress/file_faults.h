// FileFaults: makes the file-system calls fail that an episode chooses.

#ifndef BUSHSTORE_TESTING_STRESS_FILE_FAULTS_H_
#define BUSHSTORE_TESTING_STRESS_FILE_FAULTS_H_

#include <string>

#include "testing/fault_env.h"
#include "testing/stress/figures.h"
#include "testing/stress/script.h"

namespace leveldb {
namespace testkit {

class FileFaults {
 public:
  // All arguments must outlive the object; `target` must also outlive its files. `episode` says
  // which calls fail, if any.
  FileFaults(Env* target, const Episode& episode, Figures* figures);

  // The Env for the store. Calls fail from Arm to Heal.
  FaultEnv* env() { return &env_; }

  // Returns whether this episode has any faults.
  bool any() const { return any_; }
  // Starts counting calls up to the one that fails.
  void Arm();
  // Returns whether calls have failed since Arm.
  bool HaveCome() const { return env_.failures() > 0; }
  // Ends the faults and counts the failed calls in the figures.
  void Heal();

 private:
  Fault FaultOf(const Episode& episode) const;

  FaultEnv env_;
  const bool is_full_;
  const bool any_;
  const Fault fault_;
  Figures* const figures_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_FILE_FAULTS_H_
