#include "db/decide/merge_plan.h"

#include <cassert>

#include "db/decide/tree_range.h"
#include "util/text.h"

namespace leveldb {

namespace {

const char* NameOf(MergeReason reason) {
  switch (reason) {
    case MergeReason::kSize:
      return "size";
    case MergeReason::kReads:
      return "reads";
    case MergeReason::kManual:
      break;
  }
  return "manual";
}

}  // namespace

uint64_t MergePlan::InputLeafBytes() const {
  return LeafBytes(inputs[0]) + LeafBytes(inputs[1]);
}

void MergePlan::AddInputsTo(VersionEdit* edit) const {
  edit->pmem().SetGroupPointer(level, group_pointer);
  for (const TreePtr& tree : inputs[0]) edit->pmem().RemoveTree(level, tree->number());
  for (const TreePtr& tree : inputs[1]) edit->pmem().RemoveTree(output_level, tree->number());
}

void MergePlan::AddMoveTo(VersionEdit* edit) const {
  assert(is_trivial_move);
  AddInputsTo(edit);
  edit->pmem().AddTree(output_level, inputs[0][0]->record(), inputs[0][0]);
}

std::string MergePlan::DebugString() const {
  std::string text = NameOf(reason);
  text.append(is_trivial_move ? " move " : " ");
  AppendTrees(level, inputs[0], &text);
  text.append(" + ");
  AppendTrees(output_level, inputs[1], &text);
  text.append(" over [");
  AppendEscaped(&text, smallest_user_key);
  text.append(" .. ");
  AppendEscaped(&text, largest_user_key);
  text.append("]");
  if (continue_after.has_value()) text.append(" more after " + Escaped(*continue_after));
  return text;
}

}  // namespace leveldb
