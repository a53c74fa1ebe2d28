// Bugs that are planted in the engine, to prove that stress runs find them. A program that links
// this needs linker options (--wrap) that redirect calls of the functions concerned to this file.

#ifndef BUSHSTORE_TESTING_STRESS_PLANTED_BUGS_H_
#define BUSHSTORE_TESTING_STRESS_PLANTED_BUGS_H_

namespace leveldb {
namespace testkit {

enum class PlantedBug {
  kNone,
  kTombstoneDropped,  // merges drop deletions though deeper levels hold what they delete
  kSnapshotOffByOne,  // a snapshot is taken one operation too early
  kExtentFreedInUse,  // an extent is freed by the first of its users
};

// Plants the bug in this process and in those that it forks from now on.
void Plant(PlantedBug bug);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_PLANTED_BUGS_H_
