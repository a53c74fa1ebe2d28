#include "pmem/bptree/found_trees.h"

#include <algorithm>
#include <memory>
#include <string_view>

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
    // Something else may lie there. With the first run in its place, it is only the fence block.
    return std::count(found.begin(), found.end(), FoundTree{record.number, record.salt}) == 0;
  }
  if (meta->runs.empty()) return false;
  const Place first = meta->runs.front().begin;
  ExtentHeader header;
  constexpr size_t kPageBytes = 4096;
  if (!context.pool->Contains(first, kPageBytes)) return false;
  if (ReadExtentHeader(*context.pool, first, &header).ok()) return header.salt != record.salt;
  // Only the header is erased, not the leaf behind it: more zeros are damage.
  const std::string_view page(context.pool->At(first), kPageBytes);
  const size_t erased = page.find_first_not_of('\0');
  return erased != std::string_view::npos && erased >= ExtentHeader::kSize;
}

}  // namespace leveldb
