#include "testing/option_sets.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <utility>

#include "leveldb/helpers/memenv.h"
#include "testing/comparators.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr size_t kTinyWriteBuffer = 64 << 10;  // the least that is not raised
constexpr size_t kTinyTableFile = 1 << 20;     // likewise
constexpr uint64_t kTinyPool = 8 << 20;        // the least that is accepted
constexpr uint64_t kSmallPool = 64 << 20;

using Recipe = std::pair<const char*, std::function<void(OptionSet*)>>;

void UseBloom(OptionSet* set, int bits_per_key) {
  set->filter.reset(NewBloomFilterPolicy(bits_per_key));
  set->options.filter_policy = set->filter.get();
}

const std::vector<Recipe>& Recipes() {
  static const auto* const recipes = new std::vector<Recipe>{
      {"Defaults", [](OptionSet*) {}},
      {"TinyWriteBuffer",
       [](OptionSet* set) { set->options.write_buffer_size = kTinyWriteBuffer; }},
      {"NoCompressionNoCache",
       [](OptionSet* set) {
         set->options.compression = kNoCompression;
         set->options.write_buffer_size = kTinyWriteBuffer;
         set->cache.reset(NewLRUCache(0));
         set->options.block_cache = set->cache.get();
       }},
      {"Bloom",
       [](OptionSet* set) {
         UseBloom(set, 10);
         set->options.write_buffer_size = kTinyWriteBuffer;
       }},
      {"Zstd",
       [](OptionSet* set) {
         set->options.compression = kZstdCompression;
         set->options.write_buffer_size = kTinyWriteBuffer;
       }},
      {"Reverse",
       [](OptionSet* set) {
         set->options.comparator = ReverseComparator();
         UseBloom(set, 10);
         set->options.write_buffer_size = kTinyWriteBuffer;
       }},
      {"CaseInsensitive",
       [](OptionSet* set) {
         set->options.comparator = CaseInsensitiveComparator();
         set->options.filter_policy = CaseInsensitiveFilter();
         set->options.write_buffer_size = kTinyWriteBuffer;
       }},
      {"ReuseLogs",
       [](OptionSet* set) {
         set->options.reuse_logs = true;
         set->options.write_buffer_size = 2 * kTinyWriteBuffer;
       }},
      {"ParanoidSmallBlocks",
       [](OptionSet* set) {
         set->options.paranoid_checks = true;
         set->options.block_size = 1024;
         set->options.block_restart_interval = 1;
         set->options.write_buffer_size = kTinyWriteBuffer;
       }},
      {"ManyTinyTables",
       [](OptionSet* set) {
         set->options.max_file_size = kTinyTableFile;
         set->options.max_open_files = 74;
         set->options.write_buffer_size = 4 * kTinyWriteBuffer;
         set->options.compression = kNoCompression;
         set->cache.reset(NewLRUCache(256 << 10));
         set->options.block_cache = set->cache.get();
         set->value_factor = 64;
       }},
      {"InMemory",
       [](OptionSet* set) {
         set->env.reset(NewMemEnv(Env::Default()));
         set->options.env = set->env.get();
         set->options.write_buffer_size = kTinyWriteBuffer;
       }},
      {"ChangingOptions",
       [](OptionSet* set) {
         UseBloom(set, 7);
         set->options.write_buffer_size = kTinyWriteBuffer;
         set->changes_at_reopen = true;
       }},
  };
  return *recipes;
}

void UseTier(OptionSet* set, uint64_t pool_bytes, Medium medium = Medium::kMemory) {
  set->pool_dir = std::make_unique<TempDir>(medium);
  PmemOptions& pmem = set->pmem.emplace();
  pmem.path = set->pool_dir->path();
  pmem.size = pool_bytes;
  pmem.assume_pmem = medium == Medium::kMemory;
  pmem.assume_pmem_anywhere = medium == Medium::kMemory && !IsInMemory(pmem.path);
  set->options.write_buffer_size = kTinyWriteBuffer;
}

const std::vector<Recipe>& TierRecipes() {
  static const auto* const recipes = new std::vector<Recipe>{
      {"TierSmallPool", [](OptionSet* set) { UseTier(set, kSmallPool); }},
      {"TierTinyPool",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         set->value_factor = 4;
       }},
      {"TierSpillsAlways",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         set->pmem->spill_start = 0.1;
         set->pmem->spill_stop = 0;
       }},
      {"TierInlineOnly",
       [](OptionSet* set) {
         UseTier(set, kSmallPool);
         set->pmem->value_separation_bytes = std::numeric_limits<uint64_t>::max();
       }},
      {"TierSeparatedOnly",
       [](OptionSet* set) {
         UseTier(set, kSmallPool);
         set->pmem->value_separation_bytes = 1;
       }},
      {"TierFixedTrees",
       [](OptionSet* set) {
         UseTier(set, kSmallPool);
         set->pmem->dynamic_tree = false;
       }},
      {"TierOnDisk", [](OptionSet* set) { UseTier(set, kSmallPool, Medium::kDisk); }},
      {"TierCoarsePersistence",
       [](OptionSet* set) {
         UseTier(set, kSmallPool);
         set->pmem->wal_persist_bytes = 16 << 10;
       }},
      {"TierCollectsAlways",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         set->pmem->value_separation_bytes = 64;
         set->pmem->gc_ratio = 0.01;
       }},
      {"TierReverse",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         set->options.comparator = ReverseComparator();
         UseBloom(set, 10);
         set->value_factor = 4;
       }},
      {"TierCaseInsensitive",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         set->options.comparator = CaseInsensitiveComparator();
         set->options.filter_policy = CaseInsensitiveFilter();
         set->value_factor = 4;
       }},
      {"TierCaseInsensitiveNoFilter",
       [](OptionSet* set) {
         UseTier(set, kSmallPool);
         set->options.comparator = CaseInsensitiveComparator();
       }},
      {"TierBesideFilesInMemory",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         set->env.reset(NewMemEnv(Env::Default()));
         set->options.env = set->env.get();
         set->value_factor = 4;
       }},
      {"TierChangingOptions",
       [](OptionSet* set) {
         UseTier(set, kTinyPool);
         UseBloom(set, 7);
         set->changes_at_reopen = true;
         set->value_factor = 4;
       }},
  };
  return *recipes;
}

std::vector<std::string> NamesOf(const std::vector<Recipe>& recipes) {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes) {
    names.push_back(recipe.first);
  }
  return names;
}

void ShuffleTier(PmemOptions* pmem, Dice* dice) {
  pmem->value_separation_bytes = dice->OneIn(4) ? dice->Below(5000) : 256;
  pmem->wal_persist_bytes = dice->OneIn(2) ? dice->Below(64 << 10) : 0;
  pmem->gc_ratio = 0.01 * static_cast<double>(dice->Between(1, 100));
  pmem->dynamic_tree = dice->OneIn(2);
  pmem->spill_start = 0.01 * static_cast<double>(dice->Between(10, 85));
  pmem->spill_stop = pmem->spill_start * 0.01 * static_cast<double>(dice->Below(101));
}

}  // namespace

std::vector<std::string> OptionSetNames() {
  return NamesOf(Recipes());
}

std::vector<std::string> TierOptionSetNames() {
  return NamesOf(TierRecipes());
}

OptionSet MakeOptionSet(const std::string& name) {
  for (const auto* recipes : {&Recipes(), &TierRecipes()}) {
    for (const Recipe& recipe : *recipes) {
      if (name == recipe.first) {
        OptionSet set;
        set.name = name;
        set.options.create_if_missing = true;
        recipe.second(&set);
        return set;
      }
    }
  }
  std::fprintf(stderr, "no option set is named %s\n", name.c_str());
  std::abort();
}

void ShuffleOptions(OptionSet* set, Dice* dice) {
  Options* const options = &set->options;
  options->compression =
      static_cast<CompressionType>(dice->Between(kNoCompression, kZstdCompression));
  options->block_size = dice->Between(1, 8) * 1024;
  options->block_restart_interval = static_cast<int>(dice->Between(1, 20));
  options->write_buffer_size = dice->Between(1, 4) * kTinyWriteBuffer;
  options->reuse_logs = dice->OneIn(2);
  options->paranoid_checks = dice->OneIn(2);
  options->filter_policy = dice->OneIn(2) ? nullptr : set->filter.get();
  if (set->pmem.has_value()) {
    ShuffleTier(&*set->pmem, dice);
  }
}

}  // namespace testkit
}  // namespace leveldb
