#include "db/state/snapshot_list.h"

namespace leveldb {

Snapshot::~Snapshot() = default;

const ListedSnapshot* SnapshotList::Take(SequenceNumber sequence) {
  assert(snapshots_.empty() || snapshots_.back()->sequence() <= sequence);
  ListedSnapshot* const snapshot = new ListedSnapshot(sequence);
  snapshot->place_ = snapshots_.insert(snapshots_.end(), snapshot);
  return snapshot;
}

void SnapshotList::Release(const ListedSnapshot* snapshot) {
  assert(*snapshot->place_ == snapshot);
  snapshots_.erase(snapshot->place_);
  delete snapshot;
}

}  // namespace leveldb
