// The C face of the store (include/leveldb/c.h). Every object is a struct around, or derived from,
// the C++ class that does the work; every function forwards and translates Status, Slice and bool.

#include "leveldb/c.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

using leveldb::BytewiseComparator;
using leveldb::Cache;
using leveldb::Comparator;
using leveldb::CompressionType;
using leveldb::DB;
using leveldb::Env;
using leveldb::FilterPolicy;
using leveldb::Iterator;
using leveldb::Logger;
using leveldb::Options;
using leveldb::Range;
using leveldb::ReadOptions;
using leveldb::Slice;
using leveldb::Snapshot;
using leveldb::Status;
using leveldb::WriteBatch;
using leveldb::WriteOptions;

// Snapshots and loggers have no struct of their own: their pointers are the C++ ones.
struct leveldb_t {
  DB* rep;
};
struct leveldb_iterator_t {
  Iterator* rep;
};
struct leveldb_writebatch_t {
  WriteBatch rep;
};
struct leveldb_options_t {
  Options rep;
};
struct leveldb_readoptions_t {
  ReadOptions rep;
};
struct leveldb_writeoptions_t {
  WriteOptions rep;
};
struct leveldb_cache_t {
  Cache* rep;
};
struct leveldb_env_t {
  Env* rep;  // the process's own: not deleted
};

// A comparator made of C functions. It does not shorten keys.
struct leveldb_comparator_t final : public Comparator {
  ~leveldb_comparator_t() override { (*destructor)(state); }

  int Compare(const Slice& a, const Slice& b) const override {
    return (*compare)(state, a.data(), a.size(), b.data(), b.size());
  }
  const char* Name() const override { return (*name)(state); }
  void FindShortestSeparator(std::string*, const Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

  void* state = nullptr;
  void (*destructor)(void*) = nullptr;
  int (*compare)(void*, const char* a, size_t alen, const char* b, size_t blen) = nullptr;
  const char* (*name)(void*) = nullptr;
};

// What options hold for a filter policy, whichever way it was made.
struct leveldb_filterpolicy_t : public FilterPolicy {};

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

// A malloc'ed copy of the bytes and a zero behind them; never null for an empty string, because
// null stands for absence.
char* MallocCopy(const Slice& bytes) {
  char* copy = static_cast<char*>(malloc(bytes.size() + 1));
  if (copy == nullptr) return nullptr;
  memcpy(copy, bytes.data(), bytes.size());
  copy[bytes.size()] = '\0';
  return copy;
}

// Puts a failure's message in place of what *errptr held. Returns whether `status` is a failure.
bool SaveError(char** errptr, const Status& status) {
  if (status.ok()) return false;
  free(*errptr);
  *errptr = MallocCopy(status.ToString());
  return true;
}

}  // namespace

extern "C" {

// The database

leveldb_t* leveldb_open(const leveldb_options_t* options, const char* name, char** errptr) {
  DB* db = nullptr;
  if (SaveError(errptr, DB::Open(options->rep, name, &db))) return nullptr;
  return new leveldb_t{db};
}

void leveldb_close(leveldb_t* db) {
  delete db->rep;
  delete db;
}

void leveldb_put(leveldb_t* db, const leveldb_writeoptions_t* options, const char* key,
                 size_t keylen, const char* val, size_t vallen, char** errptr) {
  SaveError(errptr, db->rep->Put(options->rep, Slice(key, keylen), Slice(val, vallen)));
}

void leveldb_delete(leveldb_t* db, const leveldb_writeoptions_t* options, const char* key,
                    size_t keylen, char** errptr) {
  SaveError(errptr, db->rep->Delete(options->rep, Slice(key, keylen)));
}

void leveldb_write(leveldb_t* db, const leveldb_writeoptions_t* options,
                   leveldb_writebatch_t* batch, char** errptr) {
  SaveError(errptr, db->rep->Write(options->rep, &batch->rep));
}

char* leveldb_get(leveldb_t* db, const leveldb_readoptions_t* options, const char* key,
                  size_t keylen, size_t* vallen, char** errptr) {
  *vallen = 0;
  std::string value;
  const Status status = db->rep->Get(options->rep, Slice(key, keylen), &value);
  if (!status.ok()) {
    if (!status.IsNotFound()) SaveError(errptr, status);
    return nullptr;
  }
  *vallen = value.size();
  return MallocCopy(value);
}

leveldb_iterator_t* leveldb_create_iterator(leveldb_t* db, const leveldb_readoptions_t* options) {
  return new leveldb_iterator_t{db->rep->NewIterator(options->rep)};
}

const leveldb_snapshot_t* leveldb_create_snapshot(leveldb_t* db) {
  return reinterpret_cast<const leveldb_snapshot_t*>(db->rep->GetSnapshot());
}

void leveldb_release_snapshot(leveldb_t* db, const leveldb_snapshot_t* snapshot) {
  db->rep->ReleaseSnapshot(reinterpret_cast<const Snapshot*>(snapshot));
}

char* leveldb_property_value(leveldb_t* db, const char* propname) {
  std::string value;
  return db->rep->GetProperty(propname, &value) ? MallocCopy(value) : nullptr;
}

void leveldb_approximate_sizes(leveldb_t* db, int num_ranges, const char* const* range_start_key,
                               const size_t* range_start_key_len,
                               const char* const* range_limit_key,
                               const size_t* range_limit_key_len, uint64_t* sizes) {
  if (num_ranges <= 0) return;
  std::vector<Range> ranges(num_ranges);
  for (int i = 0; i < num_ranges; i++) {
    ranges[i] = Range(Slice(range_start_key[i], range_start_key_len[i]),
                      Slice(range_limit_key[i], range_limit_key_len[i]));
  }
  db->rep->GetApproximateSizes(ranges.data(), num_ranges, sizes);
}

void leveldb_compact_range(leveldb_t* db, const char* start_key, size_t start_key_len,
                           const char* limit_key, size_t limit_key_len) {
  Slice start, limit;
  if (start_key != nullptr) start = Slice(start_key, start_key_len);
  if (limit_key != nullptr) limit = Slice(limit_key, limit_key_len);
  db->rep->CompactRange(start_key != nullptr ? &start : nullptr,
                        limit_key != nullptr ? &limit : nullptr);
}

// Whole databases

void leveldb_destroy_db(const leveldb_options_t* options, const char* name, char** errptr) {
  SaveError(errptr, leveldb::DestroyDB(name, options->rep));
}

void leveldb_repair_db(const leveldb_options_t* options, const char* name, char** errptr) {
  SaveError(errptr, leveldb::RepairDB(name, options->rep));
}

// Iterators

void leveldb_iter_destroy(leveldb_iterator_t* iter) {
  delete iter->rep;
  delete iter;
}

uint8_t leveldb_iter_valid(const leveldb_iterator_t* iter) {
  return iter->rep->Valid() ? 1 : 0;
}

void leveldb_iter_seek_to_first(leveldb_iterator_t* iter) {
  iter->rep->SeekToFirst();
}

void leveldb_iter_seek_to_last(leveldb_iterator_t* iter) {
  iter->rep->SeekToLast();
}

void leveldb_iter_seek(leveldb_iterator_t* iter, const char* k, size_t klen) {
  iter->rep->Seek(Slice(k, klen));
}

void leveldb_iter_next(leveldb_iterator_t* iter) {
  iter->rep->Next();
}

void leveldb_iter_prev(leveldb_iterator_t* iter) {
  iter->rep->Prev();
}

const char* leveldb_iter_key(const leveldb_iterator_t* iter, size_t* klen) {
  const Slice key = iter->rep->key();
  *klen = key.size();
  return key.data();
}

const char* leveldb_iter_value(const leveldb_iterator_t* iter, size_t* vlen) {
  const Slice value = iter->rep->value();
  *vlen = value.size();
  return value.data();
}

void leveldb_iter_get_error(const leveldb_iterator_t* iter, char** errptr) {
  SaveError(errptr, iter->rep->status());
}

// Write batches

leveldb_writebatch_t* leveldb_writebatch_create(void) {
  return new leveldb_writebatch_t;
}

void leveldb_writebatch_destroy(leveldb_writebatch_t* batch) {
  delete batch;
}

void leveldb_writebatch_clear(leveldb_writebatch_t* batch) {
  batch->rep.Clear();
}

void leveldb_writebatch_put(leveldb_writebatch_t* batch, const char* key, size_t klen,
                            const char* val, size_t vlen) {
  batch->rep.Put(Slice(key, klen), Slice(val, vlen));
}

void leveldb_writebatch_delete(leveldb_writebatch_t* batch, const char* key, size_t klen) {
  batch->rep.Delete(Slice(key, klen));
}

void leveldb_writebatch_iterate(const leveldb_writebatch_t* batch, void* state,
                                void (*put)(void*, const char* k, size_t klen, const char* v,
                                            size_t vlen),
                                void (*deleted)(void*, const char* k, size_t klen)) {
  struct Callbacks final : public WriteBatch::Handler {
    void Put(const Slice& key, const Slice& value) override {
      (*put)(state, key.data(), key.size(), value.data(), value.size());
    }
    void Delete(const Slice& key) override { (*deleted)(state, key.data(), key.size()); }

    void* state = nullptr;
    void (*put)(void*, const char*, size_t, const char*, size_t) = nullptr;
    void (*deleted)(void*, const char*, size_t) = nullptr;
  };
  Callbacks callbacks;
  callbacks.state = state;
  callbacks.put = put;
  callbacks.deleted = deleted;
  // A batch that was filled through this interface is well formed, and the function has no way to
  // report an error.
  static_cast<void>(batch->rep.Iterate(&callbacks));
}

void leveldb_writebatch_append(leveldb_writebatch_t* destination,
                               const leveldb_writebatch_t* source) {
  destination->rep.Append(source->rep);
}

// Options. A null object stands for the default.

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
  // A number that is none of the enum's has no place in it; plain blocks are what all can read.
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

char* leveldb_env_get_test_directory(leveldb_env_t* env) {
  std::string directory;
  return env->rep->GetTestDirectory(&directory).ok() ? MallocCopy(directory) : nullptr;
}

// Odds and ends

void leveldb_free(void* ptr) {
  free(ptr);
}

int leveldb_major_version(void) {
  return leveldb::kMajorVersion;
}

int leveldb_minor_version(void) {
  return leveldb::kMinorVersion;
}

}  // extern "C"
