#include "testing/corruption/merged_trial.h"

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/contents.h"
#include "testing/merged/merge_judge.h"
#include "testing/store.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace {

void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

MergedTrial::MergedTrial(uint64_t seed, std::string dir) : seed_(seed), dir_(std::move(dir)) {}

MergedTrial::~MergedTrial() {
  if (mixer_ != nullptr) RemoveDir(dir_);
}

std::string MergedTrial::Mix(Dice* dice) {
  if (mixer_ == nullptr) {
    for (const char* const name : {"", "/times", "/judged"}) {
      Require(Env::Default()->CreateDir(dir_ + name));
    }
    mixer_ = std::make_unique<DirectoryMixer>(seed_, dir_ + "/times");
    Require(mixer_->MakeTimes());
  }
  if (Env::Default()->FileExists(mix_)) RemoveDir(mix_);
  mixer_->Reseed(dice->Next());
  return mixer_->Mix(mix_);
}

Finding MergedTrial::Try(Dice* dice) {
  Finding finding;
  const MergeVerdict verdict = JudgeMergedDirectory(mix_, dir_ + "/judged");
  finding.verdict = verdict.is_opened ? Verdict::kHarmless : Verdict::kDetected;
  finding.wrong = verdict.wrong;
  if (finding.wrong.empty()) {
    const std::string damage = Damage(dice);
    finding.wrong = ReadDamaged();
    if (!finding.wrong.empty()) finding.wrong = damage + ": " + finding.wrong;
  }
  if (!finding.wrong.empty()) finding.verdict = Verdict::kWrong;
  return finding;
}

// Flips a bit of a file, or truncates it.
std::string MergedTrial::Damage(Dice* dice) const {
  const std::vector<std::string> names = FileNames(mix_);
  const std::string name = names[dice->Below(names.size())];
  std::string bytes = ReadFile(mix_ + "/" + name);
  if (bytes.empty()) return "no damage";
  const size_t at = dice->Below(bytes.size());
  const bool cuts = dice->OneIn(2);
  if (cuts) {
    bytes.resize(at);
  } else {
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << dice->Below(8)));
  }
  WriteFile(mix_ + "/" + name, bytes);
  return name + (cuts ? " cut off at " : " with a bit flipped at ") + std::to_string(at);
}

// Reads the directory as it is, and after a repair.
std::string MergedTrial::ReadDamaged() const {
  for (const char* const phase : {"opened", "repaired"}) {
    const bool repairs = phase == std::string("repaired");
    Status status = repairs ? RepairDB(mix_, Options()) : Status::OK();
    std::unique_ptr<DB> db;
    if (status.ok()) status = OpenPlainly(Options(), mix_, &db);
    Contents contents;
    if (status.ok()) status = ReadContents(db.get(), &contents);
    if (!status.ok() && repairs) return "a repair: " + status.ToString();
    if (!status.ok()) continue;
    for (const auto& [key, value] : contents) {
      if (value.compare(0, key.size() + 1, key + " ") != 0) {
        return std::string(phase) + ": " + key + " has the value of another key";
      }
    }
  }
  return "";
}

}  // namespace testkit
}  // namespace leveldb
