#include "pmem/bptree/separators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "pmem/bptree/tree_testing.h"
#include "testing/comparators.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Scaled;

using Position = std::pair<std::string, uint64_t>;  // user key and trailer

class SeparatorsTest : public testing::TestWithParam<const Comparator*> {
 protected:
  bool IsBefore(const Position& a, const Position& b) const {
    const int order = comparator_.CompareUserKeys(a.first, b.first);
    return order < 0 || (order == 0 && a.second > b.second);
  }

  // Sorts positions and removes duplicates.
  void Sort(std::vector<Position>* positions) const {
    const auto is_before = [this](const Position& a, const Position& b) { return IsBefore(a, b); };
    std::sort(positions->begin(), positions->end(), is_before);
    const auto are_same = [&](const Position& a, const Position& b) {
      return !IsBefore(a, b) && !IsBefore(b, a);
    };
    positions->erase(std::unique(positions->begin(), positions->end(), are_same), positions->end());
  }

  // Builds separators of all but the first and the last of `positions`, which are the bounds.
  Separators Build(const std::vector<Position>& positions) const {
    Separators separators(&comparator_, positions.front().first, positions.back().first);
    for (size_t i = 1; i + 1 < positions.size(); i++) {
      separators.Append(positions[i].first, positions[i].second);
    }
    separators.Seal();
    return separators;
  }

  size_t ExpectedChild(const std::vector<Position>& positions, const Position& target) const {
    size_t child = 0;
    for (size_t i = 1; i + 1 < positions.size(); i++) {
      if (!IsBefore(target, positions[i])) child++;
    }
    return child;
  }

  const InternalKeyComparator comparator_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Comparators, SeparatorsTest,
                         testing::Values(BytewiseComparator(), testkit::ReverseComparator(),
                                         testkit::CaseInsensitiveComparator()));

TEST_P(SeparatorsTest, WithoutAnyThereIsOneChild) {
  const Separators none;
  EXPECT_EQ(0u, none.Find("anything", 0));
  EXPECT_EQ(0u, Build({{"a", 1}, {"b", 1}}).Find("a", 0));
}

// Tests from one separator to enough for four levels of nodes.
TEST_P(SeparatorsTest, LeadWhereAPlainSearchLeads) {
  EntryMaker maker(AnnouncedSeed());
  for (const int count : {3, 4, 17, 18, 40, 258, 259, 700, Scaled(5000)}) {
    std::vector<Position> positions;
    for (int i = 0; i < count; i++) {
      const std::string user_key = maker.UserKey();
      const int versions = maker.random()->OneIn(5) ? 4 : 1;
      for (int v = 0; v < versions; v++) {
        const bool has_trailer = maker.random()->OneIn(2);
        positions.emplace_back(user_key,
                               has_trailer ? maker.random()->Uniform(100) : kBeforeAllVersions);
      }
    }
    Sort(&positions);
    if (positions.size() < 2) continue;  // all the same
    const Separators separators = Build(positions);
    ASSERT_EQ(positions.size() - 2, separators.size());
    for (size_t i = 0; i < separators.size(); i++) {
      ASSERT_EQ(positions[i + 1].first, separators.UserKey(i));
      ASSERT_EQ(positions[i + 1].second, separators.Trailer(i));
    }
    for (int i = 0; i < 300; i++) {
      Position target(maker.UserKey(), maker.random()->Uniform(110));
      if (maker.random()->OneIn(2)) target = positions[maker.random()->Uniform(positions.size())];
      const size_t child = separators.Find(target.first, target.second);
      ASSERT_LE(child, separators.size());
      const bool is_inside =
          comparator_.CompareUserKeys(positions.front().first, target.first) <= 0 &&
          comparator_.CompareUserKeys(target.first, positions.back().first) <= 0;
      if (is_inside) {
        ASSERT_EQ(ExpectedChild(positions, target), child);
      }
    }
  }
}

// Separators may differ only beyond the eight bytes that nodes hold.
TEST_P(SeparatorsTest, TellApartWhatDigestsCannot) {
  std::vector<Position> positions;
  for (int i = 0; i < 400; i++) {
    positions.emplace_back(i % 2 == 0 ? "left" : "right", 1);
    positions.back().first += "0123456789abcdef" + std::to_string(i);
  }
  Sort(&positions);
  const Separators separators = Build(positions);
  for (const Position& position : positions) {
    ASSERT_EQ(ExpectedChild(positions, position), separators.Find(position.first, position.second));
  }
}

TEST_P(SeparatorsTest, TakeFewBytesEach) {
  std::vector<Position> positions;
  for (int i = 0; i < 10000; i++) {
    positions.emplace_back("a long prefix that tells nothing, " + std::to_string(100000 + i),
                           kBeforeAllVersions);
  }
  Sort(&positions);
  if (comparator_.is_bytewise()) {
    EXPECT_LT(Build(positions).memory_bytes(), positions.size() * 24);
  }
}

}  // namespace
}  // namespace leveldb
