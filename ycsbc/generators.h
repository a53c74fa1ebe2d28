// Generators that choose the next operation of a run, and its record. Each thread has its own
// generators; all their randomness comes from the Random argument.
#ifndef BUSHSTORE_YCSBC_GENERATORS_H_
#define BUSHSTORE_YCSBC_GENERATORS_H_

#include <array>
#include <cstdint>
#include <memory>

#include "util/random.h"
#include "ycsbc/acknowledged_counter.h"
#include "ycsbc/core_workload.h"
#include "ycsbc/zipfian.h"

namespace leveldb::ycsbc {

// OperationChooser chooses among the operations, each with its proportion.
class OperationChooser {
 public:
  // REQUIRES: the proportions add up to 1.
  explicit OperationChooser(const std::array<double, kOperations>& proportions);

  Operation Next(Random* random) const;

 private:
  std::array<double, kOperations> ends_;  // the ends of the operations' parts of [0, 1)
  Operation last_ = Operation::kRead;     // the last one with a proportion above 0
};

// LengthChooser chooses a length from `least` to `most`; zipfian lengths favour the short ones,
// with a theta of 0.99.
class LengthChooser {
 public:
  LengthChooser(Distribution distribution, uint64_t least, uint64_t most);

  uint64_t Next(Random* random) const;

 private:
  const Distribution distribution_;
  const uint64_t least_;
  const uint64_t most_;
  const Zipfian offsets_;
};

// RecordChooser chooses a record that is in the store.
class RecordChooser {
 public:
  virtual ~RecordChooser() = default;
  virtual uint64_t Next(Random* random) = 0;
};

// Chooses by the workload's request distribution, among the records from `first` to those that
// `counter` has acknowledged. `inserts_expected` is how many more there may be at the end.
//   uniform  each with the same probability
//   zipfian  a few records are popular, scattered among all; they stay popular after inserts
//   latest   the newest are the most popular
// REQUIRES: there is at least one record. `counter` must outlive the chooser.
std::unique_ptr<RecordChooser> NewRecordChooser(const CoreWorkload& workload, uint64_t first,
                                                const AcknowledgedCounter* counter,
                                                uint64_t inserts_expected);

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_GENERATORS_H_
