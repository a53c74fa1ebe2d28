#include "db/jobs/tree_input.h"

#include <utility>

#include "db/version/internal_key_order.h"
#include "iterator/merging.h"
#include "pmem/group/group_iter.h"
#include "pmem/media/pool.h"

namespace leveldb {

void AppendTreeIterators(int level, const TreeList& trees, const InternalKeyComparator& comparator,
                         std::vector<InternalIterator*>* iterators) {
  if (trees.empty()) return;
  if (level > 0) {
    iterators->push_back(NewTreeListIterator(&comparator, trees, /*verify_checksums=*/true));
    return;
  }
  for (const TreePtr& tree : trees) {
    iterators->push_back(NewTreeListIterator(&comparator, {tree}, /*verify_checksums=*/true));
  }
}

std::unique_ptr<Iterator> MergeInputs(const InternalKeyComparator& comparator,
                                      std::vector<InternalIterator*> inputs) {
  return std::unique_ptr<Iterator>(
      NewMergingIterator(InternalKeyOrder(comparator), std::move(inputs)));
}

}  // namespace leveldb
