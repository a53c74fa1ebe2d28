// Describes one compaction. A plan holds references to everything it names; carrying it out needs
// no lock.

#ifndef BUSHSTORE_DB_DECIDE_COMPACTION_PLAN_H_
#define BUSHSTORE_DB_DECIDE_COMPACTION_PLAN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/version/file_meta.h"
#include "db/version/version.h"
#include "db/version/version_edit.h"
#include "entry/internal_key.h"

namespace leveldb {

enum class CompactionReason {
  kSize,    // the level is too full
  kSeek,    // a table cost too many fruitless reads
  kManual,  // CompactRange
};

// A plain value.
struct CompactionPlan {
  VersionPtr version;  // the version that the plan is for
  int level = 0;
  int output_level = 0;
  // [0]: files of `level`; [1]: files of `output_level`. Each in the order of its level.
  std::vector<FileMetaPtr> inputs[2];
  // The files of the level below output_level that overlap the inputs.
  std::vector<FileMetaPtr> grandparents;
  CompactionReason reason = CompactionReason::kSize;
  // The one input can be moved down as it is.
  bool is_trivial_move = false;

  // The range of user keys of all inputs, both ends included: the outputs stay inside it.
  std::string smallest_user_key;
  std::string largest_user_key;

  // The key after which the next compaction of `level` starts: the largest key of inputs[0].
  InternalKey compact_pointer;

  // The user key after which a manual compaction that stopped early continues.
  std::optional<std::string> continue_after;

  uint64_t InputBytes() const;

  // Adds to *edit the deletion of all inputs and the new compaction pointer.
  void AddInputsTo(VersionEdit* edit) const;

  // For the trivial move: what AddInputsTo() adds, and the file again at output_level.
  // REQUIRES: is_trivial_move.
  void AddMoveTo(VersionEdit* edit) const;

  // One line, for the info log and for tests.
  std::string DebugString() const;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DECIDE_COMPACTION_PLAN_H_
