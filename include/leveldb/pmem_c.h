/* The persistent-memory tier for C. See pmem.h for what the functions do, and c.h for the rules of
   ownership, errptr and booleans. */

#ifndef LEVELDB_INCLUDE_PMEM_C_H_
#define LEVELDB_INCLUDE_PMEM_C_H_

#include <stddef.h>
#include <stdint.h>

#include "leveldb/c.h"
#include "leveldb/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct leveldb_pmem_t leveldb_pmem_t;
typedef struct leveldb_pmem_options_t leveldb_pmem_options_t;

/* The database */

/* Returns NULL on failure. The result must be closed with leveldb_pmem_close. */
LEVELDB_EXPORT leveldb_pmem_t* leveldb_pmem_open(const leveldb_options_t* options,
                                                 const leveldb_pmem_options_t* pmem_options,
                                                 const char* name, char** errptr);

LEVELDB_EXPORT void leveldb_pmem_close(leveldb_pmem_t* db);

/* Returns the same database for all functions of c.h except leveldb_close. It is valid until db is
   closed. */
LEVELDB_EXPORT leveldb_t* leveldb_pmem_db(leveldb_pmem_t* db);

/* Moves all data into table files and removes the pool. */
LEVELDB_EXPORT void leveldb_pmem_drain(leveldb_pmem_t* db, char** errptr);

/* Whole databases; they must not be open */

LEVELDB_EXPORT void leveldb_pmem_drain_db(const leveldb_options_t* options,
                                          const leveldb_pmem_options_t* pmem_options,
                                          const char* name, char** errptr);

LEVELDB_EXPORT void leveldb_pmem_backup_db(const leveldb_options_t* options,
                                           const leveldb_pmem_options_t* pmem_options,
                                           const char* name, const char* target, char** errptr);

/* Options: one setter for each field of PmemOptions */

LEVELDB_EXPORT leveldb_pmem_options_t* leveldb_pmem_options_create(void);

LEVELDB_EXPORT void leveldb_pmem_options_destroy(leveldb_pmem_options_t* options);

LEVELDB_EXPORT void leveldb_pmem_options_set_path(leveldb_pmem_options_t* options,
                                                  const char* path);

LEVELDB_EXPORT void leveldb_pmem_options_set_size(leveldb_pmem_options_t* options, uint64_t bytes);

LEVELDB_EXPORT void leveldb_pmem_options_set_assume_pmem(leveldb_pmem_options_t* options,
                                                         uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_assume_pmem_anywhere(leveldb_pmem_options_t* options,
                                                                  uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_guard_faults(leveldb_pmem_options_t* options,
                                                          uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_prefault(leveldb_pmem_options_t* options,
                                                      uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_require(leveldb_pmem_options_t* options,
                                                     uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_convert(leveldb_pmem_options_t* options,
                                                     uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_value_separation_bytes(leveldb_pmem_options_t* options,
                                                                    uint64_t bytes);

LEVELDB_EXPORT void leveldb_pmem_options_set_wal_persist_bytes(leveldb_pmem_options_t* options,
                                                               uint64_t bytes);

LEVELDB_EXPORT void leveldb_pmem_options_set_gc_ratio(leveldb_pmem_options_t* options,
                                                      double ratio);

LEVELDB_EXPORT void leveldb_pmem_options_set_dynamic_tree(leveldb_pmem_options_t* options,
                                                          uint8_t value);

LEVELDB_EXPORT void leveldb_pmem_options_set_spill(leveldb_pmem_options_t* options, uint8_t value);

/* Sets the shares of the size at which spills to table files begin and end. */
LEVELDB_EXPORT void leveldb_pmem_options_set_spill_shares(leveldb_pmem_options_t* options,
                                                          double start, double stop);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* LEVELDB_INCLUDE_PMEM_C_H_ */
