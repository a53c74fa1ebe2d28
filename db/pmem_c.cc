// The C interface of the persistent-memory tier (include/leveldb/pmem_c.h).

#include "leveldb/pmem_c.h"

#include <string>

#include "db/c_errors.h"
#include "db/c_objects.h"
#include "leveldb/pmem.h"

using leveldb::PmemDB;
using leveldb::SaveError;

// Contains the database in the form that the functions of c.h expect.
struct leveldb_pmem_t {
  PmemDB* rep;
  leveldb_t plain;
};
struct leveldb_pmem_options_t {
  leveldb::PmemOptions rep;
};

extern "C" {

leveldb_pmem_t* leveldb_pmem_open(const leveldb_options_t* options,
                                  const leveldb_pmem_options_t* pmem_options, const char* name,
                                  char** errptr) {
  PmemDB* db = nullptr;
  const bool failed =
      SaveError(errptr, leveldb::PmemOpen(options->rep, pmem_options->rep, name, &db));
  return failed ? nullptr : new leveldb_pmem_t{db, {db}};
}

void leveldb_pmem_close(leveldb_pmem_t* db) {
  delete db->rep;
  delete db;
}

leveldb_t* leveldb_pmem_db(leveldb_pmem_t* db) {
  return &db->plain;
}

void leveldb_pmem_drain(leveldb_pmem_t* db, char** errptr) {
  SaveError(errptr, db->rep->Drain());
}

void leveldb_pmem_drain_db(const leveldb_options_t* options,
                           const leveldb_pmem_options_t* pmem_options, const char* name,
                           char** errptr) {
  SaveError(errptr, leveldb::DrainDB(name, options->rep, pmem_options->rep));
}

void leveldb_pmem_backup_db(const leveldb_options_t* options,
                            const leveldb_pmem_options_t* pmem_options, const char* name,
                            const char* target, char** errptr) {
  SaveError(errptr, leveldb::BackupDB(name, options->rep, pmem_options->rep, target));
}

leveldb_pmem_options_t* leveldb_pmem_options_create(void) {
  return new leveldb_pmem_options_t;
}

void leveldb_pmem_options_destroy(leveldb_pmem_options_t* options) {
  delete options;
}

void leveldb_pmem_options_set_path(leveldb_pmem_options_t* options, const char* path) {
  options->rep.path = path;
}

void leveldb_pmem_options_set_size(leveldb_pmem_options_t* options, uint64_t bytes) {
  options->rep.size = bytes;
}

void leveldb_pmem_options_set_assume_pmem(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.assume_pmem = value != 0;
}

void leveldb_pmem_options_set_assume_pmem_anywhere(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.assume_pmem_anywhere = value != 0;
}

void leveldb_pmem_options_set_guard_faults(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.guard_faults = value != 0;
}

void leveldb_pmem_options_set_prefault(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.prefault = value != 0;
}

void leveldb_pmem_options_set_require(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.require = value != 0;
}

void leveldb_pmem_options_set_convert(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.convert = value != 0;
}

void leveldb_pmem_options_set_value_separation_bytes(leveldb_pmem_options_t* options,
                                                     uint64_t bytes) {
  options->rep.value_separation_bytes = bytes;
}

void leveldb_pmem_options_set_wal_persist_bytes(leveldb_pmem_options_t* options, uint64_t bytes) {
  options->rep.wal_persist_bytes = bytes;
}

void leveldb_pmem_options_set_gc_ratio(leveldb_pmem_options_t* options, double ratio) {
  options->rep.gc_ratio = ratio;
}

void leveldb_pmem_options_set_dynamic_tree(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.dynamic_tree = value != 0;
}

void leveldb_pmem_options_set_spill(leveldb_pmem_options_t* options, uint8_t value) {
  options->rep.spill = value != 0;
}

void leveldb_pmem_options_set_spill_shares(leveldb_pmem_options_t* options, double start,
                                           double stop) {
  options->rep.spill_start = start;
  options->rep.spill_stop = stop;
}

}  // extern "C"
