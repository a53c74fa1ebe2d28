#include "testing/stress/merged_run.h"

#include "leveldb/env.h"
#include "testing/merged/directory_mixer.h"
#include "testing/merged/merge_judge.h"
#include "testing/stress/child.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace {

// Runs an episode, which has databases of its own.
void RunEpisode(const Episode& episode, const std::string& dir, Figures* figures,
                Findings* findings) {
  for (const char* const name : {"", "/times", "/judged"}) {
    const Status status = Env::Default()->CreateDir(dir + name);
    if (!findings->ExpectOk(status, "a directory for the databases")) return;
  }
  DirectoryMixer mixer(episode.numbers.Get("seed", 1), dir + "/times");
  if (!findings->ExpectOk(mixer.MakeTimes(), "making the databases")) return;
  const std::string mix = dir + "/mix";
  for (uint64_t i = episode.numbers.Get("ops", 1); i > 0; --i) {
    const std::string what = mixer.Mix(mix);
    const MergeVerdict verdict = JudgeMergedDirectory(mix, dir + "/judged");
    figures->Add(Figure::kMixes);
    figures->Add(Figure::kMixesOpened, verdict.is_opened ? 1 : 0);
    if (!findings->Expect(verdict.wrong, what)) return;
    RemoveDir(mix);
  }
  RemoveDir(dir);
}

}  // namespace

std::string RunMerged(const Script& script, const std::string& files, Figures* figures) {
  int number = 0;
  for (const Episode& episode : script.episodes) {
    const std::string dir = files + "/episode" + std::to_string(++number);
    const ChildEnd end = RunChild(
        *figures, [&](Findings* findings) { RunEpisode(episode, dir, figures, findings); });
    const std::string wrong = end.was_killed ? "was killed, and not by this program" : end.wrong;
    if (!wrong.empty()) return "episode " + std::to_string(number) + " (merge): " + wrong;
    figures->Add(Figure::kEpisodes);
  }
  return "";
}

}  // namespace testkit
}  // namespace leveldb
