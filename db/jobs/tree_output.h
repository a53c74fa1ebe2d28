// Writes the trees of one job: a sorted run of entries, divided at the limits of a tree's size.
#ifndef BUSHSTORE_DB_JOBS_TREE_OUTPUT_H_
#define BUSHSTORE_DB_JOBS_TREE_OUTPUT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "db/jobs/job_context.h"
#include "db/version/version_edit.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/builder.h"
#include "pmem/pmem_tier.h"

namespace leveldb {

// The sizes at which a tree ends and the next one begins. The entries of one user key are never
// separated, so a tree may become larger.
struct TreeLimits {
  uint64_t leaf_bytes = UINT64_MAX;  // bounds the room that merging the tree later needs
  uint64_t user_bytes = UINT64_MAX;  // bounds the work of spilling the tree later
};

// Returns the limits for trees that a merge makes in a pool of `pool_bytes` capacity.
TreeLimits MergedTreeLimits(uint64_t pool_bytes);

// Used by one thread at a time. When the output is destroyed, trees that nothing else holds free
// their extents.
class TreeOutput {
 public:
  static constexpr bool kChecksOrder = true;

  // `teach_hints` and `yield` are as for TreeBuilder.
  TreeOutput(const JobContext& context, PmemTier* tier, const TreeLimits& limits, bool teach_hints,
             std::function<void()> yield);
  TreeOutput(const TreeOutput&) = delete;
  TreeOutput& operator=(const TreeOutput&) = delete;

  // Appends an entry; begins a new tree if the current one has to end. Returns an error of
  // TreeBuilder::Add at once.
  Status Add(const Slice& key, const Slice& value);

  // Completes the last tree. All trees, and everything they refer to, are persistent then.
  Status Finish();

  // Adds the trees of a finished output to *edit.
  void AddTo(int level, VersionEdit* edit) const;

  Slice last_key() const { return builder_ == nullptr ? Slice() : builder_->last_key(); }
  Status status() const { return Status::OK(); }  // Add returns errors
  size_t trees() const { return trees_.size(); }
  const TreePtr& tree(size_t index) const { return trees_[index]; }
  // The bytes copied into the pool.
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  bool CutBefore(const Slice& key) const;
  void Open();

  DbState* const state_;
  PmemTier* const tier_;
  const TreeLimits limits_;
  const bool teach_hints_;
  const std::function<void()> yield_;
  std::unique_ptr<TreeBuilder> builder_;
  std::vector<TreePtr> trees_;
  uint64_t written_bytes_ = 0;
};

// Returns whether `status`, the error of writing trees or values, means that the pool had no room
// for them.
bool IsForLackOfRoom(PmemTier* tier, const Status& status);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TREE_OUTPUT_H_
