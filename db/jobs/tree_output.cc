#include "db/jobs/tree_output.h"

#include <algorithm>
#include <utility>

#include "db/decide/spill_picker.h"

namespace leveldb {

namespace {

constexpr uint64_t kMinMergedLeafBytes = uint64_t{64} << 10;
constexpr uint64_t kMaxMergedLeafBytes = uint64_t{16} << 20;
constexpr uint64_t kMergedTreesPerPool = 64;

}  // namespace

TreeLimits MergedTreeLimits(uint64_t pool_bytes) {
  TreeLimits limits;
  limits.leaf_bytes =
      std::clamp(pool_bytes / kMergedTreesPerPool, kMinMergedLeafBytes, kMaxMergedLeafBytes);
  limits.user_bytes = SpillUserBytes(pool_bytes);
  return limits;
}

TreeOutput::TreeOutput(const JobContext& context, PmemTier* tier, const TreeLimits& limits,
                       bool teach_hints, std::function<void()> yield)
    : state_(context.state),
      tier_(tier),
      limits_(limits),
      teach_hints_(teach_hints),
      yield_(std::move(yield)) {}

// Returns whether to begin a new tree with this key. A key that is out of order goes to the current
// tree, which refuses it.
bool TreeOutput::CutBefore(const Slice& key) const {
  if (builder_ == nullptr) return false;
  if (builder_->leaf_bytes() < limits_.leaf_bytes && builder_->user_bytes() < limits_.user_bytes) {
    return false;
  }
  return state_->comparator().CompareUserKeys(ExtractUserKey(key),
                                              ExtractUserKey(builder_->last_key())) > 0;
}

void TreeOutput::Open() {
  TreeBuildOptions options;
  options.context = tier_->MakeTreeContext(&state_->comparator(), state_->options().filter_policy);
  options.number = state_->versions->NewFileNumber();
  options.filter_bits_per_key = tier_->options().filter_bits_per_key;
  options.teach_hints = teach_hints_;
  options.yield = yield_;
  builder_ = std::make_unique<TreeBuilder>(options);
}

Status TreeOutput::Add(const Slice& key, const Slice& value) {
  if (CutBefore(key)) {
    const Status status = Finish();
    if (!status.ok()) return status;
  }
  if (builder_ == nullptr) Open();
  builder_->Add(key, value);
  return builder_->status();
}

Status TreeOutput::Finish() {
  if (builder_ == nullptr) return Status::OK();
  TreePtr tree;
  const Status status = builder_->Finish(nullptr, &tree);
  written_bytes_ += builder_->written_bytes();
  builder_.reset();
  if (status.ok()) trees_.push_back(std::move(tree));
  return status;
}

void TreeOutput::AddTo(int level, VersionEdit* edit) const {
  for (const TreePtr& tree : trees_) edit->pmem().AddTree(level, tree->record(), tree);
}

// An I/O error has two possible causes. The other one is an error of the medium, which is
// permanent.
bool IsForLackOfRoom(PmemTier* tier, const Status& status) {
  return status.IsIOError() && tier->persist()->Sync().ok();
}

}  // namespace leveldb
