// RandomProgram: runs random operations on a database and on the model at once.
//
// Every step is one operation drawn by weight: put, delete, batch, get, take or release a snapshot,
// open, move or close an iterator, compact a range, read properties and sizes, reopen. Every answer
// of the store is compared with the model at once; iterators and snapshots are held over many later
// steps. On a difference the last operations are printed with the failure, and the seed repeats the
// run.

#ifndef BUSHSTORE_TESTING_RANDOM_PROGRAM_H_
#define BUSHSTORE_TESTING_RANDOM_PROGRAM_H_

#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"
#include "testing/dice.h"
#include "testing/model.h"
#include "testing/option_sets.h"

namespace leveldb {
namespace testkit {

class RandomProgram {
 public:
  // `set` must outlive the program. The database at `path` must not exist yet.
  RandomProgram(OptionSet* set, const std::string& path, uint64_t seed);
  ~RandomProgram();

  // Runs `steps` steps and then compares everything before and after a reopen and a full
  // compaction. Failures are reported through GoogleTest.
  void Run(int steps);

  // Returns what the database should hold now.
  Contents Expected() const { return model_.All(model_.sequence()); }

  // Closes the database; the program must not be run afterwards.
  void Close();

 private:
  struct HeldSnapshot {
    const Snapshot* snapshot;
    uint64_t sequence;
  };
  struct HeldIterator {
    std::unique_ptr<Iterator> iterator;
    Model::Cursor cursor;
  };

  void Step();
  void Put();
  void Delete();
  void Batch();
  void Get();
  void TakeSnapshot();
  void ReleaseSnapshot();
  void OpenIterator();
  void MoveIterator();
  void CloseIterator();
  void CompactRange();
  void AskProperty();
  void AskSizes();
  void Reopen();
  void CompareAll();

  void Open();
  // Calls `write`, and again after releasing some iterators if they keep the pool full.
  Status Write(const std::function<Status()>& write);
  void LetGo();  // releases all snapshots and iterators
  void CheckHeld(const HeldIterator& held);
  // Returns the oldest sequence number that a held snapshot or iterator can still see.
  uint64_t OldestNeeded() const;

  std::string AnyKey();     // mostly one of pool_
  std::string AnyTarget();  // also between and around the keys of pool_
  std::string AnyValue();
  void Note(const std::string& operation);  // for the failure report
  std::string History() const;

  OptionSet* const set_;
  const std::string path_;
  Dice dice_;
  Model model_;
  std::unique_ptr<DB> db_;
  std::vector<std::string> pool_;  // the keys that operations use
  std::vector<HeldSnapshot> snapshots_;
  std::list<HeldIterator> iterators_;
  std::deque<std::string> history_;
  int step_ = 0;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_RANDOM_PROGRAM_H_
