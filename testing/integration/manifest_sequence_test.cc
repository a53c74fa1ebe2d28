// The last sequence number in the manifest is that of the flushed writes: the remaining logs have
// greater ones. goleveldb skips other records.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "db/version/version_edit.h"
#include "entry/batch_cursor.h"
#include "testing/dice.h"
#include "testing/record_file.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"

namespace leveldb {
namespace testkit {
namespace {

class ManifestSequence : public ::testing::TestWithParam<bool> {
 protected:
  // Reads the manifest that CURRENT names.
  void ReadManifest(uint64_t* log_number, uint64_t* last_sequence) const {
    std::string current = ReadFile(path_ + "/CURRENT");
    current.pop_back();
    for (const std::string& record : ReadRecords(path_ + "/" + current)) {
      VersionEdit edit;
      ASSERT_OK(edit.DecodeFrom(record));
      *log_number = edit.log_number().value_or(*log_number);
      *last_sequence = edit.last_sequence().value_or(*last_sequence);
    }
  }

  const TempDir dir_;
  const std::string path_ = dir_ / "db";
};

TEST_P(ManifestSequence, IsThatOfWhatWasFlushed) {
  Dice dice(AnnouncedSeed());
  const std::string seed = std::to_string(dice.Below(1u << 30));
  uint64_t at = 0;
  uint64_t records_in_logs = 0;
  for (int turn = 0; turn < 15; ++turn) {
    const uint64_t next = at + dice.Between(1, 300);
    Arguments words = {path_, "small"};
    if (GetParam()) words.push_back("reuse_logs");
    for (const std::string& word : {std::string("write"), seed, std::to_string(at + 1),
                                    std::to_string(next), std::string("0")}) {
      words.push_back(word);
    }
    if (dice.OneIn(3)) words.push_back("compact");
    if (dice.OneIn(3)) words.push_back("close");
    words.push_back("die");
    const Finished finished = RunDriver(Library::kOurs, words);
    ASSERT_EQ(finished.code, -9) << finished.output;
    at = next;

    uint64_t log_number = 0;
    uint64_t last_sequence = 0;
    ReadManifest(&log_number, &last_sequence);
    for (const std::string& name : FileNamesEnding(path_, ".log")) {
      if (std::stoull(name) < log_number) continue;
      for (const std::string& record : ReadRecords(path_ + "/" + name)) {
        ASSERT_GT(BatchSequence(record), last_sequence) << name;
        records_in_logs++;
      }
    }
  }
  EXPECT_GT(records_in_logs, 0u);
  EXPECT_EQ(RunDriver(Library::kOurs, {path_, "check", seed, std::to_string(at)}).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Logs, ManifestSequence, ::testing::Bool(),
                         [](const auto& tried) { return tried.param ? "Reused" : "Replaced"; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
