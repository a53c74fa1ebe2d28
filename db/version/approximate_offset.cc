#include "db/version/approximate_offset.h"

#include "db/files/table_cache.h"
#include "db/version/level_search.h"

namespace leveldb {

namespace {

// Returns about how many bytes of `file` come before `internal_key`.
uint64_t BytesBefore(const InternalKeyComparator& comparator, const FileMeta& file,
                     TableCache* cache, const Slice& internal_key) {
  if (comparator.Compare(file.largest.Encode(), internal_key) <= 0) return file.size;
  if (comparator.Compare(file.smallest.Encode(), internal_key) > 0) return 0;
  return cache->ApproximateOffsetOf(file.number, file.size, internal_key);
}

}  // namespace

uint64_t ApproximateOffsetOf(const Version& version, TableCache* cache, const Slice& internal_key) {
  uint64_t offset = 0;
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : version.group()->trees(level)) {
      offset += tree->ApproximateOffset(internal_key);
    }
  }
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : version.files(level)) {
      offset += BytesBefore(*version.comparator(), *file, cache, internal_key);
      const bool all_later_ones_are_after =
          level > 0 && version.comparator()->Compare(file->smallest.Encode(), internal_key) > 0;
      if (all_later_ones_are_after) break;
    }
  }
  return offset;
}

}  // namespace leveldb
