#include "db/version/level_search.h"

namespace leveldb {

size_t FindFileOfUserKey(const InternalKeyComparator& comparator, const LevelFiles& level,
                         const Slice& user_key) {
  size_t begin = 0;
  size_t end = level.size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (comparator.CompareUserKeys(ExtractUserKey(level.largest(middle)), user_key) < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

size_t FindFile(const InternalKeyComparator& comparator, const LevelFiles& level,
                const Slice& internal_key) {
  size_t begin = 0;
  size_t end = level.size();
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    if (comparator.Compare(level.largest(middle), internal_key) < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

bool FileOverlapsRange(const Comparator* user_comparator, const FileMeta& file,
                       const Slice* smallest, const Slice* largest) {
  const bool ends_before =
      smallest != nullptr && user_comparator->Compare(file.largest.user_key(), *smallest) < 0;
  const bool begins_after =
      largest != nullptr && user_comparator->Compare(file.smallest.user_key(), *largest) > 0;
  return !ends_before && !begins_after;
}

bool SortedLevelOverlapsRange(const InternalKeyComparator& comparator, const LevelFiles& level,
                              const Slice* smallest, const Slice* largest) {
  const size_t first = smallest == nullptr ? 0 : FindFileOfUserKey(comparator, level, *smallest);
  if (first == level.size()) return false;
  return FileOverlapsRange(comparator.user_comparator(), *level[first], smallest, largest);
}

}  // namespace leveldb
