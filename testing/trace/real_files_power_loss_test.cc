// Traces the system calls of the library's own POSIX Env: after a power cut at any moment, on a
// file system that keeps only what was synced (names only by a sync of the directory), every write
// acknowledged as synced is there.

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/trace/file_trace.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kBatches = 150;
constexpr size_t kValueSizeMax = 2500;

Options SmallOptions(bool reuse_logs) {
  Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.reuse_logs = reuse_logs;
  return options;
}

// Runs two sessions of a history; every batch acknowledged as synced is noted in the trace.
std::vector<FileEvent> Record(const std::string& path, bool reuse_logs, Dice* dice,
                              History* history) {
  std::filesystem::create_directory(path);
  StartFileTrace(path);
  for (int session = 1; session <= 2; ++session) {
    DB* opened = nullptr;
    EXPECT_OK(DB::Open(SmallOptions(reuse_logs), path, &opened));
    const std::unique_ptr<DB> db(opened);
    while (history->size() < kBatches * static_cast<uint64_t>(session) / 2) {
      history->Extend();
      WriteBatch batch = history->Batch(history->size());
      WriteOptions options;
      options.sync = dice->OneIn(10);
      EXPECT_OK(db->Write(options, &batch));
      if (options.sync) {
        NoteInFileTrace(history->size());
      }
    }
  }
  return StopFileTrace();
}

class RealFiles : public ::testing::TestWithParam<bool> {};

TEST_P(RealFiles, SurviveAPowerCutAtAnyMoment) {
  Dice dice(AnnouncedSeed());
  const TempDir dir;
  History history(dice.Next(), kValueSizeMax);
  const std::vector<FileEvent> trace = Record(dir / "db", GetParam(), &dice, &history);
  uint64_t synced = 0;
  int cuts = 0;
  for (size_t events = 0; events <= trace.size(); ++events) {
    if (events > 0 && trace[events - 1].kind == FileEvent::kNote) {
      synced = trace[events - 1].offset;
    }
    // Plain writes change nothing that is durable: check all other events, and a few of those.
    const bool durable_change = events > 0 && trace[events - 1].kind != FileEvent::kWrite;
    if (!durable_change && !dice.OneIn(20)) {
      continue;
    }
    ++cuts;
    const TempDir after;
    MakeDirAfterPowerCut(trace, events, after.path());
    DB* opened = nullptr;
    ASSERT_OK(DB::Open(SmallOptions(GetParam()), after.path(), &opened))
        << "after " << events << " of " << trace.size() << " events";
    const std::unique_ptr<DB> db(opened);
    uint64_t count = 0;
    ASSERT_OK(history.Check(db.get(), &count));
    ASSERT_GE(count, synced) << "after " << events << " of " << trace.size() << " events";
  }
  EXPECT_GT(cuts, 40);
}

// The check is effective: a trace without the directory's syncs must not pass.
TEST_P(RealFiles, WouldNotSurviveWithoutSyncsOfTheDirectory) {
  Dice dice(AnnouncedSeed());
  const TempDir dir;
  History history(dice.Next(), kValueSizeMax);
  std::vector<FileEvent> trace = Record(dir / "db", GetParam(), &dice, &history);
  // The first sync of the directory stays, or there would be no database to check.
  bool first = true;
  int taken = 0;
  for (FileEvent& event : trace) {
    if (event.kind == FileEvent::kSyncDir && !first) {
      event.kind = FileEvent::kNote;
      event.offset = 0;
      ++taken;
    }
    first = first && event.kind != FileEvent::kSyncDir;
  }
  ASSERT_GT(taken, 0);
  const TempDir after;
  MakeDirAfterPowerCut(trace, trace.size(), after.path());
  Options options = SmallOptions(GetParam());
  DB* opened = nullptr;
  const Status status = DB::Open(options, after.path(), &opened);
  const std::unique_ptr<DB> db(opened);
  uint64_t count = 0;
  EXPECT_TRUE(!status.ok() || !history.Check(db.get(), &count).ok() || count == 0);
}

INSTANTIATE_TEST_SUITE_P(With, RealFiles, ::testing::Bool(), [](const auto& reuse_logs) {
  return reuse_logs.param ? "ReusedLogs" : "Defaults";
});

}  // namespace
}  // namespace testkit
}  // namespace leveldb
