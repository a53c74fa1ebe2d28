// The sequence numbers that batches in logs have, for a repair: which of them are repeated.
#ifndef BUSHSTORE_DB_OPEN_USED_SEQUENCES_H_
#define BUSHSTORE_DB_OPEN_USED_SEQUENCES_H_

#include <cstdint>
#include <map>

#include "entry/internal_key.h"

namespace leveldb {

// Logs are read in the order of their file numbers. A batch keeps its numbers, whatever log it is
// in, unless one of them has been met before: then it gets the next ones after all that were, so
// that of logs that repeat each other the later one is newer, as in an open.
class UsedSequences {
 public:
  // Numbers up to `base` are used.
  explicit UsedSequences(SequenceNumber base = 0) : last_(base) { ranges_[0] = base; }

  // Whether numbers can be had for so many entries. REQUIRES: first <= kMaxSequenceNumber.
  bool Fit(SequenceNumber first, uint32_t count) const;

  // Takes numbers for a batch that says to begin at `first`, and returns where it begins.
  // REQUIRES: count > 0; Fit(first, count).
  SequenceNumber Take(SequenceNumber first, uint32_t count);

 private:
  bool AreFree(SequenceNumber first, SequenceNumber last) const;

  SequenceNumber last_;  // the highest
  // First to last; they neither overlap nor touch.
  std::map<SequenceNumber, SequenceNumber> ranges_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_USED_SEQUENCES_H_
