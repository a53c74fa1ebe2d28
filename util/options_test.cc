#include "leveldb/options.h"

#include <gtest/gtest.h>

#include "leveldb/comparator.h"
#include "leveldb/env.h"

namespace leveldb {
namespace {

TEST(OptionsTest, Defaults) {
  const Options options;
  EXPECT_EQ(options.comparator, BytewiseComparator());
  EXPECT_FALSE(options.create_if_missing);
  EXPECT_FALSE(options.error_if_exists);
  EXPECT_FALSE(options.paranoid_checks);
  EXPECT_EQ(options.env, Env::Default());
  EXPECT_EQ(options.info_log, nullptr);
  EXPECT_EQ(options.write_buffer_size, 4u << 20);
  EXPECT_EQ(options.max_open_files, 1000);
  EXPECT_EQ(options.block_cache, nullptr);
  EXPECT_EQ(options.block_size, 4096u);
  EXPECT_EQ(options.block_restart_interval, 16);
  EXPECT_EQ(options.max_file_size, 2u << 20);
  EXPECT_EQ(options.compression, kSnappyCompression);
  EXPECT_FALSE(options.reuse_logs);
  EXPECT_EQ(options.filter_policy, nullptr);
}

TEST(OptionsTest, DefaultsOfReadsAndWrites) {
  const ReadOptions read;
  EXPECT_FALSE(read.verify_checksums);
  EXPECT_TRUE(read.fill_cache);
  EXPECT_EQ(read.snapshot, nullptr);
  EXPECT_FALSE(WriteOptions().sync);
}

}  // namespace
}  // namespace leveldb
