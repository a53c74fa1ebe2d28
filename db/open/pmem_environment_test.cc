#include "db/open/pmem_environment.h"

#include <gtest/gtest.h>

#include <map>

namespace leveldb {
namespace {

PmemEnvironment Read(const std::map<std::string, std::string>& variables) {
  return ReadPmemEnvironment([&variables](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(PmemEnvironmentTest, NothingSetAsksForNothing) {
  const PmemEnvironment environment = Read({});
  EXPECT_EQ("", environment.path);
  EXPECT_EQ(0u, environment.size);
  EXPECT_FALSE(environment.assume_pmem || environment.convert || environment.require ||
               environment.prefault);
  EXPECT_TRUE(environment.problem.ok());
}

TEST(PmemEnvironmentTest, EachVariableIsRead) {
  const PmemEnvironment environment = Read({{"LEVELDB_PMEM_PATH", "/mnt/pm"},
                                            {"LEVELDB_PMEM_SIZE", "64M"},
                                            {"LEVELDB_PMEM_ASSUME", "1"},
                                            {"LEVELDB_PMEM_CONVERT", "1"},
                                            {"LEVELDB_PMEM_REQUIRE", "1"},
                                            {"LEVELDB_PMEM_PREFAULT", "1"}});
  EXPECT_EQ("/mnt/pm", environment.path);
  EXPECT_EQ(uint64_t{64} << 20, environment.size);
  EXPECT_TRUE(environment.assume_pmem && environment.convert && environment.require &&
              environment.prefault);
  EXPECT_TRUE(environment.problem.ok());
}

TEST(PmemEnvironmentTest, ZeroAndEmptyAreNo) {
  const PmemEnvironment environment =
      Read({{"LEVELDB_PMEM_SIZE", ""}, {"LEVELDB_PMEM_ASSUME", ""}, {"LEVELDB_PMEM_CONVERT", "0"}});
  EXPECT_FALSE(environment.assume_pmem || environment.convert);
  EXPECT_TRUE(environment.problem.ok());
}

TEST(PmemEnvironmentTest, WhatMakesNoSenseIsNamed) {
  EXPECT_EQ(
      "Invalid argument: LEVELDB_PMEM_SIZE=12Q: should be a number of bytes, or one with K, M or G "
      "behind it",
      Read({{"LEVELDB_PMEM_SIZE", "12Q"}, {"LEVELDB_PMEM_ASSUME", "x"}}).problem.ToString());
  const PmemEnvironment environment = Read({{"LEVELDB_PMEM_ASSUME", "yes"}});
  EXPECT_EQ("Invalid argument: LEVELDB_PMEM_ASSUME=yes: should be 0 or 1",
            environment.problem.ToString());
  EXPECT_FALSE(environment.assume_pmem);
  // The value is invalid, but the variable was set in order to get an error, so it counts as set.
  EXPECT_TRUE(Read({{"LEVELDB_PMEM_REQUIRE", "yes"}}).require);
}

TEST(PmemEnvironmentTest, ByteSizes) {
  uint64_t bytes = 0;
  for (const auto& [text, value] :
       std::map<std::string, uint64_t>{{"0", 0},
                                       {"1", 1},
                                       {"8388608", 8388608},
                                       {"8m", 8388608},
                                       {"3k", 3072},
                                       {"16G", uint64_t{16} << 30},
                                       {"18446744073709551615", UINT64_MAX},
                                       {"17179869183G", 17179869183ull << 30}}) {
    EXPECT_TRUE(ParseByteSize(text, &bytes)) << text;
    EXPECT_EQ(value, bytes) << text;
  }
  for (const char* text : {"", "K", "-1", "+1", " 1", "1 ", "1KB", "1.5G", "1T", "0x10",
                           "18446744073709551616", "17179869184G"}) {
    EXPECT_FALSE(ParseByteSize(text, &bytes)) << text;
  }
}

TEST(PmemEnvironmentTest, TheProcessHasAnEnvironment) {
  ASSERT_EQ(0, setenv("LEVELDB_PMEM_SIZE", "9M", 1));
  EXPECT_EQ(uint64_t{9} << 20, ReadPmemEnvironment().size);
  ASSERT_EQ(0, unsetenv("LEVELDB_PMEM_SIZE"));
  EXPECT_EQ(0u, ReadPmemEnvironment().size);
}

}  // namespace
}  // namespace leveldb
