// Directories mixed at random from several past states of a database and from a copy that was
// written to separately: old manifests with new tables, logs of other sessions, files under two
// numbers, missing logs. We keep what LevelDB keeps of them (merged/merge_judge.h).

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
