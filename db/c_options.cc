// The C interface of the store: options of all kinds, and the objects that options point to.

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "db/c_objects.h"

using leveldb::BytewiseComparator;
using leveldb::CompressionType;
using leveldb::Env;
using leveldb::FilterPolicy;
using leveldb::Logger;
using leveldb::Slice;
using leveldb::Snapshot;

namespace {

// A filter policy made of C functions.
struct CallbackFilterPolicy final : public leveldb_filterpolicy_t {
  ~CallbackFilterPolicy() override { (*destructor)(state); }

  const char* Name() const override { return (*name)(state); }

  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    std::vector<const char*> starts(n);
    std::vector<size_t> lengths(n);
    for (int i = 0; i < n; i++) {
      starts[i] = keys[i].data();
      lengths[i] = keys[i].size();
    }
    size_t size = 0;
    char* filter = (*create_filter)(state, starts.data(), lengths.data(), n, &size);
    if (filter != nullptr) dst->append(filter, size);
    free(filter);
  }

  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    return (*key_may_match)(state, key.data(), key.size(), filter.data(), filter.size()) != 0;
  }

  void* state = nullptr;
  void (*destructor)(void*) = nullptr;
  char* (*create_filter)(void*, const char* const* key_array, const size_t* key_length_array,
                         int num_keys, size_t* filter_length) = nullptr;
  uint8_t (*key_may_match)(void*, const char* key, size_t length, const char* filter,
                           size_t filter_length) = nullptr;
  const char* (*name)(void*) = nullptr;
};

// The store's own Bloom filter policy.
struct BloomFilterPolicy final : public leveldb_filterpolicy_t {
  explicit BloomFilterPolicy(int bits_per_key) : rep(leveldb::NewBloomFilterPolicy(bits_per_key)) {}

  const char* Name() const override { return rep->Name(); }
  void CreateFilter(const Slice* keys, int n, std::string* dst) const override {
    rep->CreateFilter(keys, n, dst);
  }
  bool KeyMayMatch(const Slice& key, const Slice& filter) const override {
    return rep->KeyMayMatch(key, filter);
  }

  const std::unique_ptr<const FilterPolicy> rep;
};

}  // namespace

extern "C" {

// Options. A null object selects the default.

leveldb_options_t* leveldb_options_create(void) {
  return new leveldb_options_t;
}

void leveldb_options_destroy(leveldb_options_t* options) {
  delete options;
}

void leveldb_options_set_comparator(leveldb_options_t* options, leveldb_comparator_t* comparator) {
  options->rep.comparator = comparator != nullptr ? comparator : BytewiseComparator();
}

void leveldb_options_set_filter_policy(leveldb_options_t* options, leveldb_filterpolicy_t* policy) {
  options->rep.filter_policy = policy;
}

void leveldb_options_set_create_if_missing(leveldb_options_t* options, uint8_t value) {
  options->rep.create_if_missing = value != 0;
}

void leveldb_options_set_error_if_exists(leveldb_options_t* options, uint8_t value) {
  options->rep.error_if_exists = value != 0;
}

void leveldb_options_set_paranoid_checks(leveldb_options_t* options, uint8_t value) {
  options->rep.paranoid_checks = value != 0;
}

void leveldb_options_set_env(leveldb_options_t* options, leveldb_env_t* env) {
  options->rep.env = env != nullptr ? env->rep : Env::Default();
}

void leveldb_options_set_info_log(leveldb_options_t* options, leveldb_logger_t* logger) {
  options->rep.info_log = reinterpret_cast<Logger*>(logger);
}

void leveldb_options_set_write_buffer_size(leveldb_options_t* options, size_t size) {
  options->rep.write_buffer_size = size;
}

void leveldb_options_set_max_open_files(leveldb_options_t* options, int number) {
  options->rep.max_open_files = number;
}

void leveldb_options_set_cache(leveldb_options_t* options, leveldb_cache_t* cache) {
  options->rep.block_cache = cache != nullptr ? cache->rep : nullptr;
}

void leveldb_options_set_block_size(leveldb_options_t* options, size_t size) {
  options->rep.block_size = size;
}

void leveldb_options_set_block_restart_interval(leveldb_options_t* options, int interval) {
  options->rep.block_restart_interval = interval;
}

void leveldb_options_set_max_file_size(leveldb_options_t* options, size_t size) {
  options->rep.max_file_size = size;
}

void leveldb_options_set_compression(leveldb_options_t* options, int compression) {
  // Numbers outside the enum are replaced by no compression, which all versions can read.
  const bool known =
      compression >= leveldb_no_compression && compression <= leveldb_zstd_compression;
  options->rep.compression =
      known ? static_cast<CompressionType>(compression) : leveldb::kNoCompression;
}

// Comparators

leveldb_comparator_t* leveldb_comparator_create(void* state, void (*destructor)(void*),
                                                int (*compare)(void*, const char* a, size_t alen,
                                                               const char* b, size_t blen),
                                                const char* (*name)(void*)) {
  leveldb_comparator_t* comparator = new leveldb_comparator_t;
  comparator->state = state;
  comparator->destructor = destructor;
  comparator->compare = compare;
  comparator->name = name;
  return comparator;
}

void leveldb_comparator_destroy(leveldb_comparator_t* comparator) {
  delete comparator;
}

// Filter policies

leveldb_filterpolicy_t* leveldb_filterpolicy_create(
    void* state, void (*destructor)(void*),
    char* (*create_filter)(void*, const char* const* key_array, const size_t* key_length_array,
                           int num_keys, size_t* filter_length),
    uint8_t (*key_may_match)(void*, const char* key, size_t length, const char* filter,
                             size_t filter_length),
    const char* (*name)(void*)) {
  CallbackFilterPolicy* policy = new CallbackFilterPolicy;
  policy->state = state;
  policy->destructor = destructor;
  policy->create_filter = create_filter;
  policy->key_may_match = key_may_match;
  policy->name = name;
  return policy;
}

void leveldb_filterpolicy_destroy(leveldb_filterpolicy_t* policy) {
  delete policy;
}

leveldb_filterpolicy_t* leveldb_filterpolicy_create_bloom(int bits_per_key) {
  return new BloomFilterPolicy(bits_per_key);
}

// Options of reads

leveldb_readoptions_t* leveldb_readoptions_create(void) {
  return new leveldb_readoptions_t;
}

void leveldb_readoptions_destroy(leveldb_readoptions_t* options) {
  delete options;
}

void leveldb_readoptions_set_verify_checksums(leveldb_readoptions_t* options, uint8_t value) {
  options->rep.verify_checksums = value != 0;
}

void leveldb_readoptions_set_fill_cache(leveldb_readoptions_t* options, uint8_t value) {
  options->rep.fill_cache = value != 0;
}

void leveldb_readoptions_set_snapshot(leveldb_readoptions_t* options,
                                      const leveldb_snapshot_t* snapshot) {
  options->rep.snapshot = reinterpret_cast<const Snapshot*>(snapshot);
}

// Options of writes

leveldb_writeoptions_t* leveldb_writeoptions_create(void) {
  return new leveldb_writeoptions_t;
}

void leveldb_writeoptions_destroy(leveldb_writeoptions_t* options) {
  delete options;
}

void leveldb_writeoptions_set_sync(leveldb_writeoptions_t* options, uint8_t value) {
  options->rep.sync = value != 0;
}

// Caches

leveldb_cache_t* leveldb_cache_create_lru(size_t capacity) {
  return new leveldb_cache_t{leveldb::NewLRUCache(capacity)};
}

void leveldb_cache_destroy(leveldb_cache_t* cache) {
  delete cache->rep;
  delete cache;
}

// Envs

leveldb_env_t* leveldb_create_default_env(void) {
  return new leveldb_env_t{Env::Default()};
}

void leveldb_env_destroy(leveldb_env_t* env) {
  delete env;
}

}  // extern "C"
