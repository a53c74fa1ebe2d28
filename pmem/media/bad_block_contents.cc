#include "pmem/media/bad_block_contents.h"

#include <algorithm>
#include <memory>

#include "pmem/media/extent_header.h"
#include "pmem/media/pool_files.h"
#include "util/round.h"
#include "util/status_text.h"
#include "util/text.h"

namespace leveldb {

namespace {

std::string NameOf(const ExtentHeader& header) {
  const std::string number = "#" + NumberToString(header.object);
  switch (header.kind) {
    case ExtentKind::kLog:
      return "log " + number;
    case ExtentKind::kValue:
      return "values of log " + number;
    case ExtentKind::kTree:
      return "tree " + number;
  }
  return "unknown";
}

}  // namespace

// The header of the run that a page is in is at the beginning of the run, so it is searched
// downwards.
std::string ContentsAt(const Pool& pool, PoolOffset pool_offset) {
  const uint64_t extent_size = pool.extent_size();
  if (!pool.Contains(pool_offset, 1)) return "metadata";
  const PoolOffset own = RoundDown(pool_offset, extent_size);
  for (PoolOffset run = own; pool.Contains(run, extent_size); run -= extent_size) {
    ExtentHeader header;
    if (ReadExtentHeader(pool, run, &header).ok()) {
      const bool reaches_it = run + header.length * extent_size > pool_offset;
      return reaches_it ? NameOf(header) : "free space";
    }
    // The header itself may be lost.
    if (Overlaps(pool.bad_ranges(), run, ExtentHeader::kSize)) return "unknown";
    if (run < extent_size) break;
  }
  return "free space";
}

Status WithBadBlocks(const Pool& pool, const Status& status) {
  if (!status.IsCorruption() || pool.bad_ranges().empty()) return status;
  return Status::Corruption(MessageOf(status) + " (the pool " + pool.path() + " has bad blocks)");
}

Status DescribeBadRanges(const std::string& path, std::vector<BadRangeContents>* ranges) {
  ranges->clear();
  const PoolFiles files(path, PoolKind::kDetect);
  std::vector<ByteRange> bad_ranges;
  Status s = FindBadRanges(files, &bad_ranges);
  if (!s.ok() || bad_ranges.empty()) return s;
  PoolOptions options;
  options.path = path;
  std::unique_ptr<Pool> pool;
  const bool is_mapped = Pool::OpenForSalvage(options, nullptr, &pool).ok();
  for (const ByteRange& bad : bad_ranges) {
    if (!is_mapped) {
      ranges->push_back({bad, "unknown"});
      continue;
    }
    for (PoolOffset begin = bad.begin; begin < bad.end;) {
      const PoolOffset end = std::min(bad.end, RoundUp(begin + 1, pool->extent_size()));
      ranges->push_back({{begin, end}, ContentsAt(*pool, begin)});
      begin = end;
    }
  }
  return s;
}

}  // namespace leveldb
