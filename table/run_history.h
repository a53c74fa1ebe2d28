// RunHistory: lets a cursor move backward through entries that are stored as differences from the
// one before.
//
// Each step forward through a run discards the end of the old key. The history keeps these ends. A
// step back shortens the key to the bytes that the two keys share, and appends the old end. All the
// ends together are no longer than the run itself, whatever the bytes of the block are.
#ifndef BUSHSTORE_TABLE_RUN_HISTORY_H_
#define BUSHSTORE_TABLE_RUN_HISTORY_H_

#include <cassert>
#include <cstddef>
#include <vector>

#include "leveldb/slice.h"
#include "table/byte_buffer.h"

namespace leveldb {

class RunHistory {
 public:
  // One step of the cursor, from an entry to the next.
  struct Step {
    const char* entry;  // the entry before the step
    size_t shared;      // bytes that both keys begin with
    Slice lost;         // the rest of the old key; valid until the next Push
  };

  bool empty() const { return steps_.empty(); }

  void Clear() {
    steps_.clear();
    lost_.clear();
  }

  // Notes a step away from `entry`, whose key is `key`. REQUIRES: shared <= key.size().
  void Push(const char* entry, const Slice& key, size_t shared) {
    steps_.push_back({entry, shared, lost_.size()});
    lost_.Append(key.data() + shared, key.size() - shared);
  }

  // Removes and returns the step noted last. REQUIRES: !empty().
  Step Pop() {
    const Record record = steps_.back();
    steps_.pop_back();
    Slice lost = lost_.slice();
    lost.remove_prefix(record.lost_start);
    lost_.SetSize(record.lost_start);
    return {record.entry, record.shared, lost};
  }

 private:
  struct Record {
    const char* entry;
    size_t shared;
    size_t lost_start;
  };

  std::vector<Record> steps_;
  ByteBuffer lost_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_RUN_HISTORY_H_
