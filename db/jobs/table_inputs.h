// Opens iterators over the tables that a job reads once, in order to replace them.
#ifndef BUSHSTORE_DB_JOBS_TABLE_INPUTS_H_
#define BUSHSTORE_DB_JOBS_TABLE_INPUTS_H_

#include <vector>

#include "db/jobs/job_context.h"
#include "db/version/file_meta.h"
#include "iterator/internal_iterator.h"

namespace leveldb {

// How the key ranges of the tables relate to each other.
enum class TableOrder {
  kOverlapping,  // newest first
  kSorted,       // by keys, without overlap
};

// Appends iterators over the entries of `files`, newest first; the caller owns them. Checksums are
// always verified: a damaged block must not be written again with a valid checksum. No block is put
// into the cache.
void AppendTableInputs(const JobContext& context, const std::vector<FileMetaPtr>& files,
                       TableOrder order, std::vector<InternalIterator*>* inputs);

// Returns whether at least half of the files' bytes are in memory; true for no files. If so, the
// tables that replace them should stay in memory, too.
bool AreInMemory(const JobContext& context, const std::vector<FileMetaPtr>& files);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TABLE_INPUTS_H_
