#include "db/decide/tree_range.h"

#include <cassert>

#include "util/text.h"

namespace leveldb {

void UserKeyRange::Include(const InternalKeyComparator& comparator, const UserKeyRange& other) {
  if (comparator.CompareUserKeys(other.smallest, smallest) < 0) smallest = other.smallest;
  if (comparator.CompareUserKeys(other.largest, largest) > 0) largest = other.largest;
}

UserKeyRange RangeOf(const Tree& tree) {
  return {tree.smallest_user_key(), tree.largest_user_key()};
}

UserKeyRange Cover(const InternalKeyComparator& comparator, const TreeList& trees) {
  assert(!trees.empty());
  UserKeyRange range = RangeOf(*trees[0]);
  for (const TreePtr& tree : trees) range.Include(comparator, RangeOf(*tree));
  return range;
}

uint64_t LeafBytes(const TreeList& trees) {
  uint64_t bytes = 0;
  for (const TreePtr& tree : trees) bytes += tree->record().leaf_bytes;
  return bytes;
}

uint64_t UserBytes(const TreeList& trees) {
  uint64_t bytes = 0;
  for (const TreePtr& tree : trees) bytes += tree->record().user_bytes;
  return bytes;
}

void AppendTrees(int level, const TreeList& trees, std::string* text) {
  text->push_back('G');
  AppendNumber(text, static_cast<uint64_t>(level));
  text->push_back('[');
  const char* separator = "";
  for (const TreePtr& tree : trees) {
    text->append(separator);
    AppendNumber(text, tree->number());
    separator = " ";
  }
  text->push_back(']');
}

// Goes from newer to older: each marked tree marks the older ones that it overlaps.
void TakeWithOlder(const InternalKeyComparator& comparator, const TreeList& level0, size_t index,
                   std::vector<bool>* taken) {
  assert(taken->size() == level0.size());
  (*taken)[index] = true;
  for (size_t newer = index; newer < level0.size(); newer++) {
    if (!(*taken)[newer]) continue;
    const UserKeyRange range = RangeOf(*level0[newer]);
    for (size_t older = newer + 1; older < level0.size(); older++) {
      if (range.Overlaps(comparator, RangeOf(*level0[older]))) (*taken)[older] = true;
    }
  }
}

TreeList TreesInRange(const TreeGroup& group, const ManualRange& range) {
  Slice begin;
  Slice end;
  if (range.begin.has_value()) begin = *range.begin;
  if (range.end.has_value()) end = *range.end;
  TreeList trees = group.Overlapping(range.level, range.begin.has_value() ? &begin : nullptr,
                                     range.end.has_value() ? &end : nullptr);
  if (range.begin.has_value() && range.begin_is_exclusive) {
    std::erase_if(trees, [&](const TreePtr& tree) {
      return group.comparator().CompareUserKeys(tree->largest_user_key(), begin) <= 0;
    });
  }
  return trees;
}

TreeList Marked(const TreeList& trees, const std::vector<bool>& marks) {
  TreeList marked;
  for (size_t i = 0; i < trees.size(); i++) {
    if (marks[i]) marked.push_back(trees[i]);
  }
  return marked;
}

}  // namespace leveldb
