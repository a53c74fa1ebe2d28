// The objects of the C interface: structs that contain the C++ classes that do the work, or are
// derived from them.
#ifndef BUSHSTORE_DB_C_OBJECTS_H_
#define BUSHSTORE_DB_C_OBJECTS_H_

#include <cstddef>
#include <string>

#include "leveldb/c.h"
#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "leveldb/write_batch.h"

// Snapshots and loggers have no struct of their own: their pointers are the C++ ones.
struct leveldb_t {
  leveldb::DB* rep;
};
struct leveldb_iterator_t {
  leveldb::Iterator* rep;
};
struct leveldb_writebatch_t {
  leveldb::WriteBatch rep;
};
struct leveldb_options_t {
  leveldb::Options rep;
};
struct leveldb_readoptions_t {
  leveldb::ReadOptions rep;
};
struct leveldb_writeoptions_t {
  leveldb::WriteOptions rep;
};
struct leveldb_cache_t {
  leveldb::Cache* rep;
};
struct leveldb_env_t {
  leveldb::Env* rep;  // owned by the process: not deleted
};

// A comparator made of C functions. It does not shorten keys.
struct leveldb_comparator_t final : public leveldb::Comparator {
  ~leveldb_comparator_t() override { (*destructor)(state); }

  int Compare(const leveldb::Slice& a, const leveldb::Slice& b) const override {
    return (*compare)(state, a.data(), a.size(), b.data(), b.size());
  }
  const char* Name() const override { return (*name)(state); }
  void FindShortestSeparator(std::string*, const leveldb::Slice&) const override {}
  void FindShortSuccessor(std::string*) const override {}

  void* state = nullptr;
  void (*destructor)(void*) = nullptr;
  int (*compare)(void*, const char* a, size_t alen, const char* b, size_t blen) = nullptr;
  const char* (*name)(void*) = nullptr;
};

// The type of the filter policies in options, however they were created.
struct leveldb_filterpolicy_t : public leveldb::FilterPolicy {};

#endif  // BUSHSTORE_DB_C_OBJECTS_H_
