// Tests scripts as text, as drawn from seeds, and as minimized.

#include "testing/stress/script.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/stress/command_line.h"
#include "testing/stress/minimize.h"
#include "testing/stress/plan.h"

namespace leveldb {
namespace testkit {
namespace {

const std::vector<Kind> kAllKinds = {Kind::kClose, Kind::kKill, Kind::kPower, Kind::kFull,
                                     Kind::kEio,   Kind::kPool, Kind::kMerge};

TEST(ScriptTest, IsReadAsItIsWritten) {
  Dice dice(AnnouncedSeed());
  for (int i = 0; i < Scaled(200); ++i) {
    PlanOptions options;
    options.kinds = kAllKinds;
    options.threads = static_cast<uint32_t>(dice.Between(1, 16));
    const uint64_t seed = dice.Next();
    const Script script = PlanRun(seed, options);
    EXPECT_EQ(PlanRun(seed, options).Text(), script.Text());
    Script read;
    ASSERT_EQ(Script::Parse("# a remark\n\n" + script.Text(), &read), "");
    EXPECT_EQ(read.Text(), script.Text());
  }
}

TEST(ScriptTest, PlansOnlyWhatIsAskedFor) {
  Dice dice(AnnouncedSeed());
  for (const Kind kind : kAllKinds) {
    PlanOptions options;
    options.kinds = {kind};
    const Script script = PlanRun(dice.Next(), options);
    ASSERT_FALSE(script.episodes.empty());
    for (const Episode& episode : script.episodes) {
      EXPECT_EQ(episode.kind, kind);
    }
  }
}

TEST(ScriptTest, SaysWhatIsWrong) {
  Script script;
  for (const char* const text : {"",
                                 "episode kill\n",
                                 "run\nrun\n",
                                 "run threads=0\n",
                                 "run threads=17\n",
                                 "run world=3\n",
                                 "run keys=0\n",
                                 "run x\n",
                                 "run x=\n",
                                 "run =1\n",
                                 "run x=-1\n",
                                 "run x=1y\n",
                                 "run x=99999999999999999999\n",
                                 "run\nepisode\n",
                                 "run\nepisode fire\n",
                                 "run\nepisode power\n",
                                 "run world=1\nepisode kill\n",
                                 "run world=2\nepisode close\n",
                                 "run\nepisode merge\n",
                                 "nonsense\n"}) {
    EXPECT_NE(Script::Parse(text, &script), "") << text;
  }
  EXPECT_EQ(Script::Parse("run\nepisode kill ops=18446744073709551615\n", &script), "");
}

TEST(ScriptTest, IsCutDownToWhatGoesWrong) {
  Script script;
  ASSERT_EQ(Script::Parse("run threads=4 keys=100 order=2\n"
                          "episode close ops=10 put=3\n"
                          "episode kill ops=1000 sessions=4 put=5 get=7 kill_at=3\n"
                          "episode close ops=10\n",
                          &script),
            "");
  const auto fails = [](const Script& tried) {
    return std::any_of(tried.episodes.begin(), tried.episodes.end(), [](const Episode& episode) {
      return episode.numbers.Get("ops", 0) >= 100 && episode.numbers.Get("get", 0) == 7;
    });
  };
  EXPECT_EQ(Minimize(script, fails, 1000).Text(),
            "run keys=1 threads=1\nepisode kill get=7 ops=125\n");
  // With few runs it stops early, at a script that fails.
  EXPECT_TRUE(fails(Minimize(script, fails, 5)));
}

TEST(CommandLineTest, IsUnderstood) {
  CommandLine line;
  EXPECT_EQ(ParseCommandLine({"--seed=7", "--threads", "2", "--kinds=power,kill"}, &line), "");
  EXPECT_EQ(*line.seed, 7u);
  EXPECT_EQ(line.threads, 2u);
  EXPECT_EQ(line.KindsText(), "kill,power");
  CommandLine all;
  EXPECT_EQ(ParseCommandLine({}, &all), "");
  EXPECT_EQ(all.KindsText(), "close,kill,power,full,eio,pool,merge");
}

TEST(CommandLineTest, SaysWhatIsWrong) {
  for (const char* const word :
       {"seed", "--seed", "--seed=", "--seed=x", "--threads=0", "--threads=17",
        "--kinds=", "--kinds=fire", "--nonsense=1", "--dir", "--print"}) {
    CommandLine line;
    EXPECT_NE(ParseCommandLine({word}, &line), "") << word;
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
