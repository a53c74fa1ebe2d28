// Tests RepairDB when calls fail, when it is stopped in the middle, and on random and malicious
// bytes.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/open/repair_test.h"
#include "db/version/version_edit.h"
#include "entry/internal_key.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/record_file.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Contents;
using testkit::FileNamesEnding;

class RepairFailuresTest : public RepairTest {};

// An Env that stops at a certain change, like a machine that fails: later changes have no effect.
class StoppingEnv final : public EnvWrapper {
 public:
  explicit StoppingEnv(Env* target) : EnvWrapper(target) {}

  void StopAt(int change) {
    changes_left_ = change;
    has_stopped_ = false;
  }
  bool has_stopped() const { return has_stopped_; }

  Status NewWritableFile(const std::string& name, WritableFile** result) override {
    *result = nullptr;
    if (Stops()) return Stopped(name);
    WritableFile* file = nullptr;
    const Status status = target()->NewWritableFile(name, &file);
    if (status.ok()) *result = new File(this, file);
    return status;
  }
  Status RemoveFile(const std::string& name) override {
    return Stops() ? Stopped(name) : target()->RemoveFile(name);
  }
  Status RenameFile(const std::string& source, const std::string& name) override {
    return Stops() ? Stopped(name) : target()->RenameFile(source, name);
  }
  Status CreateDir(const std::string& name) override {
    return Stops() ? Stopped(name) : target()->CreateDir(name);
  }

 private:
  class File final : public WritableFile {
   public:
    File(StoppingEnv* env, WritableFile* target) : env_(env), target_(target) {}

    Status Append(const Slice& data) override {
      if (!env_->Stops()) return target_->Append(data);
      // Half of the data was written.
      static_cast<void>(target_->Append(Slice(data.data(), data.size() / 2)));
      return Stopped("Append");
    }
    Status Close() override { return target_->Close(); }
    Status Flush() override { return target_->Flush(); }
    Status Sync() override { return env_->Stops() ? Stopped("Sync") : target_->Sync(); }

   private:
    StoppingEnv* const env_;
    const std::unique_ptr<WritableFile> target_;
  };

  bool Stops() {
    if (changes_left_ > 0) changes_left_--;
    has_stopped_ = has_stopped_ || changes_left_ == 0;
    return has_stopped_;
  }
  static Status Stopped(const std::string& where) { return Status::IOError(where, "stopped"); }

  int changes_left_ = 1 << 30;
  bool has_stopped_ = false;
};

class StoppedRepairTest : public RepairTest, public ::testing::WithParamInterface<const char*> {};

// The parameter is the file that is missing from the start.
TEST_P(StoppedRepairTest, CanBeRunAgain) {
  StoppingEnv env(Env::Default());
  MakeDatabase();
  Remove(GetParam());
  // A flipped bit, so that there is a file to set aside, and the result of an undisturbed run.
  const std::string table = FileNamesEnding(path_, ".ldb")[0];
  std::string bytes = testkit::ReadFile(path_ + "/" + table);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
  testkit::WriteFile(path_ + "/" + table, bytes);
  testkit::CopyDir(path_, dir_ / "original");
  const Contents expected = RepairAndRead();
  ASSERT_FALSE(expected.empty());

  int stops = 0;
  while (true) {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
    options_.env = &env;
    env.StopAt(++stops);
    const Status status = RepairDB(path_, options_);
    const bool has_stopped = env.has_stopped();
    options_.env = Env::Default();
    if (!has_stopped) {
      ASSERT_OK(status);
      break;
    }
    ASSERT_EQ(RepairAndRead(), expected) << "stopped at change " << stops;
  }
  EXPECT_GT(stops, 10);
  EXPECT_EQ(Read(), expected);
}

INSTANTIATE_TEST_SUITE_P(Without, StoppedRepairTest,
                         ::testing::Values("MANIFEST", "CURRENT", "no file at all"),
                         [](const auto& missing) {
                           const std::string name = missing.param;
                           return name == "no file at all" ? "NoFile" : name;
                         });

// After a call has failed, the directory is either unchanged or repaired.
TEST_F(RepairFailuresTest, FailingCallsSurfaceAndLoseNothing) {
  const Contents before = MakeDatabase();
  Remove("MANIFEST");
  testkit::CopyDir(path_, dir_ / "original");
  for (const testkit::Call call :
       {testkit::Call::kCreate, testkit::Call::kAppend, testkit::Call::kSync, testkit::Call::kClose,
        testkit::Call::kOpenToRead, testkit::Call::kRead, testkit::Call::kRename,
        testkit::Call::kRemove, testkit::Call::kList, testkit::Call::kSize, testkit::Call::kLock}) {
    for (uint64_t at = 1; at < 60; at += 1 + at / 4) {
      testkit::RemoveDir(path_);
      testkit::CopyDir(dir_ / "original", path_);
      testkit::FaultEnv env(Env::Default());
      testkit::Fault fault;
      fault.call = call;
      fault.at = at;
      fault.half_written = true;
      env.Inject(fault);
      options_.env = &env;
      static_cast<void>(RepairDB(path_, options_));
      options_.env = Env::Default();
      ASSERT_EQ(RepairAndRead(), before) << testkit::CallName(call) << " " << at;
    }
  }
}

// A random file is damaged at random. No wrong data may be returned, and the data of the other
// files must be.
TEST_F(RepairFailuresTest, RandomDamage) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  const Contents before = MakeDatabase();
  testkit::CopyDir(path_, dir_ / "original");
  for (int round = 0; round < testkit::Scaled(60); round++) {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
    const std::vector<std::string> names = testkit::FileNames(path_);
    const std::string victim = names[dice.Below(names.size())];
    std::string bytes = testkit::ReadFile(path_ + "/" + victim);
    if (bytes.empty()) continue;
    const size_t place = dice.Below(bytes.size());
    if (dice.OneIn(3)) {
      bytes.resize(place);
    } else {
      bytes[place] = static_cast<char>(bytes[place] ^ (1 << dice.Below(8)));
    }
    testkit::WriteFile(path_ + "/" + victim, bytes);
    SCOPED_TRACE(victim + " at " + std::to_string(place));
    const Contents after = RepairAndRead();
    const bool holds_data =
        victim.find(".ldb") != std::string::npos || victim.find(".log") != std::string::npos;
    if (!holds_data) {
      ASSERT_EQ(after, before);
    }
    ASSERT_EQ(RepairAndRead(), after);
    ASSERT_FALSE(HasFailure());
  }
}

// Edits that were manipulated and then given correct checksums.
TEST_F(RepairFailuresTest, MalformedEditsUnderGoodChecksums) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  MakeDatabase();
  const std::string manifest = ManifestPath();
  const std::vector<std::string> records = testkit::ReadRecords(manifest);
  testkit::CopyDir(path_, dir_ / "original");
  for (int round = 0; round < testkit::Scaled(100); round++) {
    testkit::RemoveDir(path_);
    testkit::CopyDir(dir_ / "original", path_);
    std::vector<std::string> tampered = records;
    for (uint64_t wounds = dice.Between(1, 4); wounds > 0; wounds--) {
      std::string& record = tampered[dice.Below(tampered.size())];
      if (!record.empty()) record[dice.Below(record.size())] = static_cast<char>(dice.Next());
    }
    WriteLog(manifest.substr(path_.size() + 1), tampered);
    const Status status = RepairDB(path_, options_);
    if (!status.ok()) {
      // The name of the comparator was changed.
      ASSERT_TRUE(status.IsInvalidArgument()) << status.ToString();
      continue;
    }
    create_ = false;
    Read();
    ASSERT_FALSE(HasFailure());
  }
}

// Such a manifest has correct checksums and names every file that exists.
TEST_F(RepairFailuresTest, AManifestThatPutsNewerTablesDeeperIsNotFollowed) {
  MakeDirectory();
  WriteTable("000004.ldb", {{"a", 9, kPut, "new"}, {"b", 8, kPut, "new"}});
  WriteTable("000005.ldb", {{"a", 1, kPut, "old"}, {"c", 10, kPut, "only"}});
  WriteLog("000006.log", {});
  VersionEdit edit;
  edit.SetComparatorName(options_.comparator->Name());
  edit.SetLogNumber(6);
  edit.SetNextFile(7);
  edit.SetLastSequence(10);
  for (const auto& [level, number] : {std::pair(2, 4), std::pair(1, 5)}) {
    edit.AddFile(level, number, 100, InternalKey("a", 9, kTypeValue),
                 InternalKey("c", 1, kTypeValue));
  }
  std::string record;
  edit.EncodeTo(&record);
  WriteLog("MANIFEST-000003", {record});
  testkit::WriteFile(path_ + "/CURRENT", "MANIFEST-000003\n");
  ASSERT_EQ(Doubt(), "");
  EXPECT_EQ(RepairAndRead(), (Contents{{"a", "new"}, {"b", "new"}, {"c", "only"}}));
}

}  // namespace
}  // namespace leveldb
