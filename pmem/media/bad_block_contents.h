// Describes in text what a pool loses with its bad blocks.
#ifndef BUSHSTORE_PMEM_MEDIA_BAD_BLOCK_CONTENTS_H_
#define BUSHSTORE_PMEM_MEDIA_BAD_BLOCK_CONTENTS_H_

#include <string>
#include <vector>

#include "leveldb/status.h"
#include "pmem/media/bad_blocks.h"
#include "pmem/media/pool.h"

namespace leveldb {

struct BadRangeContents {
  ByteRange range;
  // "metadata", "tree #12", "log #7", "values of log #7", "free space" or "unknown". May name an
  // object that the database has given up since.
  std::string contents;
};

// Lists the bad ranges of the pool at `path` (as for Pool::Open), split at extent boundaries.
// Changes nothing. The contents are "unknown" while the pool is in use.
Status DescribeBadRanges(const std::string& path, std::vector<BadRangeContents>* ranges);

// Returns `status`, the outcome of reading an open pool. A Corruption also says that the pool has
// bad blocks, if it has any.
Status WithBadBlocks(const Pool& pool, const Status& status);

// Returns what a page holds, in the words of BadRangeContents::contents. REQUIRES:
// Pool::OpenForSalvage has mapped the pool.
std::string ContentsAt(const Pool& pool, PoolOffset pool_offset);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_BAD_BLOCK_CONTENTS_H_
