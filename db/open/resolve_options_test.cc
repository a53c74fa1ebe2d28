#include "db/open/resolve_options.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

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

PmemEnvironment SampleEnvironment() {
  PmemEnvironment environment;
  environment.path = "/env";
  environment.size = 64 << 20;
  environment.assume_pmem = true;
  environment.convert = true;
  environment.prefault = true;
  return environment;
}

TEST(ResolvePmemTest, NobodyAsks) {
  const PmemRequest request = ResolvePmem(Options(), nullptr, PmemEnvironment());
  EXPECT_EQ("", request.path);
  EXPECT_FALSE(request.require || request.require_tier || request.convert);
}

TEST(ResolvePmemTest, TheEnvironmentAsksWhereTheEnvIsTheDefaultOne) {
  Options options;
  const PmemRequest request = ResolvePmem(options, nullptr, SampleEnvironment());
  EXPECT_EQ("/env", request.path);
  EXPECT_TRUE(request.must_be_directory);
  EXPECT_EQ(uint64_t{64} << 20, request.size_if_new);
  EXPECT_EQ(0u, request.size);
  EXPECT_FALSE(request.assume_pmem);
  EXPECT_TRUE(request.assume_pmem_if_new && request.convert && request.prefault);
  EXPECT_FALSE(request.require || request.require_tier);

  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  options.env = env.get();
  EXPECT_EQ("", ResolvePmem(options, nullptr, SampleEnvironment()).path);
}

TEST(ResolvePmemTest, RequireOfTheEnvironmentIsAboutPoolsOnly) {
  PmemEnvironment environment = SampleEnvironment();
  environment.require = true;
  const PmemRequest request = ResolvePmem(Options(), nullptr, environment);
  EXPECT_TRUE(request.require);
  EXPECT_FALSE(request.require_tier);
}

TEST(ResolvePmemTest, TheCallerGoesFirst) {
  PmemOptions caller;
  const PmemRequest fallback = ResolvePmem(Options(), &caller, SampleEnvironment());
  EXPECT_EQ("/env", fallback.path);
  EXPECT_TRUE(fallback.must_be_directory);
  EXPECT_TRUE(fallback.require && fallback.require_tier && fallback.convert);

  caller.path = "/caller";
  caller.size = 9 << 20;
  caller.require = false;
  PmemEnvironment environment = SampleEnvironment();
  environment.problem = Status::InvalidArgument("LEVELDB_PMEM_SIZE");
  EXPECT_FALSE(ResolvePmem(Options(), nullptr, environment).problem.ok());
  const PmemRequest request = ResolvePmem(Options(), &caller, environment);
  EXPECT_EQ("/caller", request.path);
  EXPECT_FALSE(request.must_be_directory);
  EXPECT_EQ(uint64_t{9} << 20, request.size);
  EXPECT_FALSE(request.require || request.require_tier);
  EXPECT_TRUE(request.problem.ok());
}

TEST(ResolvePmemTest, BringsValuesWithinTheirLimits) {
  PmemOptions caller;
  caller.wal_persist_bytes = UINT64_MAX;
  caller.gc_ratio = -1;
  caller.spill_start = 0.5;
  caller.spill_stop = 7;
  PmemTierOptions tier = ResolvePmem(Options(), &caller, PmemEnvironment()).tier;
  EXPECT_EQ(uint64_t{1} << 30, tier.wal_persist_bytes);
  EXPECT_EQ(0.01, tier.gc_ratio);
  EXPECT_EQ(0.5, tier.spill_start);
  EXPECT_EQ(0.5, tier.spill_stop);
  caller.gc_ratio = std::nan("");
  caller.spill_start = std::nan("");
  tier = ResolvePmem(Options(), &caller, PmemEnvironment()).tier;
  EXPECT_EQ(0.5, tier.gc_ratio);
  EXPECT_EQ(0.85, tier.spill_start);
}

TEST(ResolvePmemTest, HintsTakeAnEighthOfAWriteBuffer) {
  const PmemOptions caller;
  for (const PmemOptions* const given : {&caller, static_cast<const PmemOptions*>(nullptr)}) {
    const auto hinted = [given](size_t write_buffer_size) {
      Options options;
      options.write_buffer_size = write_buffer_size;
      return ResolvePmem(options, given, PmemEnvironment()).tier.hinted_values;
    };
    EXPECT_EQ(uint64_t{1} << 20, hinted(64 << 20));
    EXPECT_EQ(uint64_t{1} << 10, hinted(0));
    EXPECT_EQ(uint64_t{1} << 24, hinted(SIZE_MAX));
  }
}

}  // namespace
}  // namespace leveldb
