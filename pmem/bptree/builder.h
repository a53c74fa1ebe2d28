// TreeBuilder: bulk-loads a tree from entries in order.
//
// Entries are gathered until a leaf is full; the leaf is put together in DRAM and copied into the
// pool past the caches. The last step writes the fence block and waits until everything has
// arrived. Nothing is ever written twice.
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

  // How large the tree's own filter is; 0 or less: none. Used only under the bytewise comparator.
  int filter_bits_per_key = 10;

  // What a leaf is filled to: a multiple of 256, at least 256 and at most 32 KiB. One entry that is
  // larger gets a leaf of its own. 256 makes leaves of one or a few entries, for tests.
  size_t leaf_bytes = kDefaultLeafBytes;

  // Whether reads are told at once where values lie (value_hints.h). For trees that are going to
  // stay, or to be read before they go; of the others it is learned from reads.
  bool teach_hints = true;

  // Called now and then while the tree is finished, which takes milliseconds for each hundred
  // thousand keys; empty: not. It may do anything else meanwhile.
  std::function<void()> yield;
};

// Used by one thread at a time.
class TreeBuilder {
 public:
  explicit TreeBuilder(const TreeBuildOptions& options);

  // Gives back the extents unless Finish has succeeded.
  ~TreeBuilder();
  TreeBuilder(const TreeBuilder&) = delete;
  TreeBuilder& operator=(const TreeBuilder&) = delete;

  // Adds an entry behind all others; a key that is not is Corruption, as is one that is no internal
  // key, or a reference that leads nowhere. The value of a tombstone is not kept. Does nothing
  // after an error.
  // REQUIRES: the extents that a value reference leads to are held by somebody else until Finish.
  void Add(const Slice& internal_key, const Slice& value);

  const Status& status() const;
  // The internal key added last; empty before the first.
  Slice last_key() const;
  uint64_t entries() const;
  // What the entries added so far take: in leaves; as keys and values, separated values included.
  uint64_t leaf_bytes() const;
  uint64_t user_bytes() const;
  // What has been copied into the pool so far, headers and fence block included.
  uint64_t written_bytes() const;

  // Completes the tree: when it returns OK, everything that the tree consists of or refers to has
  // been persisted, on every backend, and *tree, which holds the references on the extents from
  // then on, is ready to be read. *record is optional.
  // REQUIRES: at least one entry was added; nothing is added after.
  Status Finish(TreeRecord* record, TreePtr* tree);

 private:
  class Rep;
  const std::unique_ptr<Rep> rep_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_BUILDER_H_
