// Finds logs by what their first extents say, whether the root of the pool names them or not: a
// slot of the root that is damaged names none, and nothing else in the root tells.
#ifndef BUSHSTORE_PMEM_WAL_LOG_HEADS_H_
#define BUSHSTORE_PMEM_WAL_LOG_HEADS_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "leveldb/slice.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_root.h"
#include "pmem/wal/wal_record.h"

namespace leveldb {

// All of them, by number, those that have been flushed and forgotten included, as long as nothing
// else took their places.
std::vector<LogSlot> FindLogHeads(const Pool& pool);

// Whether all is there that a record speaks of, whose log begins with that write: values have sums
// of their own.
using IsWholeRecord = std::function<bool(const Slice& record, uint64_t first_sequence)>;

// The one of `heads` that goes on where `last` ended and begins with a whole record, if there is
// one. Of several it is the newest: an open that does not take a log begins another one in its
// place. Where last is no log, the first one that follows on nothing or on a log below
// `least_number`. Logs below that are not looked at.
std::optional<LogSlot> FindSuccessor(const Pool& pool, const std::vector<LogSlot>& heads,
                                     const WalPredecessor& last, uint64_t least_number,
                                     const IsWholeRecord& is_whole);

// Adds to `*logs`, which are by number and named by the root, those that belong before, between and
// behind them, as the logs themselves tell; their records may speak of values that are not whole.
//
// In front of all that the root names there are also logs that have been flushed and forgotten,
// wherever `least_number` is older than it should be. Of such a one others may have overwritten a
// part, and the newest version of a key with it; one that is whole up to the next does no harm. So
// the first one that is not whole, and what is before it, is not added, but returned: what can be
// read of these may be out of date. What stands between two that the root names has not been
// forgotten, since the oldest is forgotten first, and is added as it is.
std::vector<LogSlot> AddUnnamedLogs(const Pool& pool, uint64_t least_number,
                                    std::vector<LogSlot>* logs);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_LOG_HEADS_H_
