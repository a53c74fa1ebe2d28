// PendingOutputs is held by a job as long as it may take file numbers.
#ifndef BUSHSTORE_DB_STATE_PENDING_OUTPUTS_H_
#define BUSHSTORE_DB_STATE_PENDING_OUTPUTS_H_

#include "db/state/db_state.h"
#include "db/version/version_set.h"
#include "port/mutex.h"

namespace leveldb {

// Created before the first number of a table or tree is taken; destroyed when the edit that names
// the outputs has been installed, or they have been abandoned. Manifests that are begun meanwhile
// allow for the outputs. REQUIRES: the thread that creates or destroys it does not hold the mutex
// of the state.
class PendingOutputs {
 public:
  explicit PendingOutputs(DbState* state) : state_(state) {
    MutexLock lock(&state_->mutex);
    ticket_ = state_->versions->BeginJob();
  }
  ~PendingOutputs() {
    MutexLock lock(&state_->mutex);
    state_->versions->EndJob(ticket_);
  }

  PendingOutputs(const PendingOutputs&) = delete;
  PendingOutputs& operator=(const PendingOutputs&) = delete;

 private:
  DbState* const state_;
  JobNumbers::Ticket ticket_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_PENDING_OUTPUTS_H_
