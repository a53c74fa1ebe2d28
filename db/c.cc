// The C interface of the store (include/leveldb/c.h): databases, iterators and batches. Every
// function forwards to the C++ class of its object and translates Status, Slice and bool.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "db/c_errors.h"
#include "db/c_objects.h"

using leveldb::DB;
using leveldb::MallocCopy;
using leveldb::Range;
using leveldb::SaveError;
using leveldb::Slice;
using leveldb::Snapshot;
using leveldb::Status;
using leveldb::WriteBatch;

namespace {

// Passes the entries of a batch to C functions.
struct BatchCallbacks final : public WriteBatch::Handler {
  void Put(const Slice& key, const Slice& value) override {
    (*put)(state, key.data(), key.size(), value.data(), value.size());
  }
  void Delete(const Slice& key) override { (*deleted)(state, key.data(), key.size()); }

  void* state = nullptr;
  void (*put)(void*, const char*, size_t, const char*, size_t) = nullptr;
  void (*deleted)(void*, const char*, size_t) = nullptr;
};

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
  BatchCallbacks callbacks;
  callbacks.state = state;
  callbacks.put = put;
  callbacks.deleted = deleted;
  // A batch filled through this interface is well formed, and the function has no means of
  // reporting an error.
  static_cast<void>(batch->rep.Iterate(&callbacks));
}

void leveldb_writebatch_append(leveldb_writebatch_t* destination,
                               const leveldb_writebatch_t* source) {
  destination->rep.Append(source->rep);
}

// Miscellaneous

char* leveldb_env_get_test_directory(leveldb_env_t* env) {
  std::string directory;
  return env->rep->GetTestDirectory(&directory).ok() ? MallocCopy(directory) : nullptr;
}

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
