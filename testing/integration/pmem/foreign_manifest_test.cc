// A manifest that does not fit the pool, written by a program that does not know the tier: the open
// is refused, and a repair uses nothing from that manifest.

#include <gtest/gtest.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "db/version/version_edit.h"
#include "leveldb/pmem.h"
#include "testing/record_file.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

class ForeignManifest : public ::testing::TestWithParam<bool> {
 protected:
  ForeignManifest() : history_(AnnouncedSeed() % (1u << 30), 1500) {
    EXPECT_OK(store_.Open());
    if (GetParam()) {
      for (int layer = 0; layer < 5; ++layer) {
        EXPECT_OK(store_.Write(&history_, 100));
        store_.Flush();
      }
      store_.db()->CompactRange(nullptr, nullptr);
      EXPECT_OK(store_.Write(&history_, 100));
      store_.Flush();
    }
    EXPECT_OK(store_.Write(&history_, 100));
    store_.Close();
  }

  std::vector<std::string> Manifests() const {
    std::vector<std::string> paths;
    for (const std::string& name : FileNames(store_.path())) {
      if (name.find("MANIFEST") == 0) paths.push_back(store_.path() + "/" + name);
    }
    return paths;
  }

  // Returns the edit of an empty database whose numbers continue.
  static VersionEdit EmptyDatabase() {
    VersionEdit edit;
    edit.SetComparatorName(BytewiseComparator()->Name());
    edit.SetLogNumber(90'000);
    edit.SetNextFile(90'002);
    edit.SetLastSequence(1'000'000);
    return edit;
  }

  void PutManifest(const VersionEdit& edit) {
    for (const std::string& path : Manifests()) std::remove(path.c_str());
    std::vector<std::string> records(1);
    edit.EncodeTo(&records[0]);
    WriteRecords(store_.path() + "/MANIFEST-090001", records);
    WriteFile(store_.path() + "/CURRENT", "MANIFEST-090001\n");
    WriteFile(store_.path() + "/090000.log", "");
  }

  void ExpectRefusedAndRepaired() {
    const Status refused = store_.Open();
    EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
    EXPECT_TRUE(Says(refused, "bushstore repair " + store_.path())) << refused.ToString();
    RepairReport report;
    ASSERT_OK(RepairDBAndReport(store_.path(), store_.options, false, &report));
    EXPECT_FALSE(report.lost_everything);
    EXPECT_GT(report.entries, 0u);
    EXPECT_NE(report.text.find("the manifest was not used: "), std::string::npos) << report.text;
    ASSERT_OK(store_.OpenPlainly());
    ASSERT_OK(store_.CheckAt(history_)) << report.text;
  }

  TierStore store_{kTinyPool};
  History history_;
};

TEST_P(ForeignManifest, KnowsOfNoPool) {
  PutManifest(EmptyDatabase());
  ExpectRefusedAndRepaired();
}

TEST_P(ForeignManifest, NamesAnotherPool) {
  VersionEdit edit = EmptyDatabase();
  TierTag tag;
  tag.pool.bytes.fill(7);
  tag.epoch = 2;
  edit.pmem().SetTier(tag);
  PutManifest(edit);
  const Status refused = store_.Open();
  EXPECT_TRUE(refused.IsCorruption()) << refused.ToString();
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_OK(store_.CheckAt(history_));
}

TEST_P(ForeignManifest, IsOfAnotherTimeThanThePool) {
  for (const uint64_t later : {uint64_t{0}, uint64_t{100}}) {
    SCOPED_TRACE(later);
    store_.Keep("before");
    VersionEdit edit;
    TierTag tag;
    for (const std::string& record : ReadRecords(Manifests().back())) {
      ASSERT_OK(edit.DecodeFrom(record));
      if (edit.pmem().tier().has_value()) tag = *edit.pmem().tier();
    }
    ASSERT_GT(tag.epoch, 0u);
    edit = EmptyDatabase();
    // Consecutive epochs would be what an interrupted open leaves.
    tag.epoch = later > 0 ? tag.epoch + later : 0;
    if (later == 0) {
      ASSERT_OK(store_.Open());
      store_.Close();
    }
    edit.pmem().SetTier(tag);
    PutManifest(edit);
    ExpectRefusedAndRepaired();
    store_.Close();
    store_.BringBack("before");
  }
}

INSTANTIATE_TEST_SUITE_P(With, ForeignManifest, ::testing::Bool(), [](const auto& tried) {
  return tried.param ? "TreesAndTables" : "LogsOnly";
});

}  // namespace
}  // namespace testkit
}  // namespace leveldb
