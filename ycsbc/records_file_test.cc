#include "ycsbc/records_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace leveldb::ycsbc {
namespace {

class RecordsFileTest : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(directory_); }
  ~RecordsFileTest() override { std::filesystem::remove_all(directory_); }

  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  const std::string directory_ =
      testing::TempDir() + "/records_file_test." + std::to_string(getpid());
  const std::string path_ = directory_ + "/" + kRecordsFileName;
};

TEST_F(RecordsFileTest, WhatIsSavedIsLoaded) {
  EXPECT_FALSE(HasRecordsFile(directory_));
  for (const uint64_t count : {0, 1, 3, 16384, 40000}) {
    RecordLedger ledger(100, count);
    for (uint64_t i = 0; i < count; ++i) ledger.Set(100 + i, static_cast<Version>(i % 7 + 1));
    RecordsFile file;
    file.binding = "lmdb";
    file.shape = ShapeOf(CoreWorkload());
    file.is_complete = true;
    file.first = 100;
    file.count = count;
    EXPECT_EQ("", SaveRecordsFile(directory_, file, &ledger));
    EXPECT_TRUE(HasRecordsFile(directory_));

    RecordsFile loaded;
    EXPECT_EQ("", LoadRecordsFile(directory_, &loaded));
    EXPECT_EQ("lmdb", loaded.binding);
    EXPECT_EQ(file.shape, loaded.shape);
    EXPECT_TRUE(loaded.is_complete);
    EXPECT_EQ(100u, loaded.first);
    EXPECT_EQ(count, loaded.count);
    RecordLedger versions(100, count + 5);
    EXPECT_EQ("", LoadVersions(directory_, &versions));
    for (uint64_t i = 0; i < count; ++i) EXPECT_EQ(i % 7 + 1, versions.Get(100 + i).version);
    EXPECT_EQ(RecordLedger::kAbsent, versions.Get(100 + count).version);
  }
}

TEST_F(RecordsFileTest, ARunThatHasBegunKnowsNothing) {
  RecordsFile file;
  file.binding = "leveldb";
  file.shape = "any";
  EXPECT_EQ("", SaveRecordsFile(directory_, file, nullptr));
  RecordsFile loaded;
  loaded.is_complete = true;
  EXPECT_EQ("", LoadRecordsFile(directory_, &loaded));
  EXPECT_FALSE(loaded.is_complete);
}

TEST_F(RecordsFileTest, DamageIsTold) {
  RecordLedger ledger(0, 10);
  for (uint64_t i = 0; i < 10; ++i) ledger.Set(i, 1);
  const RecordsFile file{"leveldb", "any", true, 0, 10};
  EXPECT_EQ("", SaveRecordsFile(directory_, file, &ledger));
  const std::string right = Bytes();
  for (const std::string& bytes :
       {std::string(), std::string("rubbish\n"), right.substr(0, right.size() - 1),
        right.substr(0, 30),
        right.substr(0, right.size() - 6) + '\2' + right.substr(right.size() - 5)}) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    RecordsFile loaded;
    std::string mistake = LoadRecordsFile(directory_, &loaded);
    if (mistake.empty()) mistake = LoadVersions(directory_, &ledger);
    EXPECT_EQ(0u, mistake.find(path_ + " is damaged; remove it")) << mistake;
  }
}

TEST_F(RecordsFileTest, ADirectoryThatIsNotThere) {
  EXPECT_FALSE(HasRecordsFile(directory_ + "/none"));
  EXPECT_EQ(0u, SaveRecordsFile(directory_ + "/none", RecordsFile(), nullptr).find("cannot write"));
  RecordsFile loaded;
  EXPECT_EQ(0u, LoadRecordsFile(directory_ + "/none", &loaded).find("cannot read"));
}

TEST(ShapeTest, HasWhatKeysAndValuesDependOn) {
  CoreWorkload workload;
  const std::string usual = ShapeOf(workload);
  workload.operation_count = 5;
  workload.proportions = {0, 1, 0, 0, 0};
  EXPECT_EQ(usual, ShapeOf(workload));
  workload.zero_padding = 5;
  EXPECT_NE(usual, ShapeOf(workload));
  workload = CoreWorkload();
  workload.field_length_min = 10;
  EXPECT_EQ(usual, ShapeOf(workload));
  workload.field_length_distribution = Distribution::kUniform;
  EXPECT_NE(std::string::npos, ShapeOf(workload).find("minfieldlength=10"));
}

}  // namespace
}  // namespace leveldb::ycsbc
