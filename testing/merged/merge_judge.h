// Judges what the store makes of a directory that was mixed: what LevelDB keeps, it keeps.

#ifndef BUSHSTORE_TESTING_MERGED_MERGE_JUDGE_H_
#define BUSHSTORE_TESTING_MERGED_MERGE_JUDGE_H_

#include <string>

namespace leveldb {
namespace testkit {

struct MergeVerdict {
  std::string outcome;  // who opens the directory and what was compared, for statistics
  bool is_opened = false;
  std::string wrong;  // empty: nothing
};

// Opens and repairs copies of the directory `path` below `scratch`, which exists and is left as it
// was. With the system's LevelDB, if there is one:
//
//   * A directory in which nothing is missing or damaged is opened. What it shows then is to the
//     byte what directory_entries.h says, and, where sequence numbers ascend, what LevelDB shows.
//     A log that was not applied is in lost/ then.
//   * Any other is opened or refused with a Corruption; an open that fails names the remedy.
//   * What a repair shows is what an open showed, if every file in the directory counts. Otherwise
//     no key that an open, ours or LevelDB's, has shown is lost, unless something in the directory
//     deletes it, and nothing is shown that is not there.
MergeVerdict JudgeMergedDirectory(const std::string& path, const std::string& scratch);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MERGED_MERGE_JUDGE_H_
