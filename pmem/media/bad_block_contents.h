// What is lost with the bad blocks of a pool, for people.
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
  // "metadata", "tree #12", "log #7", "values of log #7", "free space" or "unknown". What has been
  // given up since may still be named.
  std::string contents;
};

// Lists the bad ranges of the pool at a path that Pool::Open would take, divided by extents.
// Changes nothing. Contents are unknown while the pool is in use.
Status DescribeBadRanges(const std::string& path, std::vector<BadRangeContents>* ranges);

// What is said of damage in an open pool: also that it has bad blocks, if it has any.
Status WithBadBlocks(const Pool& pool, const Status& status);

// What is in a page of a pool that Pool::OpenForSalvage has mapped.
std::string ContentsAt(const Pool& pool, PoolOffset pool_offset);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_BAD_BLOCK_CONTENTS_H_
