// The memory latencies of a lookup are the filters' lines, then whatever the trees that passed
// cost. All of the former are asked for before the first is looked at.
#include "pmem/group/group_lookup.h"

#include <array>

namespace leveldb {

Status GroupGet(const TreeGroup& group, const LookupKey& key, bool verify_checksums, TreeHit* hit) {
  hit->found = false;
  if (group.empty()) return Status::OK();
  const uint64_t hash = key.hash();
  for (const TreePtr& tree : group.trees(0)) tree->PrefetchFilter(hash);
  std::array<const Tree*, kGroupLevels> candidates{};
  for (int level = 1; level < kGroupLevels; level++) {
    candidates[level] = group.Candidate(level, key.user_key());
    if (candidates[level] != nullptr) candidates[level]->PrefetchFilter(hash);
  }

  for (const TreePtr& tree : group.trees(0)) {
    if (!tree->MayContain(hash)) continue;
    const Status status = tree->Get(key, hash, verify_checksums, hit);
    if (!status.ok() || hit->found) return status;
  }
  for (const Tree* tree : candidates) {
    if (tree == nullptr || !tree->MayContain(hash)) continue;
    const Status status = tree->Get(key, hash, verify_checksums, hit);
    if (!status.ok() || hit->found) return status;
  }
  return Status::OK();
}

}  // namespace leveldb
