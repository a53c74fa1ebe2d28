#include "db/decide/compaction_plan.h"

#include <cassert>

#include "util/text.h"

namespace leveldb {

namespace {

const char* ReasonName(CompactionReason reason) {
  switch (reason) {
    case CompactionReason::kSize:
      return "size";
    case CompactionReason::kSeek:
      return "seek";
    case CompactionReason::kManual:
      return "manual";
  }
  return "unknown";
}

void AppendFiles(std::string* text, int level, const std::vector<FileMetaPtr>& files) {
  text->push_back('L');
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

uint64_t CompactionPlan::InputBytes() const {
  return TotalBytes(inputs[0]) + TotalBytes(inputs[1]);
}

void CompactionPlan::AddInputsTo(VersionEdit* edit) const {
  edit->SetCompactPointer(level, compact_pointer);
  for (const FileMetaPtr& file : inputs[0]) edit->RemoveFile(level, file->number);
  for (const FileMetaPtr& file : inputs[1]) edit->RemoveFile(output_level, file->number);
}

void CompactionPlan::AddMoveTo(VersionEdit* edit) const {
  assert(is_trivial_move);
  AddInputsTo(edit);
  const FileMeta& file = *inputs[0][0];
  edit->AddFile(output_level, file.number, file.size, file.smallest, file.largest);
}

std::string CompactionPlan::DebugString() const {
  std::string text = ReasonName(reason);
  text.append(is_trivial_move ? " move " : " ");
  AppendFiles(&text, level, inputs[0]);
  text.append(" + ");
  AppendFiles(&text, output_level, inputs[1]);
  text.append(" over [");
  AppendEscaped(&text, smallest_user_key);
  text.append(" .. ");
  AppendEscaped(&text, largest_user_key);
  text.append("]");
  if (continue_after.has_value()) text.append(" more after " + Escaped(*continue_after));
  return text;
}

}  // namespace leveldb
