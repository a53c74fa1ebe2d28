// Tree: an immutable B+tree over internal keys.
//
//   DRAM    filter            one cache line rules out most keys that are not in the tree
//           inner nodes       shortened separators, eight bytes of each in cache-friendly nodes
//           hints             which part of a leaf a read will need (leaf_hints), and which value
//                             (value_hints, one table for all trees): prefetched together
//   pool    leaves            entries in key order, with fingerprints for point reads (node_layout)
//           footer            what the DRAM part is rebuilt from (tree_meta)
//
// A point read touches the filter's line, a line or two of inner nodes, the head of one leaf and
// one entry. Where keys are not ordered by their bytes, there are no such nodes, and the separators
// are searched by comparisons.
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/iter.h"
#include "pmem/bptree/retired_trees.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/bptree/tree_record.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

class ReadAhead;
class Tree;
struct TreeMeta;
using TreePtr = std::shared_ptr<const Tree>;

// The result of a lookup.
struct TreeHit {
  bool found = false;
  ValueType type = kTypeDeletion;  // a tombstone is found, too
  SequenceNumber sequence = 0;
  Slice value;  // in the pool, valid as long as the tree; of kTypeValueRef: the reference
};

// Thread-safe. Holds references on its own extents and on all extents that its entries refer to.
class Tree {
 public:
  // Opens the tree that `record` names. Reads its footer and the header of every extent, but not
  // the leaves; returns Corruption if something does not match. For trees that the manifest names
  // when a database is opened; a new tree comes from TreeBuilder.
  static Status Open(const TreeContext& context, const TreeRecord& record, TreePtr* tree);

  // Creates a tree whose DRAM part is `meta`. References on the extents must have been taken for
  // it. For Open and TreeBuilder; tests that need only record() pass a meta without leaves.
  Tree(const TreeContext& context, std::unique_ptr<const TreeMeta> meta);
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  const TreeRecord& record() const;
  uint64_t number() const { return record().number; }
  Slice smallest_user_key() const { return record().smallest.user_key(); }
  Slice largest_user_key() const { return record().largest.user_key(); }

  // Returns the value extents that the entries refer to, in ascending order.
  const std::vector<ValueExtentUse>& value_extents() const;

  // Returns the memory used by inner nodes, filter, hints and the lists of extents.
  uint64_t dram_bytes() const;
  // Returns the size of the tree's own extents in the pool.
  uint64_t pool_bytes() const;
  uint64_t leaf_count() const;

  // Returns false only if no version of the user key with the given HashKey64 is in the tree.
  // Always returns true for a tree without a filter of its own.
  bool MayContain(uint64_t hash) const;
  // Prefetches the line that MayContain(hash) reads.
  void PrefetchFilter(uint64_t hash) const;
  // Returns the value hints, or null if all values are in leaves, or there are no hints.
  const ValueHints* value_hints() const;

  // Finds the newest version of the key's user key with a sequence at or before the key's. `hash`
  // is HashKey64 of the user key. The caller calls MayContain and prefetches the lines of filter
  // and hint; Get itself checks the filters of the user's policy. With verify_checksums the leaf's
  // checksum is verified first. Allocates nothing.
  Status Get(const LookupKey& key, uint64_t hash, bool verify_checksums, TreeHit* hit) const;

  // Returns an iterator over all entries; value() is the value, or the reference of an entry of
  // kTypeValueRef, in the pool. The caller deletes the iterator before it drops the last reference
  // to the tree. `read_ahead` is as in iter.h.
  TreeIterator* NewIterator(bool verify_checksums, const ReadAhead* read_ahead = nullptr) const;

  // Returns the user bytes of all entries before `internal_key`. A leaf that can't be read counts
  // as one without entries before the key.
  uint64_t ApproximateOffset(const Slice& internal_key) const;

  // Checks everything: checksums, order, separators, filter, value extents. Passes every finding to
  // `report` (may be empty); returns OK, or Corruption with the first finding.
  using Report = std::function<void(const std::string& finding)>;
  Status Check(const Report& report) const;

 private:
  const TreeContext context_;
  const std::unique_ptr<const TreeMeta> meta_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_H_
