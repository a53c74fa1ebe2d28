// Point reads in a group.
#ifndef BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_
#define BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_

#include "entry/internal_key.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

// Finds the newest version of the key's user key with a sequence at or before the key's, in the
// newest tree that has one. hit->value stays valid as long as the group. The filters' lines of all
// trees that may hold it are asked for together. A tree that can't be read ends the search with its
// error: what lies below could be older. Allocates nothing.
Status GroupGet(const TreeGroup& group, const LookupKey& key, bool verify_checksums, TreeHit* hit);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_GROUP_GROUP_LOOKUP_H_
