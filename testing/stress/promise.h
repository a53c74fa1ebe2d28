// Promise: computes which operations must survive a power cut at this moment.

#ifndef BUSHSTORE_TESTING_STRESS_PROMISE_H_
#define BUSHSTORE_TESTING_STRESS_PROMISE_H_

#include <cstdint>
#include <mutex>

#include "testing/stress/expected_state.h"

namespace leveldb {
namespace testkit {

// Thread-safe.
class Promise {
 public:
  // `expected` must outlive the object. All operations that it counts as returned are safe.
  explicit Promise(const ExpectedState* expected)
      : expected_(expected), safe_(expected->Returned()), opened_(safe_) {}

  // Records that the database has been opened, with the tier or without. With `fences` every write
  // is safe once it has returned, except the newest `unfenced_bytes`; otherwise only what a synced
  // write makes durable.
  void Opened(bool has_tier, bool fences, uint64_t unfenced_bytes);
  // Records that all operations that the expected state counts as returned are safe.
  void Settled();
  // Records that the database has been closed.
  void Closed();
  // Records that a synced write has returned: what had returned when it began is safe, and so is
  // it.
  void Synced(const Moment& moment);
  // Records that the database is about to move to files: what is not safe by then may have to be
  // synced.
  void Draining();

  Moment Safe() const;
  // Returns whether the database has been writing to log files. A disk that writes back its files
  // in any order may then keep the end of a newer log and lose that of an older one, as long as
  // neither was synced.
  bool HasUsedLogFiles() const;

 private:
  Moment SafeNow() const;  // REQUIRES: mutex_ is held
  void Raise(const Moment& moment);

  const ExpectedState* const expected_;
  mutable std::mutex mutex_;
  Moment safe_;    // for certain, whatever happens
  Moment opened_;  // what had returned when the database was opened
  bool fences_ = false;
  bool has_used_log_files_ = false;
  uint64_t unfenced_bytes_ = 0;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_PROMISE_H_
