#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "testing/fault_env.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

void MakeDatabase(const std::string& path, Env* env = Env::Default()) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  for (int session = 0; session < 2; session++) {
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(options, path, &opened));
    const std::unique_ptr<DB> db(opened);
    for (int i = 0; i < 100; i++) {
      ASSERT_OK(db->Put(WriteOptions(), std::to_string(i), std::string(100, 'v')));
    }
    db->CompactRange(nullptr, nullptr);
  }
}

TEST(DestroyTest, RemovesWhatARepairHasSetAside) {
  const testkit::TempDir dir;
  MakeDatabase(dir / "db");
  ASSERT_OK(RepairDB(dir / "db", Options()));
  ASSERT_FALSE(testkit::FileNames(dir / "db/lost").empty());
  ASSERT_OK(DestroyDB(dir / "db", Options()));
  EXPECT_FALSE(Env::Default()->FileExists(dir / "db"));
}

TEST(DestroyTest, LeavesForeignFilesInLost) {
  const testkit::TempDir dir;
  MakeDatabase(dir / "db");
  ASSERT_OK(RepairDB(dir / "db", Options()));
  testkit::WriteFile(dir / "db/lost/notes.txt", "mine");
  ASSERT_OK(DestroyDB(dir / "db", Options()));
  EXPECT_EQ(testkit::FileNames(dir / "db/lost"), std::vector<std::string>{"notes.txt"});
  EXPECT_TRUE(testkit::FileNames(dir / "db").empty());
}

TEST(DestroyTest, EmptyDirectoryAndRepetition) {
  const testkit::TempDir dir;
  ASSERT_OK(Env::Default()->CreateDir(dir / "db"));
  EXPECT_OK(DestroyDB(dir / "db", Options()));
  EXPECT_FALSE(Env::Default()->FileExists(dir / "db"));
  EXPECT_OK(DestroyDB(dir / "db", Options()));
}

TEST(DestroyTest, AFileIsNoDatabase) {
  const testkit::TempDir dir;
  testkit::WriteFile(dir / "db", "mine");
  EXPECT_FALSE(DestroyDB(dir / "db", Options()).ok());
  EXPECT_EQ(testkit::ReadFile(dir / "db"), "mine");
}

TEST(DestroyTest, InMemory) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  MakeDatabase("/db", env.get());
  Options options;
  options.env = env.get();
  ASSERT_OK(DestroyDB("/db", options));
  std::vector<std::string> children;
  ASSERT_OK(env->GetChildren("/db", &children));
  EXPECT_TRUE(children.empty());
}

// Wherever DestroyDB stops, an open fails and does not mistake the rest for an empty directory, and
// a second call completes the removal.
TEST(DestroyTest, AfterAFailureTheRestIsNoDatabaseAndCanBeDestroyed) {
  testkit::FaultEnv env(Env::Default());
  Options options;
  options.env = &env;
  options.create_if_missing = true;
  bool destroyed = false;
  for (uint64_t at = 1; !destroyed; at++) {
    const testkit::TempDir dir;
    MakeDatabase(dir / "db");
    testkit::Fault fault;
    fault.call = testkit::Call::kRemove;
    fault.at = at;
    fault.lasting = true;
    env.Inject(fault);
    const Status status = DestroyDB(dir / "db", options);
    destroyed = env.failures() == 0;
    env.Heal();
    ASSERT_EQ(status.ok(), destroyed);
    if (destroyed) break;
    ASSERT_TRUE(testkit::Says(status, "Input/output error"));
    const std::vector<std::string> rest = testkit::FileNames(dir / "db");
    if (at > 1 && rest != std::vector<std::string>{"LOCK"}) {
      DB* db = nullptr;
      ASSERT_FALSE(DB::Open(options, dir / "db", &db).ok()) << at;
    }
    ASSERT_OK(DestroyDB(dir / "db", options));
    ASSERT_FALSE(Env::Default()->FileExists(dir / "db"));
    ASSERT_LT(at, 100u);
  }
}

TEST(DestroyTest, OtherErrorsSurface) {
  testkit::FaultEnv env(Env::Default());
  Options options;
  options.env = &env;
  const testkit::TempDir dir;
  MakeDatabase(dir / "db");
  for (const testkit::Call call : {testkit::Call::kList, testkit::Call::kLock}) {
    testkit::Fault fault;
    fault.call = call;
    env.Inject(fault);
    EXPECT_FALSE(DestroyDB(dir / "db", options).ok()) << testkit::CallName(call);
    env.Heal();
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(Options(), dir / "db", &opened));  // it is all there
    delete opened;
  }
}

}  // namespace
}  // namespace leveldb
