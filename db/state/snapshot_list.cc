#include "db/state/snapshot_list.h"

#include <cassert>

namespace leveldb {

Snapshot::~Snapshot() = default;

SnapshotList::~SnapshotList() {
  for (const ListedSnapshot* snapshot : snapshots_) delete snapshot;
}

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
