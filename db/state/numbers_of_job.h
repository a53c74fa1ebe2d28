// What a job holds as long as it may take file numbers.
#ifndef BUSHSTORE_DB_STATE_NUMBERS_OF_JOB_H_
#define BUSHSTORE_DB_STATE_NUMBERS_OF_JOB_H_

#include "db/state/db_state.h"
#include "db/version/version_set.h"
#include "port/mutex.h"

namespace leveldb {

// Made before the first number of a table or tree is taken; goes when the edit that names them is
// installed, or they are given up. Manifests that are begun meanwhile allow for them. REQUIRES: the
// mutex of the state is not held by the thread that makes it or lets it go.
class NumbersOfJob {
 public:
  explicit NumbersOfJob(DbState* state) : state_(state) {
    MutexLock lock(&state_->mutex);
    ticket_ = state_->versions->BeginJob();
  }
  ~NumbersOfJob() {
    MutexLock lock(&state_->mutex);
    state_->versions->EndJob(ticket_);
  }

  NumbersOfJob(const NumbersOfJob&) = delete;
  NumbersOfJob& operator=(const NumbersOfJob&) = delete;

 private:
  DbState* const state_;
  JobNumbers::Ticket ticket_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_NUMBERS_OF_JOB_H_
