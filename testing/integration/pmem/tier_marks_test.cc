// The marks of the tier in manifests: those of older builds can be read, and no implementation of
// LevelDB can mistake a mark for something that it knows.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "db/version/version_edit.h"
#include "testing/record_file.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/test_programs.h"
#include "testing/tier_store.h"
#include "util/coding.h"

namespace leveldb {
namespace testkit {
namespace {

class TierMarks : public ::testing::Test {
 protected:
  TierMarks() : history_(AnnouncedSeed() % (1u << 30), 1500) {
    EXPECT_OK(store_.Open());
    for (int layer = 0; layer < 3; ++layer) {
      EXPECT_OK(store_.Write(&history_, 100));
      store_.Flush();
    }
    EXPECT_OK(store_.Write(&history_, 30));
    store_.Close();
  }

  std::string ManifestPath() const {
    std::string current = ReadFile(store_.path() + "/CURRENT");
    current.pop_back();
    return store_.path() + "/" + current;
  }

  TierStore store_{kTinyPool};
  History history_;
};

// Reads manifests of a database with a tier, and compares them with their text form.
TEST(TierMark, GoldenManifestsAreRead) {
  for (const std::string name : {"old-mark", "new-mark"}) {
    SCOPED_TRACE(name);
    std::string text;
    for (const std::string& record : ReadRecords(TestData("golden/tier/" + name + ".manifest"))) {
      VersionEdit edit;
      ASSERT_OK(edit.DecodeFrom(record));
      text += edit.DebugString() + "\n";
    }
    EXPECT_EQ(text, ReadFile(TestData("golden/tier/" + name + ".txt")));
  }
}

TEST_F(TierMarks, OfOlderBuildsAreReadAndReplaced) {
  std::vector<std::string> records = ReadRecords(ManifestPath());
  size_t marks = 0;
  for (std::string& record : records) {
    VersionEdit edit;
    ASSERT_OK(edit.DecodeFrom(record));
    const PmemEdit pmem = edit.pmem();
    edit.pmem() = PmemEdit();
    std::string older;
    edit.EncodeTo(&older);
    const size_t size = older.size();
    pmem.EncodeFieldsTo(&older);
    marks += older.size() > size ? 1 : 0;
    record = older;
  }
  ASSERT_GT(marks, 0u);
  WriteRecords(ManifestPath(), records);
  if (HaveStockLibrary()) {
    EXPECT_EQ(RunDriver(Library::kStock, {store_.path(), "where"}).code, 1);
  }
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.CheckAt(history_));
  ASSERT_OK(store_.Check());
  EXPECT_NE(ReadFile(ManifestPath()).find("bushstore.tier\xff"), std::string::npos);
}

// Reads the manifest like an implementation that knows only LevelDB's fields.
TEST_F(TierMarks, HaveNoTagsThatLevelDbDoesNotKnow) {
  std::string last_comparator;
  for (const std::string& record : ReadRecords(ManifestPath())) {
    SliceReader reader(record);
    while (!reader.empty()) {
      uint32_t tag = 0;
      uint32_t level = 0;
      uint64_t number = 0;
      Slice bytes;
      ASSERT_TRUE(reader.ReadVarint32(&tag));
      switch (tag) {
        case 1:
          ASSERT_TRUE(reader.ReadLengthPrefixed(&bytes));
          last_comparator = bytes.ToString();
          break;
        case 2:
        case 3:
        case 4:
        case 9:
          ASSERT_TRUE(reader.ReadVarint64(&number));
          break;
        case 5:
          ASSERT_TRUE(reader.ReadVarint32(&level) && reader.ReadLengthPrefixed(&bytes));
          break;
        case 6:
          ASSERT_TRUE(reader.ReadVarint32(&level) && reader.ReadVarint64(&number));
          break;
        case 7:
          ASSERT_TRUE(reader.ReadVarint32(&level) && reader.ReadVarint64(&number) &&
                      reader.ReadVarint64(&number) && reader.ReadLengthPrefixed(&bytes) &&
                      reader.ReadLengthPrefixed(&bytes));
          break;
        default:
          FAIL() << "tag " << tag;
      }
    }
  }
  EXPECT_EQ(last_comparator.find("BushStore with data in persistent memory"), 0u);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
