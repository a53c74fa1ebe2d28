// Bugs that are planted in the engine, to prove that lives find them out. The program that links
// this has the linker lead calls of the functions concerned here (--wrap).

#ifndef BUSHSTORE_TESTING_STRESS_PLANTED_BUGS_H_
#define BUSHSTORE_TESTING_STRESS_PLANTED_BUGS_H_

namespace leveldb {
namespace testkit {

enum class PlantedBug {
  kNone,
  kTombstoneDropped,  // merges leave out deletions though deeper levels hold what they delete
  kSnapshotOffByOne,  // a snapshot is taken one operation too early
  kExtentFreedInUse,  // an extent is given back by the first of those that use it
};

// From now on, in this process and the ones that it forks.
void Plant(PlantedBug bug);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_PLANTED_BUGS_H_
