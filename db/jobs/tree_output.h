// The trees that one job writes: a sorted run of entries, cut where trees are to end.
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

// What a tree may have before the next one is begun. One user key is never parted, so it may
// become more.
struct TreeLimits {
  uint64_t leaf_bytes = UINT64_MAX;  // so that merging it later takes little room at a time
  uint64_t user_bytes = UINT64_MAX;  // so that spilling it later is a small step
};

// The limits for trees that a merge makes in a pool of that capacity.
TreeLimits MergedTreeLimits(uint64_t pool_bytes);

// Used by one thread at a time. Trees that nothing else has come to hold give back their extents
// when the output goes.
class TreeOutput {
 public:
  static constexpr bool kChecksOrder = true;

  // `teach_hints` and `yield` are as for TreeBuilder.
  TreeOutput(const JobContext& context, PmemTier* tier, const TreeLimits& limits, bool teach_hints,
             std::function<void()> yield);
  TreeOutput(const TreeOutput&) = delete;
  TreeOutput& operator=(const TreeOutput&) = delete;

  // Adds an entry behind all others, in a new tree if the one before has to end. An error, as of
  // TreeBuilder::Add, is told at once.
  Status Add(const Slice& key, const Slice& value);

  // Completes the last tree. All are persistent then, with everything they refer to.
  Status Finish();

  // Adds the trees of a finished output to *edit.
  void AddTo(int level, VersionEdit* edit) const;

  Slice last_key() const { return builder_ == nullptr ? Slice() : builder_->last_key(); }
  Status status() const { return Status::OK(); }  // Add has told
  size_t trees() const { return trees_.size(); }
  const TreePtr& tree(size_t index) const { return trees_[index]; }
  // Copied into the pool.
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

// Tells whether the error with which trees or values could not be written means that the pool had
// no room for them.
bool IsForLackOfRoom(PmemTier* tier, const Status& status);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_TREE_OUTPUT_H_
