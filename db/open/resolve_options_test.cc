#include "db/open/resolve_options.h"

#include <gtest/gtest.h>

#include "leveldb/filter_policy.h"
#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

TEST(ResolveOptionsTest, BringsSizesWithinTheirLimits) {
  Options small;
  small.max_open_files = -5;
  small.write_buffer_size = 1;
  small.max_file_size = 1;
  small.block_size = 1;
  small.block_restart_interval = 0;
  const auto low = ResolveOptions("db", small);
  EXPECT_EQ(74, low->options.max_open_files);
  EXPECT_EQ(64, low->table_cache_entries);
  EXPECT_EQ(size_t{64} << 10, low->options.write_buffer_size);
  EXPECT_EQ(size_t{1} << 20, low->options.max_file_size);
  EXPECT_EQ(size_t{1} << 10, low->options.block_size);
  EXPECT_EQ(1, low->options.block_restart_interval);

  Options large;
  large.max_open_files = 1000000;
  large.write_buffer_size = size_t{1} << 40;
  large.max_file_size = size_t{1} << 40;
  large.block_size = size_t{1} << 40;
  const auto high = ResolveOptions("db", large);
  EXPECT_EQ(50000, high->options.max_open_files);
  EXPECT_EQ(size_t{1} << 30, high->options.write_buffer_size);
  EXPECT_EQ(size_t{1} << 30, high->options.max_file_size);
  EXPECT_EQ(size_t{4} << 20, high->options.block_size);
}

TEST(ResolveOptionsTest, WrapsComparatorAndFilterAndBringsACache) {
  Options options;
  const auto plain = ResolveOptions("db", options);
  EXPECT_EQ(BytewiseComparator(), plain->internal_comparator.user_comparator());
  EXPECT_EQ(&plain->internal_comparator, plain->options.comparator);
  EXPECT_EQ(nullptr, plain->options.filter_policy);
  EXPECT_NE(nullptr, plain->options.block_cache);

  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  const std::unique_ptr<Cache> cache(NewLRUCache(100));
  options.filter_policy = bloom.get();
  options.block_cache = cache.get();
  const auto given = ResolveOptions("db", options);
  EXPECT_STREQ(bloom->Name(), given->options.filter_policy->Name());
  EXPECT_EQ(cache.get(), given->options.block_cache);
  EXPECT_EQ(nullptr, given->owned_block_cache);
}

TEST(ResolveOptionsTest, KeepsTheInfoLogOfTheOpenBefore) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  Options options;
  options.env = env.get();
  env->CreateDir("/db");
  {
    const auto first = ResolveOptions("/db", options);
    OpenInfoLog(first.get());
    ASSERT_NE(nullptr, first->options.info_log);
    Log(first->options.info_log, "from the first open");
  }
  const auto second = ResolveOptions("/db", options);
  OpenInfoLog(second.get());
  std::string text;
  ASSERT_TRUE(ReadFileToString(env.get(), "/db/LOG.old", &text).ok());
  EXPECT_NE(std::string::npos, text.find("from the first open"));
}

}  // namespace
}  // namespace leveldb
