#include "db/decide/spill_plan.h"

#include "db/decide/tree_range.h"
#include "util/text.h"

namespace leveldb {

namespace {

void AppendTables(int level, const std::vector<FileMetaPtr>& files, std::string* text) {
  text->append(" + L");
  AppendNumber(text, static_cast<uint64_t>(level));
  text->push_back('[');
  const char* separator = "";
  for (const FileMetaPtr& file : files) {
    text->append(separator);
    AppendNumber(text, file->number);
    separator = " ";
  }
  text->push_back(']');
}

}  // namespace

uint64_t SpillPlan::InputTableBytes() const {
  return TotalBytes(level0) + TotalBytes(overlapped);
}

uint64_t SpillPlan::InputUserBytes() const {
  uint64_t bytes = 0;
  for (const TreeList& level : trees) bytes += UserBytes(level);
  return bytes;
}

void SpillPlan::AddInputsTo(VersionEdit* edit) const {
  edit->pmem().SetGroupPointer(group_level, group_pointer);
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : trees[level]) edit->pmem().RemoveTree(level, tree->number());
  }
  for (const FileMetaPtr& file : level0) edit->RemoveFile(0, file->number);
  for (const FileMetaPtr& file : overlapped) edit->RemoveFile(output_level, file->number);
}

std::string SpillPlan::DebugString() const {
  std::string text = "spill";
  for (int level = 0; level < kGroupLevels; level++) {
    if (trees[level].empty()) continue;
    text.push_back(' ');
    AppendTrees(level, trees[level], &text);
  }
  if (!level0.empty()) AppendTables(0, level0, &text);
  AppendTables(output_level, overlapped, &text);
  text.append(" over [");
  AppendEscaped(&text, smallest_user_key);
  text.append(" .. ");
  AppendEscaped(&text, largest_user_key);
  text.append("]");
  return text;
}

}  // namespace leveldb
