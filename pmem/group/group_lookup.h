// Point reads in a group.
#ifndef BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_
#define BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_

#include <array>

#include "entry/internal_key.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// Looks up one key. Allocates nothing; group and key must outlive it.
class GroupLookup {
 public:
  // Prefetches the lines that Run reads first: those of the filters of all trees that may hold the
  // key, and that of the hint (value_hints.h). Work that the caller does before Run overlaps with
  // these misses.
  GroupLookup(const TreeGroup& group, const LookupKey& key);

  // Finds the newest version of the key's user key with a sequence at or before the key's, in the
  // newest tree that has one. hit->value stays valid as long as the group. A tree that can't be
  // read ends the search with its error, since trees below it may hold only older versions.
  Status Run(bool verify_checksums, TreeHit* hit) const;

 private:
  const TreeGroup& group_;
  const LookupKey& key_;
  std::array<const Tree*, kGroupLevels> candidates_{};  // [0] is not used
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_
