// Directories mixed at random of what a database was at several times, and of a copy that went on
// by itself: manifests of yesterday with tables of today, logs of other sessions, files twice under
// two numbers, logs that are gone. What LevelDB keeps of them, ours keeps (merged/merge_judge.h).

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <string>

#include "leveldb/env.h"
#include "testing/merged/directory_mixer.h"
#include "testing/merged/merge_judge.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

TEST(MixedDirectories, AreReadAsTheRuleSays) {
  const TempDir dir;
  ASSERT_OK(Env::Default()->CreateDir(dir / "times"));
  ASSERT_OK(Env::Default()->CreateDir(dir / "judged"));
  DirectoryMixer mixer(AnnouncedSeed(), dir / "times");
  std::map<std::string, int> outcomes;
  for (int database = Scaled(6); database > 0; --database) {
    ASSERT_OK(mixer.MakeTimes());
    for (int mix = 0; mix < 15; ++mix) {
      const std::string what = mixer.Mix(dir / "mix");
      const MergeVerdict verdict = JudgeMergedDirectory(dir / "mix", dir / "judged");
      ASSERT_EQ(verdict.wrong, "") << what;
      ++outcomes[verdict.outcome];
      RemoveDir(dir / "mix");
    }
  }
  for (const auto& [outcome, count] : outcomes) std::printf("%s: %d\n", outcome.c_str(), count);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
