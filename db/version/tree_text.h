// For tests only: makes groups of trees from text, as version_text.h makes versions of tables.
//
//   G0: 12[a@20..k@15] 11[b@9..m@12]:64K/3M
//   G1: 5[a..d]
//
// Each tree is its number, its smallest and largest internal keys, and the sizes of its leaves and
// of its keys and values (64K and 1M if left out). The trees have no entries and no pool.

#ifndef BUSHSTORE_DB_VERSION_TREE_TEXT_H_
#define BUSHSTORE_DB_VERSION_TREE_TEXT_H_

#include <cstdint>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "db/version/version_builder.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "pmem/bptree/tree_meta.h"

namespace leveldb {

inline TreeRecord MakeTreeRecord(uint64_t number, const InternalKey& smallest,
                                 const InternalKey& largest, uint64_t leaf_bytes,
                                 uint64_t user_bytes) {
  TreeRecord record;
  record.number = number;
  record.footer_offset = number << 20;
  record.footer_bytes = 100;
  record.entries = 1;
  record.leaf_bytes = leaf_bytes;
  record.user_bytes = user_bytes;
  record.smallest = smallest;
  record.largest = largest;
  return record;
}

// Returns a tree without leaves. `comparator` must outlive it.
inline TreePtr MakeTree(const InternalKeyComparator* comparator, const TreeRecord& record,
                        std::vector<ValueExtentUse> value_extents = {}) {
  TreeContext context;
  context.comparator = comparator;
  auto meta = std::make_unique<TreeMeta>();
  meta->record = record;
  meta->value_extents = std::move(value_extents);
  return std::make_shared<const Tree>(context, std::move(meta));
}

// Parses "number[smallest..largest]:leaf bytes/user bytes".
inline TreeRecord ParseTreeRecord(const std::string& text) {
  const size_t open = text.find('[');
  const size_t dots = text.find("..");
  const size_t close = text.find(']');
  const size_t slash = text.find('/');
  const bool has_sizes = slash != std::string::npos;
  return MakeTreeRecord(
      std::stoull(text.substr(0, open)), ParseKey(text.substr(open + 1, dots - open - 1)),
      ParseKey(text.substr(dots + 2, close - dots - 2)),
      has_sizes ? ParseSize(text.substr(close + 2, slash - close - 2)) : uint64_t{64} << 10,
      has_sizes ? ParseSize(text.substr(slash + 1)) : uint64_t{1} << 20);
}

// Returns an edit that adds the files and trees of `text`.
inline VersionEdit ParseTrees(const InternalKeyComparator* comparator, const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::string files;
  std::vector<std::pair<int, TreeRecord>> trees;
  while (std::getline(lines, line)) {
    if (line[0] != 'G') {
      files += line + "\n";
      continue;
    }
    std::istringstream words(line);
    std::string word;
    words >> word;
    const int level = std::stoi(word.substr(1));
    while (words >> word) trees.emplace_back(level, ParseTreeRecord(word));
  }
  VersionEdit edit = ParseFiles(files);
  for (const auto& [level, record] : trees) {
    edit.pmem().AddTree(level, record, MakeTree(comparator, record));
  }
  return edit;
}

// Returns a version with tables and trees. `comparator` must outlive it.
inline VersionPtr ParseTieredVersion(const InternalKeyComparator* comparator,
                                     const std::string& text) {
  VersionBuilder builder(comparator, VersionPtr(new Version(comparator)));
  builder.Apply(ParseTrees(comparator, text));
  VersionPtr version;
  const Status status = builder.Build(&version);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return version;
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_TREE_TEXT_H_
