#include "db/open/pmem_file.h"

#include <gtest/gtest.h>

#include "leveldb/env.h"
#include "testing/dice.h"
#include "testing/fault_env.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

using testkit::Says;

PmemFile Sample() {
  PmemFile file;
  file.pool = "/mnt/pm/some place/db.set";
  file.id = "00112233445566778899aabbccddeeff";
  file.size = 1 << 30;
  file.assume_pmem = true;
  file.state = PmemFile::kUsed;
  return file;
}

bool Equal(const PmemFile& a, const PmemFile& b) {
  return a.pool == b.pool && a.id == b.id && a.size == b.size && a.assume_pmem == b.assume_pmem &&
         a.assume_pmem_anywhere == b.assume_pmem_anywhere && a.state == b.state;
}

constexpr char kLines[] =
    "format 1\npool /a\nid 00112233445566778899aabbccddeeff\nsize 5\nassume_pmem 0\nstate new\n";

Status DecodeWith(const std::string& from, const std::string& to) {
  std::string text = kLines;
  text.replace(text.find(from), from.size(), to);
  PmemFile file;
  return DecodePmemFile(text, &file);
}

TEST(PmemFileTest, WhatIsWrittenIsRead) {
  const testkit::TempDir dir;
  Env* const env = Env::Default();
  PmemFile read;
  EXPECT_TRUE(ReadPmemFile(env, dir.path(), &read).IsNotFound());
  for (const PmemFile::State state : {PmemFile::kNew, PmemFile::kUsed, PmemFile::kLeaving}) {
    PmemFile file = Sample();
    file.state = state;
    file.assume_pmem = state != PmemFile::kUsed;
    file.assume_pmem_anywhere = state == PmemFile::kLeaving;
    ASSERT_OK(WritePmemFile(env, dir.path(), file));
    ASSERT_OK(ReadPmemFile(env, dir.path(), &read));
    EXPECT_TRUE(Equal(file, read));
  }
  EXPECT_EQ(std::vector<std::string>{"PMEM"}, testkit::FileNames(dir.path()));
  ASSERT_OK(RemovePmemFile(env, dir.path()));
  ASSERT_OK(RemovePmemFile(env, dir.path()));
  EXPECT_TRUE(testkit::FileNames(dir.path()).empty());
}

TEST(PmemFileTest, PeopleMayEditIt) {
  PmemFile file;
  ASSERT_OK(
      DecodePmemFile("\n# moved on Friday\nstate used\nassume_pmem 1\nsize 12\nid "
                     "00112233445566778899aabbccddeeff\npool /b c\n\nformat 1\n",
                     &file));
  EXPECT_EQ("/b c", file.pool);
  EXPECT_EQ(12u, file.size);
  EXPECT_TRUE(file.assume_pmem);
  EXPECT_EQ(PmemFile::kUsed, file.state);
}

TEST(PmemFileTest, WhatMakesNoSenseIsNamed) {
  EXPECT_OK(DecodeWith("size 5", "size 5"));
  EXPECT_TRUE(Says(DecodeWith("format 1", "format 2"), "makes no sense: format 2"));
  EXPECT_TRUE(Says(DecodeWith("pool /a", "pool a"), "makes no sense: pool a"));
  EXPECT_TRUE(Says(DecodeWith("pool /a", "pool /a\tb"), "makes no sense: pool /a\\x09b"));
  EXPECT_TRUE(Says(DecodeWith("pool /a", "pool"), "makes no sense: pool"));
  EXPECT_TRUE(Says(DecodeWith("ff\n", "f\n"), "makes no sense: id "));
  EXPECT_TRUE(Says(DecodeWith("ff\n", "fF\n"), "makes no sense: id "));
  EXPECT_TRUE(Says(DecodeWith("size 5", "size 5k"), "makes no sense: size 5k"));
  EXPECT_TRUE(Says(DecodeWith("size 5", "size -5"), "makes no sense: size -5"));
  EXPECT_TRUE(Says(DecodeWith("mem 0", "mem yes"), "makes no sense: assume_pmem yes"));
  EXPECT_TRUE(Says(DecodeWith("state new", "state old"), "makes no sense: state old"));
  EXPECT_TRUE(Says(DecodeWith("size 5", "colour 5"), "makes no sense: colour 5"));
  EXPECT_TRUE(Says(DecodeWith("size 5\n", ""), "there is no line: size"));
  EXPECT_TRUE(Says(DecodeWith("size 5\n", "size 5\nsize 5\n"), "makes no sense: size 5"));
  EXPECT_TRUE(Says(DecodeWith("state new\n", "state new"), "the last line is not complete"));
  PmemFile file;
  EXPECT_TRUE(Says(DecodePmemFile("", &file), "there is no line"));
}

TEST(PmemFileTest, EveryDamageIsFoundOrHarmless) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int i = 0; i < 3000; i++) {
    std::string text = EncodePmemFile(Sample());
    const size_t at = dice.Below(text.size());
    if (dice.OneIn(2)) {
      text[at] = static_cast<char>(dice.Below(256));
    } else {
      text.resize(at);
    }
    PmemFile file;
    if (!DecodePmemFile(text, &file).ok()) continue;
    EXPECT_TRUE(FitsPmemFile(file.pool));
    EXPECT_EQ(32u, file.id.size());
  }
}

TEST(PmemFileTest, ErrorsNameTheFile) {
  const testkit::TempDir dir;
  testkit::WriteFile(dir / "PMEM", "hello\n");
  PmemFile file;
  const Status status = ReadPmemFile(Env::Default(), dir.path(), &file);
  EXPECT_TRUE(status.IsCorruption());
  EXPECT_TRUE(Says(status, dir / "PMEM"));
  testkit::WriteFile(dir / "PMEM", std::string(70000, '\n'));
  EXPECT_TRUE(Says(ReadPmemFile(Env::Default(), dir.path(), &file), "too long"));
}

TEST(PmemFileTest, AFailureLeavesTheFileThatWasThere) {
  const testkit::TempDir dir;
  testkit::FaultEnv env(Env::Default());
  ASSERT_OK(WritePmemFile(&env, dir.path(), Sample()));
  PmemFile changed = Sample();
  changed.size = 7;
  for (const testkit::Call call :
       {testkit::Call::kAppend, testkit::Call::kSync, testkit::Call::kRename}) {
    testkit::Fault fault;
    fault.call = call;
    env.Inject(fault);
    EXPECT_FALSE(WritePmemFile(&env, dir.path(), changed).ok());
    env.Heal();
    PmemFile read;
    ASSERT_OK(ReadPmemFile(&env, dir.path(), &read));
    EXPECT_TRUE(Equal(Sample(), read));
    EXPECT_EQ(std::vector<std::string>{"PMEM"}, testkit::FileNames(dir.path()));
  }
}

}  // namespace
}  // namespace leveldb
