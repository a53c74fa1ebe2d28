// TreeBuilder: bulk-loads a tree from entries in order.
//
// Collects entries until a leaf is full, puts the leaf together in DRAM and copies it into the pool
// with stores that bypass the caches. The last step writes the tree footer and waits until
// everything is persistent. No byte is written twice.
#ifndef BUSHSTORE_PMEM_BPTREE_BUILDER_H_
#define BUSHSTORE_PMEM_BPTREE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/bptree/tree_record.h"

namespace leveldb {

constexpr size_t kDefaultLeafBytes = 4096;

struct TreeBuildOptions {
  TreeContext context;
  uint64_t number = 0;  // the tree's file number

  // The size of the tree's own filter; 0 or less: no filter. Used only under the bytewise
  // comparator.
  int filter_bits_per_key = 10;

  // The size to which a leaf is filled: a multiple of 256, at least 256 and at most 32 KiB. An
  // entry that is larger gets a leaf of its own. 256 makes leaves of one or a few entries, for
  // tests.
  size_t leaf_bytes = kDefaultLeafBytes;

  // Whether Finish adds value hints (value_hints.h) for the tree's values. Meant for trees that
  // will stay, or that will be read before they are replaced; the hints for other trees are learned
  // by reads.
  bool teach_hints = true;

  // Called repeatedly while Finish builds the filter and the hints, which takes milliseconds per
  // hundred thousand keys; may do any other work. May be empty.
  std::function<void()> yield;
};

// Used by one thread at a time.
class TreeBuilder {
 public:
  explicit TreeBuilder(const TreeBuildOptions& options);

  // Releases the extents unless Finish has succeeded.
  ~TreeBuilder();
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;

  // Adds an entry. Sets status() to Corruption if its key is not after all keys added before or is
  // not an internal key, or if the entry is a malformed reference or one that does not lead to a
  // value. The value of a tombstone is not kept. Does nothing after an error.
  // REQUIRES: the caller holds references on the extents that a value reference leads to until
  // Finish returns.
  void Add(const Slice& internal_key, const Slice& value);

  const Status& status() const;
  // Returns the internal key added last; empty before the first.
  Slice last_key() const;
  uint64_t entries() const;
  // Return the size of the entries added so far: as leaves written; as keys and values, separated
  // values included.
  uint64_t leaf_bytes() const;
  uint64_t user_bytes() const;
  // Returns how many bytes have been copied into the pool so far, headers and tree footer included.
  uint64_t written_bytes() const;

  // Completes the tree. When it returns OK, everything that the tree consists of or refers to has
  // been persisted, on every backend, and *tree is ready to be read and holds the references on the
  // extents from then on. `record` may be null.
  // REQUIRES: at least one entry was added; nothing is added after.
  Status Finish(TreeRecord* record, TreePtr* tree);

 private:
  class Rep;
  const std::unique_ptr<Rep> rep_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_BUILDER_H_
