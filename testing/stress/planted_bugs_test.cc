// Plants bugs in the engine, in its disk and in its memory: stress runs must find them. How many
// runs that takes is random, but the limit is high enough.

#include "testing/stress/planted_bugs.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "testing/seed.h"
#include "testing/stress/plan.h"
#include "testing/stress/power_run.h"
#include "testing/stress/real_run.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kRunsMax = 200;

class PlantedBugs : public ::testing::Test {
 protected:
  ~PlantedBugs() override { Plant(PlantedBug::kNone); }

  // Returns what the first run finds that finds anything; empty if none of `runs` runs does.
  std::string Find(Kind kind, void (*change)(Script*), const PlantInPower& plant = {},
                   int runs = kRunsMax) {
    const uint64_t seed = AnnouncedSeed();
    PlanOptions options;
    options.kinds = {kind};
    options.threads = 2;
    std::string found;
    for (int run = 0; run < runs && found.empty(); ++run) {
      Script script = PlanRun(seed + static_cast<uint64_t>(run), options);
      change(&script);
      found = RunOne(script, plant);
    }
    std::printf("%s\n", found.c_str());
    return found;
  }

 private:
  std::string RunOne(const Script& script, const PlantInPower& plant) {
    const TempDir dir(Medium::kMemory);
    std::filesystem::create_directory(dir / "files");
    std::filesystem::create_directory(dir / "pools");
    Figures figures;
    return script.world() == World::kSimulated
               ? RunPower(script, dir / "files", dir / "pools", &figures, plant)
               : RunReal(script, dir / "files", dir / "pools", 0, &figures);
  }
};

void AsItIs(Script*) {}

// Uses a tier on memory whose lines must be flushed, many cuts, and the loss of all that is not
// durable.
void OnPersistentMemory(Script* script) {
  script->run.Set("msync", 0);
  for (Episode& episode : script->episodes) {
    episode.numbers.Set("tier", 1);
    episode.numbers.Set("pool", 8 << 20);
    episode.numbers.Set("loss", static_cast<uint64_t>(Loss::kDropAll));
    episode.numbers.Set("cuts", 20);
    episode.numbers.Set("gap", 16);
    episode.numbers.Remove("drain");
    episode.numbers.Remove("no_spill");
  }
}

void DropAll(Script* script) {
  for (Episode& episode : script->episodes) {
    episode.numbers.Set("loss", static_cast<uint64_t>(Loss::kDropAll));
  }
}

// Makes deletions meet what they delete in deeper levels.
void ManyDeletions(Script* script) {
  for (Episode& episode : script->episodes) {
    episode.numbers.Set("delete", 200);
    episode.numbers.Set("flush", 20);
    episode.numbers.Set("compact", 5);
    episode.numbers.Remove("snapshot");
    episode.numbers.Remove("iterator");
  }
}

void ManySnapshots(Script* script) {
  for (Episode& episode : script->episodes) {
    episode.numbers.Set("snapshot", 50);
  }
}

// Makes large values in extents that logs, memtables and trees share.
void ManySharedExtents(Script* script) {
  for (Episode& episode : script->episodes) {
    episode.numbers.Set("tier", 1);
    episode.numbers.Set("pool", 8 << 20);
    episode.numbers.Set("separation", 64);
    episode.numbers.Set("value_max", 6000);
    episode.numbers.Set("flush", 20);
    episode.numbers.Remove("drain");
  }
}

TEST_F(PlantedBugs, AreNotFoundWhereThereAreNone) {
  EXPECT_EQ(Find(Kind::kClose, AsItIs, {}, 3), "");
  EXPECT_EQ(Find(Kind::kPower, AsItIs, {}, 3), "");
}

TEST_F(PlantedBugs, AMissingFenceIsFound) {
  EXPECT_NE(Find(Kind::kPower, OnPersistentMemory,
                 [](PowerEnv*, PmemSim* sim) { sim->SkipFences(40, 1000000); }),
            "");
}

TEST_F(PlantedBugs, AnEarlyPublishIsFound) {
  EXPECT_NE(Find(Kind::kPower, OnPersistentMemory,
                 [](PowerEnv*, PmemSim* sim) { sim->PublishEarly(1, 1000000); }),
            "");
}

TEST_F(PlantedBugs, ASkippedDirectorySyncIsFound) {
  EXPECT_NE(
      Find(Kind::kPower, DropAll, [](PowerEnv* disk, PmemSim*) { disk->ForgetDirectorySyncs(); }),
      "");
}

TEST_F(PlantedBugs, AWronglyDroppedTombstoneIsFound) {
  Plant(PlantedBug::kTombstoneDropped);
  EXPECT_NE(Find(Kind::kClose, ManyDeletions), "");
}

TEST_F(PlantedBugs, ASnapshotThatIsOffByOneIsFound) {
  Plant(PlantedBug::kSnapshotOffByOne);
  EXPECT_NE(Find(Kind::kClose, ManySnapshots), "");
}

TEST_F(PlantedBugs, AnExtentThatIsFreedWhileInUseIsFound) {
  Plant(PlantedBug::kExtentFreedInUse);
  EXPECT_NE(Find(Kind::kClose, ManySharedExtents), "");
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
