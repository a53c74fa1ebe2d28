#include "ycsbc/generators.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "ycsbc/chi_square.h"

namespace leveldb::ycsbc {
namespace {

constexpr uint64_t kSeed = 20240502;
constexpr int kDraws = 200'000;

TEST(OperationChooserTest, OperationsComeInTheirProportions) {
  for (const std::array<double, kOperations>& proportions :
       {std::array<double, kOperations>{0.95, 0.05, 0, 0, 0},
        std::array<double, kOperations>{0.2, 0.2, 0.2, 0.2, 0.2},
        std::array<double, kOperations>{0, 0, 0, 0.95, 0.05},
        std::array<double, kOperations>{0, 1, 0, 0, 0}}) {
    const OperationChooser chooser(proportions);
    Random random(kSeed);
    ChiSquare draws;
    for (int i = 0; i < kDraws; ++i) {
      const Operation operation = chooser.Next(&random);
      EXPECT_GT(proportions[static_cast<size_t>(operation)], 0);
      draws.Add(static_cast<uint64_t>(operation));
    }
    EXPECT_LT(draws.Deviation(kOperations, [&](uint64_t i) { return proportions[i]; }), 4.5);
  }
}

TEST(OperationChooserTest, ProportionsThatAddUpToALittleLessLeaveNoGap) {
  const OperationChooser chooser({0, 1 - 1e-7, 0, 0, 0});
  Random random(kSeed);
  for (int i = 0; i < kDraws; ++i) EXPECT_EQ(Operation::kUpdate, chooser.Next(&random));
}

TEST(LengthChooserTest, LengthsFollowTheory) {
  for (const Distribution distribution : {Distribution::kUniform, Distribution::kZipfian}) {
    const LengthChooser chooser(distribution, 5, 104);
    const Zipfian zipfian(100, 0.99);
    Random random(kSeed);
    ChiSquare draws;
    for (int i = 0; i < kDraws; ++i) draws.Add(chooser.Next(&random) - 5);
    const double deviation = draws.Deviation(100, [&](uint64_t offset) {
      return distribution == Distribution::kUniform ? 0.01 : zipfian.Probability(offset);
    });
    EXPECT_LT(deviation, 4.5);
  }
  const LengthChooser constant(Distribution::kConstant, 5, 104);
  Random random(kSeed);
  EXPECT_EQ(104u, constant.Next(&random));
}

CoreWorkload Workload(Distribution distribution) {
  CoreWorkload workload;
  workload.request_distribution = distribution;
  return workload;
}

TEST(RecordChooserTest, UniformFollowsTheory) {
  const AcknowledgedCounter counter(1500);
  const auto chooser = NewRecordChooser(Workload(Distribution::kUniform), 500, &counter, 0);
  Random random(kSeed);
  ChiSquare draws;
  for (int i = 0; i < kDraws; ++i) draws.Add(chooser->Next(&random) - 500);
  EXPECT_LT(draws.Deviation(1000, [](uint64_t) { return 1e-3; }), 4.5);
}

TEST(RecordChooserTest, LatestPrefersTheNewest) {
  AcknowledgedCounter counter(500);
  const auto chooser = NewRecordChooser(Workload(Distribution::kLatest), 0, &counter, 500);
  for (int i = 0; i < 500; ++i) counter.Acknowledge(counter.Next());
  const Zipfian zipfian(1000, 0.99);
  Random random(kSeed);
  ChiSquare ages;
  for (int i = 0; i < kDraws; ++i) ages.Add(999 - chooser->Next(&random));
  EXPECT_LT(ages.Deviation(1000, [&](uint64_t age) { return zipfian.Probability(age); }), 4.5);
}

// Popular records stay popular while others are inserted, and some new ones become popular.
TEST(RecordChooserTest, ZipfianKeepsItsFavourites) {
  AcknowledgedCounter counter(1000);
  const auto chooser = NewRecordChooser(Workload(Distribution::kZipfian), 0, &counter, 1000);
  const auto counts = [&] {
    Random random(kSeed);
    std::map<uint64_t, int> all;
    for (int i = 0; i < kDraws; ++i) ++all[chooser->Next(&random)];
    return all;
  };
  const std::map<uint64_t, int> before = counts();
  EXPECT_GT(before.size(), 950u);
  EXPECT_LT(before.rbegin()->first, 1000u);
  while (counter.limit() < 2000) counter.Acknowledge(counter.Next());
  const std::map<uint64_t, int> after = counts();
  EXPECT_GT(after.size(), 1900u);
  int favourites = 0;
  for (const auto& [record, count] : before) {
    if (count < kDraws / 100) continue;
    ++favourites;
    EXPECT_GT(after.at(record), count / 4) << record;
  }
  EXPECT_GT(favourites, 3);
}

TEST(RecordChooserTest, OnlyAcknowledgedRecordsAreChosen) {
  for (const Distribution distribution :
       {Distribution::kUniform, Distribution::kZipfian, Distribution::kLatest}) {
    AcknowledgedCounter counter(10);
    const auto chooser = NewRecordChooser(Workload(distribution), 3, &counter, 10);
    Random random(kSeed);
    EXPECT_EQ(10u, counter.Next());
    EXPECT_EQ(11u, counter.Next());
    counter.Acknowledge(11);
    std::set<uint64_t> chosen;
    for (int i = 0; i < 3000; ++i) chosen.insert(chooser->Next(&random));
    EXPECT_EQ((std::set<uint64_t>{3, 4, 5, 6, 7, 8, 9}), chosen);
    counter.Acknowledge(10);
    for (int i = 0; i < 3000; ++i) chosen.insert(chooser->Next(&random));
    EXPECT_EQ(9u, chosen.size());
    EXPECT_EQ(11u, *chosen.rbegin());
  }
}

TEST(AcknowledgedCounterTest, TheLimitPassesNoGap) {
  AcknowledgedCounter counter(7);
  EXPECT_EQ(7u, counter.limit());
  for (uint64_t number = 7; number < 12; ++number) EXPECT_EQ(number, counter.Next());
  counter.Acknowledge(8);
  counter.Acknowledge(11);
  EXPECT_EQ(7u, counter.limit());
  counter.Acknowledge(7);
  EXPECT_EQ(9u, counter.limit());
  counter.Acknowledge(10);
  EXPECT_EQ(9u, counter.limit());
  counter.Acknowledge(9);
  EXPECT_EQ(12u, counter.limit());
}

}  // namespace
}  // namespace leveldb::ycsbc
