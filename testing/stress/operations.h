// Operations: runs one thread's operations on a stressed store and checks the answers.

#ifndef BUSHSTORE_TESTING_STRESS_OPERATIONS_H_
#define BUSHSTORE_TESTING_STRESS_OPERATIONS_H_

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/write_batch.h"
#include "testing/dice.h"
#include "testing/stress/script.h"
#include "testing/stress/site.h"
#include "testing/stress/views.h"

namespace leveldb {
namespace testkit {

class Operations {
 public:
  // Draws operations from `seed` with the weights in `numbers`.
  Operations(const Site& site, uint32_t thread, const Numbers& numbers, uint64_t seed);
  // Releases snapshots and iterators.
  ~Operations();

  // Runs `count` operations; fewer if something is found wrong, the store refuses writes for good,
  // or the journal is full.
  void Run(uint64_t count);

 private:
  using Step = void (Operations::*)();
  struct Choice {
    Step step;
    Figure figure;
    uint64_t weight;
  };
  struct HeldSnapshot {
    const Snapshot* snapshot;
    Bounds bounds;
  };

  const Choice& Draw();
  uint32_t OwnKey();
  uint32_t AnyKey();
  uint32_t ValueSize();

  // Writes the changes, as a batch or not, and records them in the expected state before and after.
  void Write(const std::vector<KeyChange>& changes, bool as_batch);
  Status WriteToStore(const std::vector<KeyChange>& changes, uint64_t number, bool as_batch,
                      const WriteOptions& options);

  void Put();
  void Delete();
  void Batch();
  void Get();
  void Peek();
  void Scan();
  void UseSnapshot();
  void UseIterator();
  void Walk();
  void Flush();
  void Compact();
  void AskProperty();
  void AskSizes();
  void Drain();

  ReadOptions DrawReadOptions();

  const Site& site_;
  const uint32_t thread_;
  Dice dice_;
  std::vector<Choice> choices_;
  uint64_t weights_ = 0;
  const uint64_t sync_percent_;
  const uint64_t value_size_max_;
  uint64_t refused_ = 0;  // consecutive writes that failed
  std::vector<HeldSnapshot> snapshots_;
  std::list<CheckedCursor> iterators_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_OPERATIONS_H_
