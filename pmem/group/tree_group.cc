#include "pmem/group/tree_group.h"

#include <algorithm>
#include <utility>

#include "util/text.h"

namespace leveldb {

namespace {

bool IsNewer(const TreePtr& a, const TreePtr& b) {
  return a->number() > b->number();
}

Status CheckApart(const InternalKeyComparator& comparator, int level, const TreeList& trees) {
  for (size_t i = 1; i < trees.size(); i++) {
    if (comparator.CompareUserKeys(trees[i - 1]->largest_user_key(),
                                   trees[i]->smallest_user_key()) >= 0) {
      return Status::Corruption("trees #" + NumberToString(trees[i - 1]->number()) + " and #" +
                                    NumberToString(trees[i]->number()),
                                "overlap in level " + NumberToString(level));
    }
  }
  return Status::OK();
}

}  // namespace

Status TreeGroup::Build(const InternalKeyComparator* comparator, TreeLevels levels,
                        TreeGroupPtr* group) {
  std::sort(levels[0].begin(), levels[0].end(), IsNewer);
  for (int level = 1; level < kGroupLevels; level++) {
    TreeList& trees = levels[level];
    std::sort(trees.begin(), trees.end(), [comparator](const TreePtr& a, const TreePtr& b) {
      return comparator->Compare(a->record().smallest, b->record().smallest) < 0;
    });
    const Status status = CheckApart(*comparator, level, trees);
    if (!status.ok()) return status;
  }
  group->reset(new TreeGroup(comparator, std::move(levels)));
  return Status::OK();
}

TreeGroup::TreeGroup(const InternalKeyComparator* comparator) : TreeGroup(comparator, {}) {}

TreeGroup::TreeGroup(const InternalKeyComparator* comparator, TreeLevels levels)
    : comparator_(comparator), levels_(std::move(levels)) {
  CountRuns();
  for (const TreeList& trees : levels_) {
    for (const TreePtr& tree : trees) {
      if (tree->value_hints() != nullptr) value_hints_ = tree->value_hints();
    }
  }
  for (int level = 1; level < kGroupLevels; level++) {
    const TreeList& trees = levels_[level];
    if (trees.size() < 2) continue;
    Separators separators(comparator, trees.front()->smallest_user_key(),
                          trees.back()->largest_user_key());
    for (size_t i = 1; i < trees.size(); i++) {
      separators.Append(trees[i]->smallest_user_key(), kBeforeAllVersions);
    }
    separators.Seal();
    separators_[level] = std::move(separators);
  }
}

void TreeGroup::CountRuns() {
  for (int level = kGroupLevels - 1; level >= 0; level--) {
    const TreeList& trees = levels_[level];
    tree_count_ += trees.size();
    if (trees.empty()) continue;
    run_count_ += level == 0 ? trees.size() : 1;
    first_level_ = level;
  }
  for (int level = first_level_; level < std::min(first_level_ + 2, kGroupLevels); level++) {
    for (const TreePtr& tree : levels_[level]) read_triggered_entries_ += tree->record().entries;
  }
}

uint64_t TreeGroup::LevelLeafBytes(int level) const {
  uint64_t sum = 0;
  for (const TreePtr& tree : levels_[level]) sum += tree->record().leaf_bytes;
  return sum;
}

uint64_t TreeGroup::LevelUserBytes(int level) const {
  uint64_t sum = 0;
  for (const TreePtr& tree : levels_[level]) sum += tree->record().user_bytes;
  return sum;
}

uint64_t TreeGroup::TotalUserBytes() const {
  uint64_t sum = 0;
  for (int level = 0; level < kGroupLevels; level++) sum += LevelUserBytes(level);
  return sum;
}

uint64_t TreeGroup::TotalDramBytes() const {
  uint64_t sum = 0;
  for (const TreeList& trees : levels_) {
    for (const TreePtr& tree : trees) sum += tree->dram_bytes();
  }
  return sum;
}

bool TreeGroup::Overlaps(const Tree& tree, const Slice* begin, const Slice* end) const {
  const bool ends_before =
      begin != nullptr && comparator_->CompareUserKeys(tree.largest_user_key(), *begin) < 0;
  const bool begins_after =
      end != nullptr && comparator_->CompareUserKeys(tree.smallest_user_key(), *end) > 0;
  return !ends_before && !begins_after;
}

TreeList TreeGroup::Overlapping(int level, const Slice* begin, const Slice* end) const {
  TreeList overlapping;
  for (const TreePtr& tree : levels_[level]) {
    if (Overlaps(*tree, begin, end)) overlapping.push_back(tree);
  }
  return overlapping;
}

bool TreeGroup::OverlapInLevel(int level, const Slice* begin, const Slice* end) const {
  const TreeList& trees = levels_[level];
  if (level > 0 && begin != nullptr) {
    const size_t first = FindTree(level, *begin, kBeforeAllVersions);
    return first < trees.size() && Overlaps(*trees[first], begin, end);
  }
  return std::any_of(trees.begin(), trees.end(),
                     [&](const TreePtr& tree) { return Overlaps(*tree, begin, end); });
}

const Tree* TreeGroup::Candidate(int level, const Slice& user_key) const {
  const TreeList& trees = levels_[level];
  if (trees.empty()) return nullptr;
  return trees[separators_[level].Find(user_key, kBeforeAllVersions)].get();
}

size_t TreeGroup::FindTree(int level, const Slice& internal_key) const {
  return FindTree(level, ExtractUserKey(internal_key), ExtractTrailer(internal_key));
}

// Checks the bounds first, as separators can only find keys between the ends of the level.
size_t TreeGroup::FindTree(int level, const Slice& user_key, uint64_t trailer) const {
  const TreeList& trees = levels_[level];
  if (trees.empty()) return 0;
  if (comparator_->CompareUserKeys(user_key, trees.front()->smallest_user_key()) < 0) return 0;
  if (comparator_->CompareUserKeys(user_key, trees.back()->largest_user_key()) > 0) {
    return trees.size();
  }
  const size_t index = separators_[level].Find(user_key, trailer);
  const int order = comparator_->CompareUserKeys(trees[index]->largest_user_key(), user_key);
  const bool ends_before =
      order < 0 ||
      (order == 0 && ExtractTrailer(trees[index]->record().largest.Encode()) > trailer);
  return ends_before ? index + 1 : index;
}

}  // namespace leveldb
