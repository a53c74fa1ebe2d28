// FileFaults: the calls of the file system that an episode lets fail.

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
  // All of them must outlive the object; `target` must outlive its files, too. `episode` says
  // which calls fail, if any do.
  FileFaults(Env* target, const Episode& episode, Figures* figures);

  // What the store is given. Calls fail from Arm to Heal.
  FaultEnv* env() { return &env_; }

  // Whether this episode has any.
  bool any() const { return any_; }
  // Counts calls from now on, until the one that fails.
  void Arm();
  // Whether calls have failed since Arm.
  bool HaveCome() const { return env_.failures() > 0; }
  // The cause goes, and what failed is booked.
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
