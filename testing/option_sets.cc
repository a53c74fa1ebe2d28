#include "testing/option_sets.h"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <utility>

#include "leveldb/helpers/memenv.h"
#include "testing/comparators.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr size_t kTinyWriteBuffer = 64 << 10;  // the least that is not raised
constexpr size_t kTinyTableFile = 1 << 20;     // likewise

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

}  // namespace

std::vector<std::string> OptionSetNames() {
  std::vector<std::string> names;
  for (const Recipe& recipe : Recipes()) {
    names.push_back(recipe.first);
  }
  return names;
}

OptionSet MakeOptionSet(const std::string& name) {
  for (const Recipe& recipe : Recipes()) {
    if (name == recipe.first) {
      OptionSet set;
      set.name = name;
      set.options.create_if_missing = true;
      recipe.second(&set);
      return set;
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
}

}  // namespace testkit
}  // namespace leveldb
