#include <memory>

#include "db/files/filename.h"
#include "db/version/manifest_reader.h"
#include "db/version/manifest_writer.h"
#include "db/version/version_edit.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

constexpr char kComparatorName[] = "leveldb.BytewiseComparator";

class ManifestTest : public testing::Test {
 protected:
  ManifestTest() : env_(NewMemEnv(Env::Default())) { EXPECT_TRUE(env_->CreateDir("/d").ok()); }

  static VersionEdit FirstEdit() {
    VersionEdit edit;
    edit.SetComparatorName(kComparatorName);
    edit.SetLogNumber(3);
    edit.SetNextFile(4);
    edit.SetLastSequence(5);
    return edit;
  }

  static std::string Encoded(const VersionEdit& edit) {
    std::string record;
    edit.EncodeTo(&record);
    return record;
  }

  void WriteManifest(const std::vector<std::string>& records) {
    std::unique_ptr<ManifestWriter> writer;
    ASSERT_TRUE(ManifestWriter::Create(env_.get(), "/d", 7, &writer).ok());
    for (const std::string& record : records) ASSERT_TRUE(writer->Add(record).ok());
    ASSERT_TRUE(writer->Sync().ok());
    ASSERT_TRUE(writer->Close().ok());
  }

  std::string ManifestBytes() {
    std::string bytes;
    EXPECT_TRUE(ReadFileToString(env_.get(), ManifestFileName("/d", 7), &bytes).ok());
    return bytes;
  }

  void SetManifestBytes(const std::string& bytes) {
    ASSERT_TRUE(WriteStringToFile(env_.get(), bytes, ManifestFileName("/d", 7)).ok());
  }

  Status Read(ManifestSummary* summary, VersionPtr* version) {
    VersionBuilder builder(&comparator_, VersionPtr(new Version(&comparator_)));
    Status status =
        ReadManifest(env_.get(), "/d", "MANIFEST-000007", kComparatorName, &builder, summary);
    if (status.ok()) status = builder.Build(version);
    return status;
  }

  std::string ReadError() {
    ManifestSummary summary;
    VersionPtr version;
    return Read(&summary, &version).ToString();
  }

  // Writes a manifest of many edits that each add a file.
  void WriteLongManifest(int edits) {
    std::vector<std::string> records = {Encoded(FirstEdit())};
    for (int i = 0; i < edits; i++) {
      const std::string user_key = "key " + std::to_string(100000 + i) + std::string(300, 'x');
      VersionEdit edit;
      edit.SetNextFile(static_cast<uint64_t>(100 + i));
      edit.AddFile(1, static_cast<uint64_t>(100 + i), 1000, ParseKey(user_key), ParseKey(user_key));
      records.push_back(Encoded(edit));
    }
    WriteManifest(records);
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  const std::unique_ptr<Env> env_;
};

TEST_F(ManifestTest, CollectsWhatTheEditsSay) {
  VersionEdit second = ParseFiles("L0: 10[a..b]\nL1: 11[a..b]");
  second.SetCompactPointer(1, ParseKey("m"));
  second.SetLogNumber(8);
  second.SetPrevLogNumber(6);
  VersionEdit third;
  third.RemoveFile(0, 10);
  third.SetNextFile(12);
  third.SetLastSequence(99);
  third.SetCompactPointer(1, ParseKey("n"));
  WriteManifest({Encoded(FirstEdit()), Encoded(second), Encoded(third)});

  ManifestSummary summary;
  VersionPtr version;
  ASSERT_TRUE(Read(&summary, &version).ok());
  EXPECT_EQ(8u, summary.log_number);
  EXPECT_EQ(6u, summary.prev_log_number);
  EXPECT_EQ(12u, summary.next_file_number);
  EXPECT_EQ(99u, summary.last_sequence);
  EXPECT_EQ(ParseKey("n").Encode().ToString(), summary.compact_pointers[1]);
  EXPECT_EQ("", summary.compact_pointers[0]);
  EXPECT_EQ(3u, summary.edits);
  EXPECT_FALSE(summary.tail_is_damaged);
  EXPECT_EQ(ManifestBytes().size(), summary.valid_bytes);
  EXPECT_EQ(0, version->num_files(0));
  EXPECT_EQ(1, version->num_files(1));
}

TEST_F(ManifestTest, ContinuesAFile) {
  WriteManifest({Encoded(FirstEdit())});
  uint64_t size = ManifestBytes().size();
  for (int i = 0; i < 3; i++) {
    std::unique_ptr<ManifestWriter> writer;
    ASSERT_TRUE(ManifestWriter::Continue(env_.get(), "/d", 7, size, &writer).ok());
    VersionEdit edit;
    edit.SetLastSequence(100 + static_cast<uint64_t>(i));
    edit.SetComparatorName(kComparatorName);
    for (uint64_t n = 1; n < 400; n++) edit.AddFile(0, n, 1, ParseKey("a"), ParseKey("b"));
    ASSERT_TRUE(writer->Add(Encoded(edit)).ok());
    ASSERT_TRUE(writer->Close().ok());
    size = ManifestBytes().size();
  }
  ManifestSummary summary;
  VersionPtr version;
  ASSERT_TRUE(Read(&summary, &version).ok());
  EXPECT_EQ(4u, summary.edits);
  EXPECT_EQ(102u, summary.last_sequence);
}

TEST_F(ManifestTest, IncompleteManifestsAreCorrupt) {
  VersionEdit edit;
  edit.SetComparatorName(kComparatorName);
  WriteManifest({Encoded(edit)});
  EXPECT_NE(std::string::npos, ReadError().find("next file number"));
  edit.SetNextFile(4);
  WriteManifest({Encoded(edit)});
  EXPECT_NE(std::string::npos, ReadError().find("log number"));
  edit.SetLogNumber(3);
  WriteManifest({Encoded(edit)});
  EXPECT_NE(std::string::npos, ReadError().find("last sequence"));
  edit.SetLastSequence(1);
  WriteManifest({Encoded(edit)});
  EXPECT_EQ("OK", ReadError());
  WriteManifest({});
  EXPECT_NE(std::string::npos, ReadError().find("Corruption: /d/MANIFEST-000007"));
}

TEST_F(ManifestTest, AnotherComparatorIsRefused) {
  VersionEdit edit = FirstEdit();
  edit.SetComparatorName("test.Reverse");
  WriteManifest({Encoded(edit)});
  EXPECT_EQ(
      "Invalid argument: test.Reverse does not match existing comparator : "
      "leveldb.BytewiseComparator",
      ReadError());
}

TEST_F(ManifestTest, AMissingFileIsCorruption) {
  const std::string error = ReadError();
  EXPECT_EQ(0u, error.find("Corruption: /d/MANIFEST-")) << error;
  EXPECT_NE(std::string::npos, error.find("CURRENT names a manifest that does not exist")) << error;
}

TEST_F(ManifestTest, ARecordThatIsNoEditIsCorruption) {
  WriteManifest({Encoded(FirstEdit()), std::string("\x2a", 1)});
  const std::string error = ReadError();
  EXPECT_NE(std::string::npos, error.find("Corruption: /d/MANIFEST-000007"));
  EXPECT_NE(std::string::npos, error.find("unknown tag: 42"));
}

TEST_F(ManifestTest, ATornEndIsNoError) {
  WriteLongManifest(20);
  const std::string whole = ManifestBytes();
  for (size_t cut = 1; cut < 300; cut += 7) {
    SetManifestBytes(whole.substr(0, whole.size() - cut));
    ManifestSummary summary;
    VersionPtr version;
    const Status status = Read(&summary, &version);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(summary.tail_is_damaged);
    EXPECT_EQ(20u, summary.edits);
    EXPECT_EQ(19, version->num_files(1));
    EXPECT_LT(summary.valid_bytes, whole.size() - cut);
  }
}

TEST_F(ManifestTest, AnEndFullOfGarbageIsNoError) {
  WriteLongManifest(20);
  const std::string whole = ManifestBytes();
  Random random(11);
  for (int i = 0; i < 50; i++) {
    std::string garbage;
    for (uint64_t n = 1 + random.Uniform(2000); n > 0; n--) {
      garbage.push_back(static_cast<char>(1 + random.Uniform(255)));
    }
    SetManifestBytes(whole + garbage);
    ManifestSummary summary;
    VersionPtr version;
    const Status status = Read(&summary, &version);
    ASSERT_TRUE(status.ok()) << status.ToString();
    EXPECT_TRUE(summary.tail_is_damaged);
    EXPECT_EQ(whole.size(), summary.valid_bytes);
    EXPECT_EQ(20, version->num_files(1));
  }
}

TEST_F(ManifestTest, DamageBeforeSoundRecordsIsCorruption) {
  WriteLongManifest(300);
  std::string bytes = ManifestBytes();
  ASSERT_GT(bytes.size(), 100000u);
  bytes[50000] ^= 1;
  SetManifestBytes(bytes);
  EXPECT_NE(std::string::npos, ReadError().find("Corruption: /d/MANIFEST-000007"));
}

TEST_F(ManifestTest, DamageAnywhereNeverCrashes) {
  const uint64_t seed = static_cast<uint64_t>(testing::UnitTest::GetInstance()->random_seed());
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  WriteLongManifest(150);
  const std::string whole = ManifestBytes();
  for (int i = 0; i < 300; i++) {
    std::string bytes = whole;
    for (uint64_t flips = 1 + random.Uniform(3); flips > 0; flips--) {
      bytes[random.Uniform(bytes.size())] = static_cast<char>(random.Uniform(256));
    }
    if (random.OneIn(3)) bytes.resize(random.Uniform(bytes.size()));
    SetManifestBytes(bytes);
    ManifestSummary summary;
    VersionPtr version;
    const Status status = Read(&summary, &version);
    ASSERT_TRUE(status.ok() || status.IsCorruption()) << status.ToString();
  }
}

TEST_F(ManifestTest, CurrentNamesTheManifest) {
  std::string name;
  uint64_t number = 0;
  ASSERT_TRUE(SetCurrentFile(env_.get(), "/d", 7).ok());
  ASSERT_TRUE(ReadCurrentFile(env_.get(), "/d", &name, &number).ok());
  EXPECT_EQ("MANIFEST-000007", name);
  EXPECT_EQ(7u, number);
}

TEST_F(ManifestTest, ADamagedCurrentIsCorruption) {
  std::string name;
  uint64_t number = 0;
  EXPECT_FALSE(ReadCurrentFile(env_.get(), "/d", &name, &number).ok());
  const struct {
    const char* contents;
    const char* held;  // as the message shows it
  } kCases[] = {
      {"", ""},
      {"\n", "\\x0a"},
      {"\r\n", "\\x0d\\x0a"},
      {"../MANIFEST-000007\n", "../MANIFEST-000007\\x0a"},
      {"MANIFEST-000007\n\n", "MANIFEST-000007\\x0a\\x0a"},
      {"MANIFEST-000007\n\r", "MANIFEST-000007\\x0a\\x0d"},
      {"MANIFEST-000007 \n", "MANIFEST-000007 \\x0a"},
      {"000007.log\n", "000007.log\\x0a"},
      {"<<<<<<< HEAD\nMANIFEST-000007\n=======\nMANIFEST-000008\n>>>>>>> 1234abc\n",
       "<<<<<<< HEAD\\x0aMANIFEST-000007\\x0a=======\\x0aMANIFEST-00000..."},
  };
  for (const auto& c : kCases) {
    ASSERT_TRUE(WriteStringToFile(env_.get(), c.contents, "/d/CURRENT").ok());
    EXPECT_EQ(std::string("Corruption: /d/CURRENT: it has to name a manifest, and holds \"") +
                  c.held +
                  "\"; write the name of the newest MANIFEST file to it, or save what is in the "
                  "other files by RepairDB (`bushstore repair /d`)",
              ReadCurrentFile(env_.get(), "/d", &name, &number).ToString());
  }
}

TEST_F(ManifestTest, TheRemedyIsNamedOnce) {
  const std::string name = "/to_repair/db";
  const Status status = WithRemedy(name, Status::Corruption(name + "/000005.ldb", "is missing"));
  EXPECT_NE(std::string::npos, status.ToString().find(HowToRepair(name))) << status.ToString();
  EXPECT_EQ(status.ToString(), WithRemedy(name, status).ToString());
}

TEST_F(ManifestTest, ALineOfCurrentMayEndAsOnOtherSystems) {
  for (const char* const contents :
       {"MANIFEST-000007\n", "MANIFEST-000007\r\n", "MANIFEST-000007", "MANIFEST-000007\r"}) {
    std::string name;
    uint64_t number = 0;
    ASSERT_TRUE(WriteStringToFile(env_.get(), contents, "/d/CURRENT").ok());
    ASSERT_TRUE(ReadCurrentFile(env_.get(), "/d", &name, &number).ok()) << contents;
    EXPECT_EQ("MANIFEST-000007", name);
    EXPECT_EQ(7u, number);
  }
}

// The comparator of db3, one of the databases that LevelDB 1.23 has written.
class ReverseComparator : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override { return b.compare(a); }
  const char* Name() const override { return "test.Reverse"; }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {}
  void FindShortSuccessor(std::string* key) const override {}
};

class GoldenManifestTest : public testing::Test {
 protected:
  static Status Read(const std::string& db, const Comparator* user_comparator,
                     ManifestSummary* summary, std::string* files) {
    const std::string dbname = std::string(BUSHSTORE_GOLDEN) + "/" + db;
    const InternalKeyComparator comparator(user_comparator);
    std::string name;
    uint64_t number = 0;
    Status status = ReadCurrentFile(Env::Default(), dbname, &name, &number);
    if (!status.ok()) return status;
    VersionBuilder builder(&comparator, VersionPtr(new Version(&comparator)));
    status = ReadManifest(Env::Default(), dbname, name, user_comparator->Name(), &builder, summary);
    if (!status.ok()) return status;
    VersionPtr version;
    status = builder.Build(&version);
    if (!status.ok()) return status;
    for (int level = 0; level < kNumLevels; level++) {
      for (const FileMetaPtr& file : version->files(level)) {
        *files += std::to_string(level) + ":" + std::to_string(file->number) + " ";
        uint64_t size = 0;
        EXPECT_TRUE(Env::Default()->GetFileSize(TableFileName(dbname, file->number), &size).ok());
        EXPECT_EQ(size, file->size);
      }
    }
    return status;
  }
};

TEST_F(GoldenManifestTest, SeveralLevels) {
  ManifestSummary summary;
  std::string files;
  const Status status = Read("db0", BytewiseComparator(), &summary, &files);
  ASSERT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ("0:20 0:18 1:16 2:5 ", files);
  EXPECT_EQ(19u, summary.log_number);
  EXPECT_EQ(21u, summary.next_file_number);
  EXPECT_FALSE(summary.tail_is_damaged);
}

TEST_F(GoldenManifestTest, OneTable) {
  ManifestSummary summary;
  std::string files;
  ASSERT_TRUE(Read("db1", BytewiseComparator(), &summary, &files).ok());
  EXPECT_EQ("2:22 ", files);
}

TEST_F(GoldenManifestTest, OnlyALog) {
  ManifestSummary summary;
  std::string files;
  ASSERT_TRUE(Read("db2", BytewiseComparator(), &summary, &files).ok());
  EXPECT_EQ("", files);
  EXPECT_EQ(3u, summary.log_number);
  EXPECT_EQ(4u, summary.next_file_number);
}

TEST_F(GoldenManifestTest, AnotherComparator) {
  const ReverseComparator reverse;
  ManifestSummary summary;
  std::string files;
  ASSERT_TRUE(Read("db3", &reverse, &summary, &files).ok());
  EXPECT_NE("", files);
  const Status status = Read("db3", BytewiseComparator(), &summary, &files);
  EXPECT_TRUE(status.IsInvalidArgument()) << status.ToString();
}

}  // namespace
}  // namespace leveldb
