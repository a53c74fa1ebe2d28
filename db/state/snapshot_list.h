// SnapshotList holds the snapshots of callers, oldest first.
#ifndef BUSHSTORE_DB_STATE_SNAPSHOT_LIST_H_
#define BUSHSTORE_DB_STATE_SNAPSHOT_LIST_H_

#include <list>

#include "entry/internal_key.h"
#include "leveldb/db.h"

namespace leveldb {

// The snapshot that callers get: a sequence number, and its position in the list.
class ListedSnapshot final : public Snapshot {
 public:
  explicit ListedSnapshot(SequenceNumber sequence) : sequence_(sequence) {}
  ~ListedSnapshot() override = default;

  SequenceNumber sequence() const { return sequence_; }

 private:
  friend class SnapshotList;

  const SequenceNumber sequence_;
  std::list<ListedSnapshot*>::iterator place_;
};

// Not thread-safe; the database's mutex guards it.
class SnapshotList {
 public:
  SnapshotList() = default;
  // Deletes snapshots that were never released; some callers do not release theirs.
  ~SnapshotList();
  SnapshotList(const SnapshotList&) = delete;
  SnapshotList& operator=(const SnapshotList&) = delete;

  // Adds and returns a snapshot; delete it with Release. REQUIRES: `sequence` is not below that of
  // any earlier snapshot.
  const ListedSnapshot* Take(SequenceNumber sequence);

  // Removes and deletes a snapshot that Take returned.
  void Release(const ListedSnapshot* snapshot);

  bool empty() const { return snapshots_.empty(); }
  SequenceNumber oldest() const { return snapshots_.front()->sequence(); }  // REQUIRES: !empty()

 private:
  std::list<ListedSnapshot*> snapshots_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_SNAPSHOT_LIST_H_
