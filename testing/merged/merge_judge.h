// Judges how the store opens and repairs a mixed directory: it must keep what LevelDB keeps.

#ifndef BUSHSTORE_TESTING_MERGED_MERGE_JUDGE_H_
#define BUSHSTORE_TESTING_MERGED_MERGE_JUDGE_H_

#include <string>

namespace leveldb {
namespace testkit {

struct MergeVerdict {
  std::string outcome;  // which library opened the directory and what was compared, for statistics
  bool is_opened = false;
  std::string wrong;  // empty: nothing is wrong
};

// Opens and repairs copies of the directory `path` below `scratch`, which must exist and is left as
// it was; also with the system's LevelDB, if there is one. The rules:
//
//   * A directory in which nothing is missing or damaged is opened. Its contents are then, to the
//     byte, what directory_entries.h says and, where sequence numbers ascend, what LevelDB returns.
//     A log that was not applied is in lost/ afterwards.
//   * Any other directory is opened or refused with Corruption; the error names the remedy.
//   * A repair returns what an open returned, if every file in the directory counts. Otherwise no
//     key that an open, ours or LevelDB's, has returned is lost, unless something in the directory
//     deletes it, and nothing is returned that is not in the directory.
MergeVerdict JudgeMergedDirectory(const std::string& path, const std::string& scratch);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MERGED_MERGE_JUDGE_H_
