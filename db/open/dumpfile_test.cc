#include "leveldb/dumpfile.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/write_batch.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

class TextFile final : public WritableFile {
 public:
  Status Append(const Slice& data) override {
    if (is_full) return Status::IOError("the text file", "is full");
    text.append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override { return Status::OK(); }

  std::string text;
  bool is_full = false;
};

class DumpFileTest : public ::testing::Test {
 protected:
  // Creates a database with a table and a log.
  DumpFileTest() {
    Options options;
    options.create_if_missing = true;
    DB* opened = nullptr;
    EXPECT_OK(DB::Open(options, path_, &opened));
    const std::unique_ptr<DB> db(opened);
    EXPECT_OK(db->Put(WriteOptions(), "in table", "one"));
    EXPECT_OK(db->Delete(WriteOptions(), "deleted"));
    EXPECT_OK(db->Put(WriteOptions(), Slice("a\0b\xff", 4), "\n"));
    db->CompactRange(nullptr, nullptr);
    WriteBatch batch;
    batch.Put("in log", "two");
    batch.Delete("in table");
    EXPECT_OK(db->Write(WriteOptions(), &batch));
    EXPECT_OK(db->Put(WriteOptions(), "last", "three"));
  }

  std::string NameEnding(const std::string& suffix) {
    const std::vector<std::string> names = testkit::FileNamesEnding(path_, suffix);
    EXPECT_FALSE(names.empty());
    return path_ + "/" + names.back();
  }

  std::string ManifestName() {
    std::string current = testkit::ReadFile(path_ + "/CURRENT");
    current.pop_back();
    return path_ + "/" + current;
  }

  static std::string Dump(const std::string& name) {
    TextFile text;
    EXPECT_OK(DumpFile(Env::Default(), name, &text));
    EXPECT_FALSE(text.text.empty());
    EXPECT_EQ(text.text.back(), '\n');
    return text.text;
  }

  const testkit::TempDir dir_;
  const std::string path_ = dir_ / "db";
};

TEST_F(DumpFileTest, Table) {
  EXPECT_EQ(Dump(NameEnding(".ldb")),
            "'a\\x00b\\xff' @ 3 : val => '\\x0a'\n"
            "'deleted' @ 2 : del\n"
            "'in table' @ 1 : val => 'one'\n");
}

TEST_F(DumpFileTest, Log) {
  EXPECT_EQ(Dump(NameEnding(".log")),
            "--- offset 0; sequence 4; 2 entries\n"
            "'in log' @ 4 : val => 'two'\n"
            "'in table' @ 5 : del\n"
            "--- offset 41; sequence 6; 1 entries\n"
            "'last' @ 6 : val => 'three'\n");
}

TEST_F(DumpFileTest, Manifest) {
  const std::string text = Dump(ManifestName());
  EXPECT_EQ(text.find("--- offset 0\n"), 0u) << text;
  EXPECT_NE(text.find("leveldb.BytewiseComparator"), std::string::npos) << text;
  EXPECT_NE(text.find("new file"), std::string::npos) << text;
  EXPECT_NE(text.find("'in table'"), std::string::npos) << text;
}

TEST_F(DumpFileTest, GoesOnBehindDamage) {
  const std::string log = NameEnding(".log");
  std::string bytes = testkit::ReadFile(log);
  bytes[20] = static_cast<char>(bytes[20] ^ 1);
  testkit::WriteFile(log, bytes);
  const std::string text = Dump(log);
  EXPECT_NE(text.find("(damaged)"), std::string::npos) << text;
  EXPECT_EQ(text.find("in log"), std::string::npos) << text;

  testkit::WriteFile(dir_ / "000001.log", testkit::ReadFile(log).substr(0, bytes.size() - 1));
  EXPECT_NE(Dump(dir_ / "000001.log").find("(damaged)"), std::string::npos);

  const std::string table = NameEnding(".ldb");
  bytes = testkit::ReadFile(table);
  testkit::WriteFile(dir_ / "000002.sst", bytes.substr(0, bytes.size() - 30));
  const std::string cut = Dump(dir_ / "000002.sst");
  EXPECT_NE(cut.find("(damaged) 48 bytes"), std::string::npos) << cut;
  EXPECT_NE(cut.find("'in table' @ 1 : val => 'one'"), std::string::npos) << cut;
}

TEST_F(DumpFileTest, NamesThatSayNothing) {
  TextFile text;
  testkit::WriteFile(dir_ / "notes.txt", "mine");
  for (const std::string& name :
       {dir_ / "notes.txt", path_ + "/CURRENT", path_ + "/LOG", std::string(), std::string("/")}) {
    EXPECT_TRUE(DumpFile(Env::Default(), name, &text).IsInvalidArgument()) << name;
  }
  for (const char* name : {"999999.ldb", "999999.log", "MANIFEST-999999"}) {
    EXPECT_FALSE(DumpFile(Env::Default(), path_ + "/" + name, &text).ok()) << name;
  }
  EXPECT_EQ(text.text, "");
}

TEST_F(DumpFileTest, AFullDestinationIsAnError) {
  TextFile text;
  text.is_full = true;
  for (const std::string& name : {NameEnding(".ldb"), NameEnding(".log"), ManifestName()}) {
    EXPECT_TRUE(testkit::Says(DumpFile(Env::Default(), name, &text), "is full")) << name;
  }
}

TEST_F(DumpFileTest, RandomDamage) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (const std::string& name : {NameEnding(".ldb"), NameEnding(".log"), ManifestName()}) {
    const std::string original = testkit::ReadFile(name);
    for (int round = 0; round < testkit::Scaled(200); round++) {
      std::string bytes = original;
      for (uint64_t wounds = dice.Between(1, 4); wounds > 0; wounds--) {
        bytes[dice.Below(bytes.size())] = static_cast<char>(dice.Next());
      }
      if (dice.OneIn(3)) bytes.resize(dice.Below(bytes.size()));
      testkit::WriteFile(name, bytes);
      TextFile text;
      ASSERT_OK(DumpFile(Env::Default(), name, &text));
    }
  }
}

}  // namespace
}  // namespace leveldb
