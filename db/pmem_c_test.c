/* Tests the persistent-memory tier from C: calls every function of leveldb/pmem_c.h and checks the
   results. The exit code is 0 if all is well; otherwise the failed check is printed.

   Usage: pmem_c_test DIRECTORY   (created if missing; the test removes what it creates there) */

#include "leveldb/pmem_c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CHECK(condition)                                                            \
  do {                                                                              \
    if (!(condition)) {                                                             \
      fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                      \
    }                                                                               \
  } while (0)

/* Fails with the message in *error, if there is one. */
#define CHECK_NO_ERROR(error)                                    \
  do {                                                           \
    if ((error) != NULL) {                                       \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, error); \
      exit(1);                                                   \
    }                                                            \
  } while (0)

static leveldb_options_t* options;
static leveldb_pmem_options_t* pmem_options;
static char pool[1000];
static char name[1000];
static char copy[1000];

static void make_options(void) {
  options = leveldb_options_create();
  leveldb_options_set_create_if_missing(options, 1);
  pmem_options = leveldb_pmem_options_create();
  leveldb_pmem_options_set_path(pmem_options, pool);
  leveldb_pmem_options_set_size(pmem_options, 16 << 20);
  leveldb_pmem_options_set_assume_pmem(pmem_options, 0);
  leveldb_pmem_options_set_assume_pmem_anywhere(pmem_options, 0);
  leveldb_pmem_options_set_guard_faults(pmem_options, 0);
  leveldb_pmem_options_set_prefault(pmem_options, 1);
  leveldb_pmem_options_set_require(pmem_options, 1);
  leveldb_pmem_options_set_convert(pmem_options, 0);
  leveldb_pmem_options_set_value_separation_bytes(pmem_options, 1000);
  leveldb_pmem_options_set_wal_persist_bytes(pmem_options, 4096);
  leveldb_pmem_options_set_gc_ratio(pmem_options, 0.4);
  leveldb_pmem_options_set_dynamic_tree(pmem_options, 0);
  leveldb_pmem_options_set_spill(pmem_options, 1);
  leveldb_pmem_options_set_spill_shares(pmem_options, 0.8, 0.6);
}

static void put(leveldb_t* db, const char* key, const char* value) {
  char* error = NULL;
  leveldb_writeoptions_t* write_options = leveldb_writeoptions_create();
  leveldb_put(db, write_options, key, strlen(key), value, strlen(value), &error);
  CHECK_NO_ERROR(error);
  leveldb_writeoptions_destroy(write_options);
}

static void check_get(leveldb_t* db, const char* key, const char* expected) {
  char* error = NULL;
  size_t size = 0;
  leveldb_readoptions_t* read_options = leveldb_readoptions_create();
  char* value = leveldb_get(db, read_options, key, strlen(key), &size, &error);
  CHECK_NO_ERROR(error);
  CHECK(value != NULL && size == strlen(expected) && memcmp(value, expected, size) == 0);
  leveldb_free(value);
  leveldb_readoptions_destroy(read_options);
}

/* Returns whether the database has a tier now. */
static int has_tier(leveldb_t* db) {
  char* text = leveldb_property_value(db, "leveldb.pmem");
  const int has = text != NULL;
  leveldb_free(text);
  return has;
}

static leveldb_pmem_t* open_database(void) {
  char* error = NULL;
  leveldb_pmem_t* db = leveldb_pmem_open(options, pmem_options, name, &error);
  CHECK_NO_ERROR(error);
  CHECK(db != NULL);
  return db;
}

static void check_plain(const char* place) {
  char* error = NULL;
  leveldb_t* plain = leveldb_open(options, place, &error);
  CHECK_NO_ERROR(error);
  CHECK(!has_tier(plain));
  check_get(plain, "key", "value");
  leveldb_close(plain);
}

int main(int argc, char** argv) {
  char* error = NULL;
  leveldb_pmem_t* db;
  CHECK(argc == 2);
  mkdir(argv[1], 0777);
  snprintf(pool, sizeof(pool), "%s/pool", argv[1]);
  snprintf(name, sizeof(name), "%s/db", argv[1]);
  snprintf(copy, sizeof(copy), "%s/copy", argv[1]);
  make_options();
  leveldb_destroy_db(options, name, &error);
  leveldb_destroy_db(options, copy, &error);
  CHECK_NO_ERROR(error);
  remove(pool);

  db = open_database();
  CHECK(has_tier(leveldb_pmem_db(db)));
  put(leveldb_pmem_db(db), "key", "value");
  check_get(leveldb_pmem_db(db), "key", "value");
  CHECK(leveldb_pmem_open(options, pmem_options, name, &error) == NULL);
  CHECK(error != NULL && strstr(error, "lock") != NULL);
  leveldb_pmem_close(db);
  leveldb_free(error);
  error = NULL;

  leveldb_pmem_backup_db(options, pmem_options, name, copy, &error);
  CHECK_NO_ERROR(error);
  check_plain(copy);

  db = open_database();
  check_get(leveldb_pmem_db(db), "key", "value");
  leveldb_pmem_drain(db, &error);
  CHECK_NO_ERROR(error);
  CHECK(!has_tier(leveldb_pmem_db(db)));
  leveldb_pmem_close(db);
  check_plain(name);

  leveldb_pmem_options_set_convert(pmem_options, 1);
  db = open_database();
  CHECK(has_tier(leveldb_pmem_db(db)));
  leveldb_pmem_close(db);
  leveldb_pmem_drain_db(options, pmem_options, name, &error);
  CHECK_NO_ERROR(error);
  check_plain(name);

  leveldb_destroy_db(options, name, &error);
  leveldb_destroy_db(options, copy, &error);
  CHECK_NO_ERROR(error);
  CHECK(remove(pool) != 0); /* it has gone with the tier */
  remove(argv[1]);
  leveldb_pmem_options_destroy(pmem_options);
  leveldb_options_destroy(options);
  return 0;
}
