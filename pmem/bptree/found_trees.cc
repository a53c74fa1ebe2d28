#include "pmem/bptree/found_trees.h"

#include <algorithm>
#include <memory>

#include "pmem/bptree/tree_meta.h"
#include "pmem/media/extent_header.h"
#include "pmem/media/extent_search.h"

namespace leveldb {

std::vector<FoundTree> FindTrees(const Pool& pool) {
  std::vector<FoundTree> trees;
  for (const FoundExtent& found : FindFirstRuns(pool, ExtentKind::kTree)) {
    trees.push_back({found.header.object, found.header.salt});
  }
  return trees;
}

bool SeemsForgotten(const TreeContext& context, const TreeRecord& record,
                    const std::vector<FoundTree>& found) {
  std::unique_ptr<TreeMeta> meta;
  if (!ReadTreeMeta(context, record, &meta).ok()) {
    // Something else may lie there. If the first run is still found, only the footer is damaged.
    return std::count(found.begin(), found.end(), FoundTree{record.number, record.salt}) == 0;
  }
  if (meta->runs.empty()) return false;
  const PoolOffset first = meta->runs.front().begin;
  ExtentHeader header;
  if (ReadExtentHeader(*context.pool, first, &header).ok()) return header.salt != record.salt;
  return IsErasedExtentHeader(*context.pool, first);
}

}  // namespace leveldb
