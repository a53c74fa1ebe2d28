// The system's LevelDB and ours work on one directory in turns: each finds exactly what the other
// left, whether that closed the database or was killed, and continues from there.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKilled = -9;
constexpr char kNoStockLibrary[] =
    "this system has no libleveldb.so.1d of its own (package libleveldb1d)";

struct Case {
  const char* name;
  Arguments options;
};

class StockLibrary : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!HaveStockLibrary()) {
      GTEST_SKIP() << kNoStockLibrary;
    }
  }
};

bool Reversed(const Case& tried) {
  return !tried.options.empty() && tried.options[0] == "reverse";
}

TEST(TheTwoLibraries, AreNotTheSame) {
  if (!HaveStockLibrary()) {
    GTEST_SKIP() << kNoStockLibrary;
  }
  const TempDir dir;
  const Finished stock = RunDriver(Library::kStock, {dir / "stock", "where"});
  const Finished ours = RunDriver(Library::kOurs, {dir / "ours", "where"});
  ASSERT_EQ(stock.code, 0) << stock.output;
  ASSERT_EQ(ours.code, 0) << ours.output;
  EXPECT_NE(stock.output, ours.output);
}

// Files that are no longer needed are removed when CompactRange returns, with either library, also
// if the other one has left them.
TEST(TheTwoLibraries, FreeSpaceBeforeACompactionReturns) {
  constexpr uint64_t kOverwrittenBytes = 20 << 20;
  for (const bool ours_first : {false, true}) {
    const TempDir dir;
    for (int turn = 0; turn < 2; ++turn) {
      const Library library = (turn % 2 == 0) == ours_first ? Library::kOurs : Library::kStock;
      if (library == Library::kStock && !HaveStockLibrary()) {
        continue;
      }
      const Finished done = RunDriver(library, {dir / "db", "small", "churn"});
      ASSERT_EQ(done.code, 0) << done.output;
      const size_t at = done.output.find("bytes ");
      ASSERT_NE(at, std::string::npos) << done.output;
      // The directory has LOG, log and manifest, and what a compaction may have begun to write
      // since.
      EXPECT_LT(std::stoull(done.output.substr(at + 6)), kOverwrittenBytes / 4)
          << (library == Library::kOurs ? "ours, turn " : "stock, turn ") << turn;
    }
  }
}

TEST_P(StockLibrary, AndOursTakeTurns) {
  const TempDir dir;
  Dice dice(AnnouncedSeed());
  const std::string seed = std::to_string(dice.Below(1u << 30));
  uint64_t at = 0;
  for (int turn = 0; turn < 10; ++turn) {
    const Library library = turn % 2 == 0 ? Library::kStock : Library::kOurs;
    const uint64_t next = at + dice.Between(1, 150);
    Arguments words = {dir / "db"};
    words.insert(words.end(), GetParam().options.begin(), GetParam().options.end());
    const auto add = [&words](const Arguments& more) {
      words.insert(words.end(), more.begin(), more.end());
    };
    add({"check", seed, std::to_string(at)});
    if (dice.OneIn(3)) {
      add({"snapshot"});
    }
    add({"write", seed, std::to_string(at + 1), std::to_string(next),
         std::to_string(dice.Below(10))});
    if (dice.OneIn(3)) {
      add({"compact"});
    }
    if (dice.OneIn(3)) {
      add({"close"});
    }
    add({"check", seed, std::to_string(next)});
    const bool dies = dice.OneIn(2);
    if (dies) {
      add({"die"});
    }
    const Finished finished = RunDriver(library, words);
    ASSERT_EQ(finished.code, dies ? kKilled : 0)
        << "turn " << turn << ": "
        << finished.output.substr(finished.output.size() -
                                  std::min<size_t>(400, finished.output.size()));
    at = next;
  }
}

// An independent decoder, which knows only the documented formats, reads what our library has
// written and compacted.
TEST_P(StockLibrary, AndAnIndependentDecoderReadWhatWeWrote) {
  const TempDir dir;
  const std::string seed = std::to_string(AnnouncedSeed());
  const Arguments endings[] = {{}, {"compact"}, {"compact", "write", seed, "81", "90", "0", "die"}};
  for (const Arguments& ending : endings) {
    RemoveDir(dir / "db");
    Arguments words = {dir / "db", "small"};
    words.insert(words.end(), GetParam().options.begin(), GetParam().options.end());
    for (const char* word : {"write", seed.c_str(), "1", "80", "7"}) {
      words.push_back(word);
    }
    words.insert(words.end(), ending.begin(), ending.end());
    const Finished written = RunDriver(Library::kOurs, words);
    ASSERT_EQ(written.code, ending.size() > 1 ? kKilled : 0) << written.output;

    // The stock library dumps a copy; the decoder reads the original.
    CopyDir(dir / "db", dir / "copy");
    Arguments dump = {dir / "copy", "small"};
    dump.insert(dump.end(), GetParam().options.begin(), GetParam().options.end());
    for (const std::string& word :
         {std::string("check"), seed, std::string(ending.size() > 1 ? "90" : "80"),
          std::string("dump"), dir / "dump"}) {
      dump.push_back(word);
    }
    const Finished dumped = RunDriver(Library::kStock, dump);
    ASSERT_EQ(dumped.code, 0) << dumped.output;
    const Finished parsed = RunParseCheck(dir / "db", dir / "dump", Reversed(GetParam()));
    ASSERT_EQ(parsed.code, 0) << parsed.output;
    ASSERT_NE(parsed.output.find("MATCH"), std::string::npos) << parsed.output;
    RemoveDir(dir / "copy");
  }
}

TEST_P(StockLibrary, ContinuesAfterOursIsKilledWhileWritingAndTheOtherWayRound) {
  Dice dice(AnnouncedSeed());
  for (const Library killed : {Library::kOurs, Library::kStock, Library::kOurs, Library::kStock}) {
    const TempDir dir;
    const std::string seed = std::to_string(dice.Below(1u << 30));
    const uint64_t moment = dice.Between(1, 400);
    Arguments words = {dir / "db"};
    words.insert(words.end(), GetParam().options.begin(), GetParam().options.end());
    Arguments write = words;
    for (const char* word : {"write", seed.c_str(), "1", "4000", "0"}) {
      write.push_back(word);
    }
    uint64_t acknowledged = 0;
    {
      Subprocess driver(DriverCommand(write), DriverEnvironment(killed));
      std::string line;
      while (acknowledged < moment && driver.ReadLine(&line)) {
        ASSERT_EQ(line.compare(0, 3, "at "), 0) << line;
        acknowledged = std::stoull(line.substr(3));
      }
      driver.Kill();
      // What the driver printed before it died counts, too.
      while (driver.ReadLine(&line)) {
        if (line.compare(0, 3, "at ") == 0 && line.size() > 3) {
          acknowledged = std::max<uint64_t>(acknowledged, std::stoull(line.substr(3)));
        }
      }
      ASSERT_EQ(driver.Wait(), kKilled);
    }
    // At most one batch more than was acknowledged can be present: the one in progress.
    const Library other = killed == Library::kOurs ? Library::kStock : Library::kOurs;
    Finished finished = {1, ""};
    uint64_t found = acknowledged;
    for (; found <= acknowledged + 1 && finished.code != 0; ++found) {
      Arguments check = words;
      check.insert(check.end(), {"check", seed, std::to_string(found)});
      finished = RunDriver(other, check);
    }
    ASSERT_EQ(finished.code, 0) << "acknowledged " << acknowledged << ": " << finished.output;
  }
}

INSTANTIATE_TEST_SUITE_P(With, StockLibrary,
                         ::testing::Values(Case{"Defaults", {}}, Case{"SmallBuffer", {"small"}},
                                           Case{"NoSnappy", {"uncompressed", "small"}},
                                           Case{"Bloom", {"bloom", "small"}},
                                           Case{"ReusedLogs", {"reuse_logs", "small"}},
                                           Case{"Reverse", {"reverse", "bloom", "small"}}),
                         [](const auto& tried) { return tried.param.name; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
