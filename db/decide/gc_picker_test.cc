#include "db/decide/gc_picker.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/version/tree_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

constexpr uint64_t kExtent = 64 << 10;

// Extents are named by small numbers; their live bytes are given in percent.
class GcPickerTest : public testing::Test {
 protected:
  struct Live {
    uint64_t extent;
    uint64_t percent;
    uint64_t salt = 1;
  };

  GcPickerTest() {
    options_.extent_bytes = kExtent;
    options_.free_bytes = 100 * kExtent;
    options_.references = [this](PoolOffset extent) {
      return references_[extent / kExtent] + extra_[extent / kExtent];
    };
  }

  void Add(int level, uint64_t number, const std::string& smallest, const std::string& largest,
           const std::vector<Live>& live, uint64_t leaf_bytes = 1000) {
    std::vector<ValueExtentUse> uses;
    for (const Live& use : live) {
      uses.push_back({use.extent * kExtent, use.salt, use.percent * kExtent / 100});
      references_[use.extent]++;
    }
    levels_[level].push_back(MakeTree(
        &comparator_,
        MakeTreeRecord(number, ParseKey(smallest), ParseKey(largest), leaf_bytes, 1 << 20), uses));
  }

  TreeGroupPtr Group() {
    TreeGroupPtr group;
    EXPECT_TRUE(TreeGroup::Build(&comparator_, levels_, &group).ok());
    return group;
  }

  std::string Victims() {
    std::string text;
    for (const GcVictims::Victim& victim : PickVictims(*Group(), options_).extents) {
      text += std::to_string(victim.extent / kExtent) + " ";
    }
    return text;
  }

  std::string Step(const GcVictims& victims) {
    const GcPick pick = PickGcStep(*Group(), victims, running_);
    if (pick.is_over) return "over";
    if (!pick.step.has_value()) return "waits";
    return "G" + std::to_string(pick.step->level) + " " + std::to_string(pick.step->tree->number());
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  Reservations running_{BytewiseComparator()};
  TreeLevels levels_;
  GcOptions options_;
  std::map<uint64_t, uint32_t> references_;  // of trees
  std::map<uint64_t, uint32_t> extra_;       // of others
};

TEST(GcThresholdTest, FallsToHalfAsThePoolFillsUp) {
  EXPECT_EQ(0.5, GcThreshold(0.5, 0));
  EXPECT_NEAR(0.375, GcThreshold(0.5, 0.5), 1e-9);
  EXPECT_NEAR(0.25, GcThreshold(0.5, 1), 1e-9);
}

TEST_F(GcPickerTest, ExtentsWithEnoughGarbageAreCollected) {
  Add(1, 10, "a", "c", {{1, 20}, {2, 60}, {3, 10}, {5, 40}});
  Add(2, 20, "a", "z", {{3, 30}, {4, 5}, {5, 40}});
  EXPECT_EQ("1 3 4 ", Victims());
  options_.gc_ratio = 0.9;
  EXPECT_EQ("", Victims());  // would free less than one extent
  options_.gc_ratio = 0.1;
  EXPECT_EQ("1 2 3 4 5 ", Victims());
}

TEST_F(GcPickerTest, WhatOthersHoldIsLeftAlone) {
  Add(1, 10, "a", "c", {{1, 20}, {2, 20}, {3, 20}, {4, 20}});
  extra_[2] = 1;  // a log, or a memtable, or an old view
  EXPECT_EQ("1 3 4 ", Victims());
}

TEST_F(GcPickerTest, WhatLevel0RefersToIsLeftAlone) {
  Add(0, 30, "a", "c", {{3, 10}});
  Add(1, 10, "a", "c", {{1, 20}, {2, 20}, {3, 20}});
  EXPECT_EQ("1 2 ", Victims());
}

TEST_F(GcPickerTest, TheWorstComeFirstAsFarAsThereIsRoom) {
  Add(1, 10, "a", "c", {{1, 40}, {2, 10}, {3, 30}, {4, 20}, {5, 0}});
  options_.free_bytes = GcStepBytes(*levels_[1][0], kExtent) + 2 * 35 * kExtent / 100;
  EXPECT_EQ("2 4 5 ", Victims());
  const GcVictims victims = PickVictims(*Group(), options_);
  EXPECT_NEAR(2.70 * kExtent, static_cast<double>(victims.garbage_bytes), 5);
  EXPECT_NEAR(4.00 * kExtent, static_cast<double>(victims.all_garbage_bytes), 5);
}

TEST_F(GcPickerTest, RoomForItsLargestStepIsNoRoomForCopies) {
  Add(1, 10, "a", "c", {{1, 10}, {2, 20}, {3, 30}}, 1000);
  Add(1, 11, "d", "e", {{3, 5}}, kExtent);
  const uint64_t step = GcStepBytes(*levels_[1][1], kExtent);
  EXPECT_GT(step, GcStepBytes(*levels_[1][0], kExtent));
  options_.free_bytes = step + 2 * 31 * kExtent / 100;
  EXPECT_EQ("1 2 ", Victims());
  options_.free_bytes = step;
  EXPECT_EQ("", Victims());
  // A tree without large values is not rewritten.
  Add(1, 12, "f", "g", {}, 100 * kExtent);
  options_.free_bytes = step + 2 * 31 * kExtent / 100;
  EXPECT_EQ("1 2 ", Victims());
}

TEST_F(GcPickerTest, GcMustFreeMoreThanItsTreesCost) {
  Add(1, 10, "a", "c", {{1, 20}, {2, 20}}, 3 * kExtent);
  EXPECT_EQ("1 2 ", Victims());  // frees 1.6 extents
  Add(1, 11, "d", "e", {{1, 1}}, kExtent);
  EXPECT_EQ("", Victims());
}

TEST_F(GcPickerTest, TreesAreWrittenAnewDeepestFirstInKeyOrder) {
  Add(1, 12, "m", "n", {{1, 10}});
  Add(1, 10, "a", "c", {{2, 10}, {7, 50}});
  Add(2, 21, "k", "z", {{2, 10}});
  Add(2, 20, "a", "c", {{7, 10}});
  Add(3, 30, "a", "z", {{1, 10}});
  const GcVictims victims = PickVictims(*Group(), options_);
  EXPECT_EQ(kExtent / 10, LiveBytesIn(*levels_[1][0], victims));
  EXPECT_EQ("G3 30", Step(victims));
  const uint64_t ticket = running_.ReserveRewrite(3, levels_[3][0]);
  EXPECT_EQ("G2 21", Step(victims));
  levels_[3].clear();
  levels_[2].erase(levels_[2].begin());
  EXPECT_EQ("G1 10", Step(victims));
  levels_[1].erase(levels_[1].begin() + 1);
  EXPECT_EQ("G1 12", Step(victims));
  const uint64_t another = running_.ReserveRewrite(1, levels_[1][0]);
  EXPECT_EQ("waits", Step(victims));
  running_.Release(another);
  levels_[1].clear();
  EXPECT_EQ("over", Step(victims));
  running_.Release(ticket);
}

TEST_F(GcPickerTest, AnExtentThatHasBeenUsedAgainIsNoVictimAnyMore) {
  Add(1, 10, "a", "c", {{1, 10}, {2, 10}});
  const GcVictims victims = PickVictims(*Group(), options_);
  EXPECT_TRUE(victims.Contains(1 * kExtent));
  EXPECT_FALSE(victims.Contains(3 * kExtent));
  EXPECT_EQ("G1 10", Step(victims));
  levels_[1].clear();
  Add(1, 11, "a", "c", {{1, 10, 77}});
  EXPECT_EQ("over", Step(victims));
}

}  // namespace
}  // namespace leveldb
