#include "db/version/level_search.h"

namespace leveldb {

namespace {

// Returns the range that holds the first file whose largest user key is at or after `user_key`;
// that file may also be `end`.
KeyDigits::Range Narrow(const InternalKeyComparator& comparator, const LevelFiles& level,
                        const Slice& user_key) {
  if (comparator.is_bytewise()) return level.largest_digits().Narrow(user_key);
  return {0, level.size()};
}

}  // namespace

size_t FindFileOfUserKey(const InternalKeyComparator& comparator, const LevelFiles& level,
                         const Slice& user_key) {
  KeyDigits::Range range = Narrow(comparator, level, user_key);
  while (range.begin < range.end) {
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    if (comparator.CompareUserKeys(ExtractUserKey(level.largest(middle)), user_key) < 0) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
}

size_t FindFile(const InternalKeyComparator& comparator, const LevelFiles& level,
                const Slice& internal_key) {
  KeyDigits::Range range = Narrow(comparator, level, ExtractUserKey(internal_key));
  while (range.begin < range.end) {
    const size_t middle = range.begin + (range.end - range.begin) / 2;
    if (comparator.Compare(level.largest(middle), internal_key) < 0) {
      range.begin = middle + 1;
    } else {
      range.end = middle;
    }
  }
  return range.begin;
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
