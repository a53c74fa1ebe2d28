#include "testing/merged/directory_mixer.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <utility>

#include "leveldb/write_batch.h"
#include "testing/store.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr int kMainTimes = 4;
constexpr int kCopyTimes = 2;
constexpr uint64_t kKeysOfABranch = 40;

bool EndsWith(const std::string& name, const std::string& end) {
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// Returns a path in the directory with a file number that is not in use.
std::string FreePath(const std::string& path, const std::string& end) {
  uint64_t highest = 0;
  for (const std::string& name : FileNames(path)) {
    if (!EndsWith(name, ".log") && !EndsWith(name, ".ldb")) continue;
    highest = std::max<uint64_t>(highest, std::stoull(name));
  }
  char name[32];
  std::snprintf(name, sizeof(name), "/%06llu", static_cast<unsigned long long>(highest + 1));
  return path + name + end;
}

// Returns the bytes of the manifest in use; empty while that is being changed.
std::string ManifestBytes(const std::string& path) {
  std::string name;
  std::string bytes;
  if (!TryReadFile(path + "/CURRENT", &name) || name.empty()) return "";
  name.pop_back();
  return TryReadFile(path + "/" + name, &bytes) ? name + bytes : "";
}

// Copies the directory of an open database as a kill at some moment would leave it: files may be
// removed meanwhile, but the manifest must not change.
void CopyAsKilled(const std::string& path, const std::string& target) {
  while (true) {
    const std::string before = ManifestBytes(path);
    if (TryCopyDir(path, target) && ManifestBytes(path) == before) return;
    RemoveDir(target);
  }
}

}  // namespace

DirectoryMixer::DirectoryMixer(uint64_t seed, std::string scratch)
    : dice_(seed), scratch_(std::move(scratch)) {
  options_.create_if_missing = true;
  options_.write_buffer_size = 64 << 10;
}

std::string DirectoryMixer::Time(const std::string& branch, int time) const {
  return scratch_ + "/" + branch + std::to_string(time);
}

Status DirectoryMixer::MakeTimes() {
  for (const std::string& time : times_) RemoveDir(time);
  times_.clear();
  const int start = static_cast<int>(dice_.Below(kMainTimes - 1));
  Status status;
  for (int time = 0; time < kMainTimes && status.ok(); ++time) {
    times_.push_back(Time("main", time));
    if (time > 0) CopyDir(Time("main", time - 1), times_.back());
    status = Write(times_.back(), "main");
  }
  for (int time = 0; time < kCopyTimes && status.ok(); ++time) {
    times_.push_back(Time("copy", time));
    CopyDir(time == 0 ? Time("main", start) : Time("copy", time - 1), times_.back());
    status = Write(times_.back(), "copy");
  }
  return status;
}

Status DirectoryMixer::Write(const std::string& path, const std::string& branch) {
  std::unique_ptr<DB> db;
  Status status = OpenPlainly(options_, path, &db);
  if (status.ok()) status = WriteSome(db.get(), branch);
  if (!status.ok()) return status;
  if (dice_.OneIn(4)) db->CompactRange(nullptr, nullptr);
  if (dice_.OneIn(2)) {
    const Slice beyond("\xff");
    db->CompactRange(&beyond, &beyond);  // a flush
    status = WriteSome(db.get(), branch);
  }
  CopyAsKilled(path, path + ".killed");
  db.reset();
  RemoveDir(path);
  CopyDir(path + ".killed", path);
  RemoveDir(path + ".killed");
  return status;
}

// Each branch writes keys of its own and keys that both branches write.
Status DirectoryMixer::WriteSome(DB* db, const std::string& branch) {
  Status status;
  for (uint64_t i = dice_.Between(1, 100); i > 0 && status.ok(); --i) {
    WriteBatch batch;
    for (uint64_t entries = dice_.OneIn(4) ? dice_.Between(2, 5) : 1; entries > 0; --entries) {
      const std::string key =
          (dice_.OneIn(3) ? "both" : branch) + std::to_string(dice_.Below(kKeysOfABranch));
      if (dice_.OneIn(4)) {
        batch.Delete(key);
      } else {
        batch.Put(key,
                  key + " " + std::to_string(++writes_) + " " + dice_.Text(dice_.Between(0, 2000)));
      }
    }
    status = db->Write(WriteOptions(), &batch);
  }
  return status;
}

const std::string& DirectoryMixer::SomeTime() {
  return times_[dice_.Below(times_.size())];
}

// Returns "" if there is no file of the kind.
std::string DirectoryMixer::SomeFile(const std::string& path, const std::string& end) {
  const std::vector<std::string> names = FileNamesEnding(path, end);
  return names.empty() ? "" : names[dice_.Below(names.size())];
}

std::string DirectoryMixer::Mix(const std::string& path) {
  const std::string base = SomeTime();
  std::string what = "mixed: " + base;
  CopyDir(base, path);
  for (uint64_t steps = dice_.Between(1, 3); steps > 0; --steps) {
    switch (dice_.Below(6)) {
      case 0:
        what += PutBackManifest(path);
        break;
      case 1:
        what += AddLog(path);
        break;
      case 2:
        what += AddTable(path);
        break;
      case 3:
        what += Unite(path);
        break;
      case 4:
        what += Double(path);
        break;
      default:
        what += RemoveLog(path);
        break;
    }
  }
  return what;
}

std::string DirectoryMixer::PutBackManifest(const std::string& path) {
  const std::string other = SomeTime();
  for (const std::string& name : FileNames(path)) {
    if (name.find("MANIFEST") == 0) std::remove((path + "/" + name).c_str());
  }
  for (const std::string& name : FileNames(other)) {
    if (name.find("MANIFEST") != 0 && name != "CURRENT") continue;
    WriteFile(path + "/" + name, ReadFile(other + "/" + name));
  }
  return ", manifest of " + other;
}

std::string DirectoryMixer::AddLog(const std::string& path) {
  const std::string other = SomeTime();
  const std::string log = SomeFile(other, ".log");
  if (log.empty()) return "";
  const bool renames = dice_.OneIn(2);
  WriteFile(renames ? FreePath(path, ".log") : path + "/" + log, ReadFile(other + "/" + log));
  return (renames ? ", renamed " : ", ") + log + " of " + other;
}

// Never replaces another table.
std::string DirectoryMixer::AddTable(const std::string& path) {
  const std::string other = SomeTime();
  const std::string table = SomeFile(other, ".ldb");
  std::string there;
  if (table.empty() || TryReadFile(path + "/" + table, &there)) return "";
  WriteFile(path + "/" + table, ReadFile(other + "/" + table));
  return ", " + table + " of " + other;
}

// Works like a tool that unites two directories, and keeps either of two files with the same name.
std::string DirectoryMixer::Unite(const std::string& path) {
  const std::string other = SomeTime();
  const std::vector<std::string> names = FileNames(path);
  const std::set<std::string> there(names.begin(), names.end());
  const bool takes_current = dice_.OneIn(2);
  for (const std::string& name : FileNames(other)) {
    const bool is_manifest = name.find("MANIFEST") == 0 || name == "CURRENT";
    if (there.count(name) > 0 && !(is_manifest ? takes_current : dice_.OneIn(2))) continue;
    WriteFile(path + "/" + name, ReadFile(other + "/" + name));
  }
  return ", all files of " + other + (takes_current ? " with its manifest" : "");
}

std::string DirectoryMixer::Double(const std::string& path) {
  const std::string end = dice_.OneIn(2) ? ".log" : ".ldb";
  const std::string name = SomeFile(path, end);
  if (name.empty()) return "";
  WriteFile(FreePath(path, end), ReadFile(path + "/" + name));
  return ", doubled " + name;
}

std::string DirectoryMixer::RemoveLog(const std::string& path) {
  const std::string name = SomeFile(path, ".log");
  if (name.empty()) return "";
  std::remove((path + "/" + name).c_str());
  return ", without " + name;
}

}  // namespace testkit
}  // namespace leveldb
