#include "ycsbc/generators.h"

#include <cassert>

namespace leveldb::ycsbc {

namespace {

constexpr double kLengthTheta = 0.99;

class UniformRecords final : public RecordChooser {
 public:
  UniformRecords(uint64_t first, const AcknowledgedCounter* counter)
      : first_(first), counter_(counter) {}

  uint64_t Next(Random* random) override {
    return first_ + random->Uniform(counter_->limit() - first_);
  }

 private:
  const uint64_t first_;
  const AcknowledgedCounter* const counter_;
};

class ZipfianRecords final : public RecordChooser {
 public:
  ZipfianRecords(uint64_t first, const AcknowledgedCounter* counter, uint64_t inserts_expected,
                 double theta)
      : first_(first),
        counter_(counter),
        records_(counter->limit() - first + inserts_expected, theta) {}

  // Chooses among the records that will exist at the end, so that the popular records do not change
  // meanwhile; draws again if the record does not exist yet.
  uint64_t Next(Random* random) override {
    while (true) {
      const uint64_t record = first_ + records_.Next(random);
      if (record < counter_->limit()) return record;
    }
  }

 private:
  const uint64_t first_;
  const AcknowledgedCounter* const counter_;
  const ScrambledZipfian records_;
};

class LatestRecords final : public RecordChooser {
 public:
  LatestRecords(uint64_t first, const AcknowledgedCounter* counter, double theta)
      : first_(first), counter_(counter), ages_(counter->limit() - first, theta) {}

  uint64_t Next(Random* random) override {
    const uint64_t limit = counter_->limit();
    ages_.Resize(limit - first_);
    return limit - 1 - ages_.Next(random);
  }

 private:
  const uint64_t first_;
  const AcknowledgedCounter* const counter_;
  Zipfian ages_;
};

}  // namespace

OperationChooser::OperationChooser(const std::array<double, kOperations>& proportions) {
  double end = 0;
  for (size_t i = 0; i < kOperations; ++i) {
    end += proportions[i];
    ends_[i] = end;
    if (proportions[i] > 0) last_ = static_cast<Operation>(i);
  }
}

Operation OperationChooser::Next(Random* random) const {
  const double u = UniformReal(random);
  for (size_t i = 0; i < kOperations; ++i) {
    if (u < ends_[i]) return static_cast<Operation>(i);
  }
  return last_;  // the parts add up to a little less than 1
}

LengthChooser::LengthChooser(Distribution distribution, uint64_t least, uint64_t most)
    : distribution_(distribution),
      least_(least),
      most_(most),
      offsets_(most - least + 1, kLengthTheta) {
  assert(distribution != Distribution::kLatest);
}

uint64_t LengthChooser::Next(Random* random) const {
  switch (distribution_) {
    case Distribution::kUniform:
      return least_ + random->Uniform(most_ - least_ + 1);
    case Distribution::kZipfian:
      return least_ + offsets_.Next(random);
    case Distribution::kConstant:
    case Distribution::kLatest:
      break;
  }
  return most_;
}

std::unique_ptr<RecordChooser> NewRecordChooser(const CoreWorkload& workload, uint64_t first,
                                                const AcknowledgedCounter* counter,
                                                uint64_t inserts_expected) {
  assert(counter->limit() > first);
  switch (workload.request_distribution) {
    case Distribution::kZipfian:
      return std::make_unique<ZipfianRecords>(first, counter, inserts_expected,
                                              workload.zipfian_value);
    case Distribution::kLatest:
      return std::make_unique<LatestRecords>(first, counter, workload.zipfian_value);
    case Distribution::kUniform:
    case Distribution::kConstant:
      break;
  }
  return std::make_unique<UniformRecords>(first, counter);
}

}  // namespace leveldb::ycsbc
