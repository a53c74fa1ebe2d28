// The disk is full for some time: writes report that and reads continue; when there is space again
// a reopen restores everything that was acknowledged.

#include <gtest/gtest.h>

#include <signal.h>
#include <sys/resource.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/history.h"
#include "testing/power_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr size_t kValueSizeMax = 3000;

Options SmallOptions(Env* env) {
  Options options;
  options.env = env;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  return options;
}

// Writes batches of the history until a write fails. Returns the error.
Status WriteUntilItFails(DB* db, History* history) {
  for (int i = 0; i < 5000; ++i) {
    history->Extend();
    WriteBatch batch = history->Batch(history->size());
    const Status status = db->Write(WriteOptions(), &batch);
    if (!status.ok()) {
      return status;
    }
  }
  return Status::OK();
}

TEST(DiskFull, PassesWithoutLoss) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(30); ++round) {
    PowerEnv disk;
    FaultEnv env(&disk);
    History history(dice.Next(), kValueSizeMax);
    for (int time = 0; time < 3; ++time) {
      DB* opened = nullptr;
      ASSERT_OK(DB::Open(SmallOptions(&env), "/db", &opened));
      const std::unique_ptr<DB> db(opened);
      uint64_t count = 0;
      ASSERT_OK(history.Check(db.get(), &count));
      // Every acknowledged batch is present; the one that failed may be.
      ASSERT_GE(count + 1, history.size());
      history.CutTo(count);

      Fault fault;
      fault.call = Call::kAppend;
      fault.at = dice.Between(1, 300);
      fault.lasting = true;
      fault.half_written = dice.OneIn(2);
      fault.text = "No space left on device";
      // All files are on one disk, but the blocks of the log may be allocated already.
      fault.only_names_with = dice.OneIn(3) ? ".ldb" : "";
      env.Inject(fault);
      const Status refused = WriteUntilItFails(db.get(), &history);
      ASSERT_TRUE(Says(refused, "No space left on device"));
      ASSERT_TRUE(refused.IsIOError());
      // Writes fail as long as there is no space, and reads continue.
      ASSERT_FALSE(db->Put(WriteOptions(), "other", std::string(200000, 'v')).ok());
      std::string value;
      ASSERT_OK(history.size() > 1 ? db->Get(ReadOptions(), kProgressKey, &value) : Status::OK());
      env.Heal();
    }
  }
}

// Uses the limit on the size of a file of the real file system: the write that passes it is cut
// short.
TEST(DiskFull, ShortWritesOfTheRealFileSystemPassWithoutLoss) {
  ASSERT_NE(::signal(SIGXFSZ, SIG_IGN), SIG_ERR);
  rlimit usual;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < Scaled(10); ++round) {
    const TempDir dir;
    Options options = SmallOptions(Env::Default());
    options.write_buffer_size = 4 << 20;
    History history(dice.Next(), kValueSizeMax);
    for (int time = 0; time < 2; ++time) {
      DB* opened = nullptr;
      ASSERT_OK(DB::Open(options, dir / "db", &opened));
      const std::unique_ptr<DB> db(opened);
      uint64_t count = 0;
      ASSERT_OK(history.Check(db.get(), &count));
      ASSERT_GE(count + 1, history.size());
      history.CutTo(count);

      rlimit tight = usual;
      tight.rlim_cur = dice.Between(100000, 400000);
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
      const Status refused = WriteUntilItFails(db.get(), &history);
      ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &usual), 0);
      ASSERT_TRUE(Says(refused, "File too large"));
    }
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
