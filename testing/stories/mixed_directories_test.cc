// Directories mixed at random of what a database was at several times, and of a copy that went on
// by itself: manifests of yesterday with tables of today, logs of other sessions, files twice under
// two numbers, logs that are gone. What the system's LevelDB shows of such a directory, ours shows
// as well, or it refuses it, and a repair shows it.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/peer_programs.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/store.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr int kTimes = 4;

bool Is(const std::string& name, const std::string& end) {
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

class MixedDirectories : public ::testing::Test {
 protected:
  MixedDirectories() : dice_(AnnouncedSeed()) {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
  }

  // Every key is written once, and its value tells which.
  void Write(const std::string& path, const std::string& prefix) {
    std::unique_ptr<DB> db;
    ASSERT_OK(OpenPlainly(options_, path, &db));
    for (uint64_t i = dice_.Between(1, 150); i > 0; --i) {
      const std::string key = prefix + std::to_string(i);
      ASSERT_OK(db->Put(WriteOptions(), key, key + std::string(1000, 'v')));
    }
    if (dice_.OneIn(2)) {
      const Slice beyond("\xff");
      db->CompactRange(&beyond, &beyond);  // a flush
      ASSERT_OK(db->Put(WriteOptions(), prefix + "last", prefix + "last" + std::string(1000, 'v')));
    }
    CopyAsKilled(path, path + ".killed");
    db.reset();
    RemoveDir(path);
    CopyDir(path + ".killed", path);
    RemoveDir(path + ".killed");
  }

  // Copies the directory of an open database as a kill at some moment would leave it: files may go
  // meanwhile, but the manifest must stay what it was.
  static void CopyAsKilled(const std::string& path, const std::string& target) {
    while (true) {
      const std::string before = Manifest(path);
      if (TryCopyDir(path, target) && Manifest(path) == before) return;
      RemoveDir(target);
    }
  }

  // The bytes of the manifest in use; empty while that is being changed.
  static std::string Manifest(const std::string& path) {
    std::string name;
    std::string bytes;
    if (!TryReadFile(path + "/CURRENT", &name) || name.empty()) return "";
    name.pop_back();
    return TryReadFile(path + "/" + name, &bytes) ? name + bytes : "";
  }

  std::string Time(const std::string& branch, int time) const {
    return dir_ / (branch + std::to_string(time));
  }

  void MakeTimes() {
    for (int time = 0; time < kTimes; ++time) {
      if (time > 0) CopyDir(Time("main", time - 1), Time("main", time));
      Write(Time("main", time), "main" + std::to_string(time) + ".");
    }
    const int start = static_cast<int>(dice_.Below(kTimes - 1));
    for (int time = 0; time < 2; ++time) {
      CopyDir(time == 0 ? Time("main", start) : Time("copy", 0), Time("copy", time));
      Write(Time("copy", time), "copy" + std::to_string(time) + ".");
    }
  }

  std::string SomeTime() {
    const uint64_t drawn = dice_.Below(kTimes + 2);
    return drawn < kTimes ? Time("main", static_cast<int>(drawn))
                          : Time("copy", static_cast<int>(drawn - kTimes));
  }

  // A random file of a kind, or "".
  std::string SomeFile(const std::string& path, const std::string& end) {
    const std::vector<std::string> names = FileNamesEnding(path, end);
    return names.empty() ? "" : names[dice_.Below(names.size())];
  }

  static std::string FreeName(const std::string& path, const std::string& end) {
    uint64_t highest = 0;
    for (const std::string& name : FileNames(path)) {
      if (!Is(name, ".log") && !Is(name, ".ldb")) continue;
      highest = std::max<uint64_t>(highest, std::stoull(name));
    }
    char name[32];
    std::snprintf(name, sizeof(name), "/%06llu", static_cast<unsigned long long>(highest + 1));
    return path + name + end;
  }

  void PutBackManifest(const std::string& path) {
    const std::string other = SomeTime();
    for (const std::string& name : FileNames(path)) {
      if (name.find("MANIFEST") == 0) std::remove((path + "/" + name).c_str());
    }
    for (const std::string& name : FileNames(other)) {
      if (name.find("MANIFEST") != 0 && name != "CURRENT") continue;
      WriteFile(path + "/" + name, ReadFile(other + "/" + name));
    }
    what_ += " manifest of " + other;
  }

  void AddLog(const std::string& path) {
    const std::string other = SomeTime();
    const std::string log = SomeFile(other, ".log");
    if (log.empty()) return;
    const bool renames = dice_.OneIn(2);
    WriteFile(renames ? FreeName(path, ".log") : path + "/" + log, ReadFile(other + "/" + log));
    what_ += (renames ? " renamed " : " ") + log + " of " + other;
  }

  void Double(const std::string& path) {
    const std::string end = dice_.OneIn(2) ? ".log" : ".ldb";
    const std::string name = SomeFile(path, end);
    if (name.empty()) return;
    WriteFile(FreeName(path, end), ReadFile(path + "/" + name));
    what_ += " doubled " + name;
  }

  void RemoveLog(const std::string& path) {
    const std::string name = SomeFile(path, ".log");
    if (name.empty()) return;
    std::remove((path + "/" + name).c_str());
    what_ += " without " + name;
  }

  void Mix(const std::string& path) {
    what_ = "mixed:";
    CopyDir(SomeTime(), path);
    for (uint64_t steps = dice_.Between(1, 3); steps > 0; --steps) {
      switch (dice_.Below(4)) {
        case 0:
          PutBackManifest(path);
          break;
        case 1:
          AddLog(path);
          break;
        case 2:
          Double(path);
          break;
        default:
          RemoveLog(path);
          break;
      }
    }
  }

  // The lines of a dump.
  static std::vector<std::string> Lines(const std::string& dump) {
    std::vector<std::string> lines;
    for (size_t at = 0; at < dump.size();) {
      const size_t end = dump.find('\n', at);
      lines.push_back(dump.substr(at, end - at));
      at = end + 1;
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  void ExpectAllOf(const std::vector<std::string>& wanted, DB* db) {
    Contents contents;
    ASSERT_OK(ReadContents(db, &contents));
    for (const auto& [key, value] : contents) ASSERT_EQ(value, key + std::string(1000, 'v'));
    const std::vector<std::string> found = Lines(DumpText(contents));
    EXPECT_TRUE(std::includes(found.begin(), found.end(), wanted.begin(), wanted.end()))
        << found.size() << " entries, wanted were " << wanted.size();
  }

  void Try(const std::string& path) {
    std::vector<std::string> wanted;
    CopyDir(path, dir_ / "stock");
    const Finished stock = RunPeer(Whose::kStock, {dir_ / "stock", "dump", dir_ / "dump"});
    if (stock.code == 0) wanted = Lines(ReadFile(dir_ / "dump"));
    CopyDir(path, dir_ / "ours");
    std::unique_ptr<DB> db;
    Status status = OpenPlainly(Options(), dir_ / "ours", &db);
    // A table of another time under the number that the manifest names is met by reads only.
    Contents contents;
    if (status.ok()) status = ReadContents(db.get(), &contents);
    counts_[stock.code == 0 ? (status.ok() ? "both open it" : "only LevelDB opens it")
                            : (status.ok() ? "only ours opens it" : "none opens it")]++;
    if (!status.ok()) {
      EXPECT_TRUE(status.IsCorruption()) << status.ToString();
      EXPECT_TRUE(db != nullptr || Says(status, "RepairDB")) << status.ToString();
      EXPECT_TRUE(db == nullptr || stock.code != 0) << status.ToString();
      db.reset();
      ASSERT_OK(RepairDB(dir_ / "ours", Options()));
      ASSERT_OK(OpenPlainly(Options(), dir_ / "ours", &db));
    }
    ExpectAllOf(wanted, db.get());
    db.reset();
    ASSERT_OK(RepairDB(path, Options()));
    ASSERT_OK(OpenPlainly(Options(), path, &db));
    ExpectAllOf(wanted, db.get());
    db.reset();
    for (const std::string& used : {path, dir_ / "stock", dir_ / "ours"}) RemoveDir(used);
  }

  const TempDir dir_;
  Dice dice_;
  Options options_;
  std::string what_;
  std::map<std::string, int> counts_;
};

TEST_F(MixedDirectories, ShowWhatLevelDbShows) {
  if (!HaveStockLibrary()) {
    GTEST_SKIP() << "this system has no libleveldb.so.1d of its own (package libleveldb1d)";
  }
  const int databases = Scaled(4);
  for (int database = 0; database < std::max(databases, 1); ++database) {
    MakeTimes();
    for (int mix = 0; mix < 15 && !HasFailure(); ++mix) {
      Mix(dir_ / "mix");
      SCOPED_TRACE(what_);
      Try(dir_ / "mix");
    }
    for (int time = 0; time < kTimes; ++time) RemoveDir(Time("main", time));
    for (int time = 0; time < 2; ++time) RemoveDir(Time("copy", time));
  }
  for (const auto& [what, count] : counts_) std::printf("%s: %d\n", what.c_str(), count);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
