// Cuts the power at a random moment, on the disk and in the pool at once. What was not durable in
// either survives not at all, as a whole, or in a random part, torn at eight bytes. Acknowledged
// writes are present afterwards, as far as the options promise it, with all that was written before
// them; deletes stay deleted and nothing is there twice. Then the power is cut again.

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "testing/crash/tier_ride.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kRides = 4;
constexpr int kCutsAfterThat = 2;
constexpr int kPointsARide = 2 * (1 + kCutsAfterThat);  // at least; 16 to 60 are usual

struct Case {
  const char* name;
  Loss loss;
  void (*change)(RideOptions* options);
};

void Fenced(RideOptions*) {}

void Coarse(RideOptions* options) {
  options->pmem.wal_persist_bytes = 16 << 10;
}

void Msync(RideOptions* options) {
  options->model = PmemSim::Model::kMsync;
  options->pmem.assume_pmem = false;
}

void SpillsAlways(RideOptions* options) {
  options->pmem.spill_start = 0.1;
  options->pmem.spill_stop = 0;
}

void CollectsAlways(RideOptions* options) {
  options->pmem.gc_ratio = 0.01;
  options->value_size_max = 6000;
}

void InlineOnly(RideOptions* options) {
  options->pmem.value_separation_bytes = std::numeric_limits<uint64_t>::max();
}

void SeparatedOnly(RideOptions* options) {
  options->pmem.value_separation_bytes = 1;
}

void LargeValues(RideOptions* options) {
  options->pmem.size = 24 << 20;
  options->value_size_max = 150000;
  options->options.write_buffer_size = 1 << 20;
  options->batches = 80;
}

RideOptions MakeOptions(const Case& tried) {
  RideOptions options;
  options.loss = tried.loss;
  options.options.write_buffer_size = 64 << 10;
  options.pmem.size = 8 << 20;
  options.pmem.assume_pmem = true;
  options.pmem.assume_pmem_anywhere = true;
  tried.change(&options);
  return options;
}

class TierPowerLoss : public ::testing::TestWithParam<Case> {};

TEST_P(TierPowerLoss, TakesNothingThatWasPromised) {
  Dice dice(AnnouncedSeed());
  const int rides = Scaled(kRides);
  int points = 0;
  for (int round = 0; round < rides && !HasFailure(); ++round) {
    TierRide ride(dice.Next(), MakeOptions(GetParam()));
    ride.Run();
    ASSERT_FALSE(HasFailure());
    int number = 0;
    for (const Wreck& wreck : *ride.wrecks()) {
      uint64_t count = 0;
      ASSERT_OK(ride.Recover(wreck, kCutsAfterThat, &count))
          << "wreck " << number << " of ride " << round << "\n"
          << wreck.disk->Describe();
      points += 1 + kCutsAfterThat;
      ++number;
    }
  }
  EXPECT_GE(points, kPointsARide * rides);
  RecordProperty("crash_points", points);
}

INSTANTIATE_TEST_SUITE_P(
    Of, TierPowerLoss,
    ::testing::Values(Case{"EverythingUnfenced", Loss::kDropAll, Fenced},
                      Case{"TheLatest", Loss::kInOrder, Fenced},
                      Case{"RandomLines", Loss::kTruncate, Fenced},
                      Case{"TornLines", Loss::kTear, Fenced},
                      Case{"NothingButTheProcess", Loss::kKeepAll, Fenced},
                      Case{"CoarseEverythingUnfenced", Loss::kDropAll, Coarse},
                      Case{"CoarseTornLines", Loss::kTear, Coarse},
                      Case{"MsyncEverythingUnsynced", Loss::kDropAll, Msync},
                      Case{"MsyncTornLines", Loss::kTear, Msync},
                      Case{"MsyncNothingButTheProcess", Loss::kKeepAll, Msync},
                      Case{"SpillsEverythingUnfenced", Loss::kDropAll, SpillsAlways},
                      Case{"SpillsTornLines", Loss::kTear, SpillsAlways},
                      Case{"CollectsEverythingUnfenced", Loss::kDropAll, CollectsAlways},
                      Case{"CollectsTornLines", Loss::kTear, CollectsAlways},
                      Case{"InlineTornLines", Loss::kTear, InlineOnly},
                      Case{"SeparatedTornLines", Loss::kTear, SeparatedOnly},
                      Case{"LargeValuesTornLines", Loss::kTear, LargeValues}),
    [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
