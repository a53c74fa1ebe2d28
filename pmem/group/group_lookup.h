// Point reads in a group.
#ifndef BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_
#define BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_

#include <array>

#include "entry/internal_key.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// One lookup. Allocates nothing; group and key outlive it.
class GroupLookup {
 public:
  // Asks for the lines that come first, those of the filters of all trees that may hold the key and
  // of the hint (value_hints.h): what the caller does before Run is time that they take anyway.
  GroupLookup(const TreeGroup& group, const LookupKey& key);

  // Finds the newest version of the key's user key with a sequence at or before the key's, in the
  // newest tree that has one. hit->value stays valid as long as the group. A tree that can't be
  // read ends the search with its error: what lies below could be older.
  Status Run(bool verify_checksums, TreeHit* hit) const;

 private:
  const TreeGroup& group_;
  const LookupKey& key_;
  std::array<const Tree*, kGroupLevels> candidates_{};  // none of level 0
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_
