// TreeIterator: iterates over one tree.
#ifndef BUSHSTORE_PMEM_BPTREE_ITER_H_
#define BUSHSTORE_PMEM_BPTREE_ITER_H_

#include <cassert>
#include <cstddef>
#include <memory>

#include "entry/internal_key.h"
#include "iterator/internal_iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/tree_context.h"
#include "pmem/media/pool.h"
#include "util/step_prefetch.h"

namespace leveldb {

class ReadAhead;
struct TreeMeta;

// Iterates over internal keys; value() is the value, or the reference of an entry of kTypeValueRef.
class TreeIterator final : public InternalIteratorBase<TreeIterator> {
 public:
  // Creates an iterator over the tree that `meta` describes. While read_ahead->wanted()
  // (`read_ahead` may be null), each step prefetches the values of entries ahead. All arguments
  // must outlive the iterator.
  TreeIterator(const TreeContext& context, const TreeMeta* meta, bool verify_checksums,
               const ReadAhead* read_ahead)
      : pool_(*context.pool),
        comparator_(*context.comparator),
        meta_(*meta),
        verify_checksums_(verify_checksums),
        read_ahead_(read_ahead) {}

  bool Valid() const override { return valid_; }
  Slice key() const override {
    assert(valid_);
    return Slice(key_.get(), key_size_);
  }
  Slice value() const override {
    assert(valid_);
    return value_;
  }
  Status status() const override { return status_; }

  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void Next() override;
  void Prev() override;

 private:
  void Fail(const char* what);
  void GoToNextLeaf();
  bool EnterLeaf(size_t leaf);
  void GoTo(size_t index);
  void Show(const LeafEntry& entry, size_t index);
  bool WantsValues() const;
  void PrefetchValuesAfter();
  void PrefetchValuesBefore();
  void PrefetchValueAt(size_t index) const;
  void PrefetchValue(const Slice& encoded) const;
  void ReserveKey(size_t size);

  const Pool& pool_;
  const InternalKeyComparator& comparator_;
  const TreeMeta& meta_;
  const bool verify_checksums_;
  const ReadAhead* const read_ahead_;

  bool valid_ = false;
  size_t leaf_ = 0;
  size_t index_ = 0;             // of the entry in the leaf
  size_t prefetched_begin_ = 0;  // values were prefetched from this entry of the leaf on
  size_t prefetched_end_ = 0;    // and up to this one, not included
  StepPrefetch prefetch_;
  LeafView view_;
  std::unique_ptr<char[]> key_;
  size_t key_capacity_ = 0;
  size_t key_size_ = 0;
  Slice value_;
  Status status_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_ITER_H_
