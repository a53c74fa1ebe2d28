// The memory latency of a lookup consists of the misses for the filters' lines, and then those for
// the trees that the filters did not rule out. All filter lines are prefetched before the first is
// read.
#include "pmem/group/group_lookup.h"

#include "pmem/bptree/value_hints.h"

namespace leveldb {

GroupLookup::GroupLookup(const TreeGroup& group, const LookupKey& key) : group_(group), key_(key) {
  if (group.empty()) return;
  const uint64_t hash = key.hash();
  for (const TreePtr& tree : group.trees(0)) tree->PrefetchFilter(hash);
  for (int level = 1; level < kGroupLevels; level++) {
    candidates_[level] = group.Candidate(level, key.user_key());
    if (candidates_[level] != nullptr) candidates_[level]->PrefetchFilter(hash);
  }
  if (group.value_hints() != nullptr) group.value_hints()->Prefetch(hash);
}

Status GroupLookup::Run(bool verify_checksums, TreeHit* hit) const {
  hit->found = false;
  const uint64_t hash = key_.hash();
  for (const TreePtr& tree : group_.trees(0)) {
    if (!tree->MayContain(hash)) continue;
    const Status status = tree->Get(key_, hash, verify_checksums, hit);
    if (!status.ok() || hit->found) return status;
  }
  for (const Tree* tree : candidates_) {
    if (tree == nullptr || !tree->MayContain(hash)) continue;
    const Status status = tree->Get(key_, hash, verify_checksums, hit);
    if (!status.ok() || hit->found) return status;
  }
  return Status::OK();
}

}  // namespace leveldb
