// The tables that a job reads once, to replace them.
#ifndef BUSHSTORE_DB_JOBS_TABLE_INPUTS_H_
#define BUSHSTORE_DB_JOBS_TABLE_INPUTS_H_

#include <vector>

#include "db/jobs/job_context.h"
#include "db/version/file_meta.h"
#include "iterator/internal_iterator.h"

namespace leveldb {

// How tables lie to each other.
enum class TableOrder {
  kOverlapping,  // newest first
  kSorted,       // by keys, without overlap
};

// Appends iterators over the entries of `files`, newest first; the caller owns them. Checksums are
// always verified: a damaged block must not be written again under a checksum that says it is
// sound. No block is put into the cache.
void AppendTableInputs(const JobContext& context, const std::vector<FileMetaPtr>& files,
                       TableOrder order, std::vector<InternalIterator*>* inputs);

// Whether most of their bytes are in memory, as of no files. What a job writes in their place then
// belongs there, too.
bool AreInMemory(const JobContext& context, const std::vector<FileMetaPtr>& files);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TABLE_INPUTS_H_
