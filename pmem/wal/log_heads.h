// Finds logs by the contents of their first extents, whether the root of the pool names them or
// not: a slot of the root that is damaged names none, and nothing else in the root does.
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

// Returns all logs, ordered by number. Includes those that have been flushed and removed, as long
// as nothing else has been written to their extents.
std::vector<LogSlot> FindLogHeads(const Pool& pool);

// Returns true if everything that a record refers to is whole; values have sums of their own.
// `first_sequence` is that of the first write in the record's log.
using IsWholeRecord = std::function<bool(const Slice& record, uint64_t first_sequence)>;

// Returns the log of `heads` that continues where `last` ended and begins with a whole record, if
// there is one. Returns the newest if there are several, because an opening that does not accept a
// log begins another one instead of it. If `last` is no log, returns the first one that follows no
// log, or a log below `least_number`. Ignores logs below `least_number`.
std::optional<LogSlot> FindSuccessor(const Pool& pool, const std::vector<LogSlot>& heads,
                                     const WalPredecessor& last, uint64_t least_number,
                                     const IsWholeRecord& is_whole);

// Adds to `*logs`, which are ordered by number and named by the root, those that belong before,
// between and after them according to the logs themselves. Their records may refer to values that
// are not whole.
//
// Before the first log that the root names there may also be logs that have been flushed and
// removed, if `least_number` is older than it should be. Other data may have overwritten a part of
// such a log, and with it the newest version of a key; a log that is whole up to the next one does
// no harm. So the first one that is not whole, and those before it, are not added, but returned:
// what can be read of them may be out of date. A log between two that the root names has not been
// removed, because the oldest is removed first, and is added as it is.
std::vector<LogSlot> AddUnnamedLogs(const Pool& pool, uint64_t least_number,
                                    std::vector<LogSlot>* logs);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_LOG_HEADS_H_
