/* A C program that uses the persistent-memory tier: opens, writes, reads, drains, destroys. */

#include <stdio.h>
#include <string.h>

#include "leveldb/c.h"
#include "leveldb/pmem_c.h"

int main(int argc, char** argv) {
  char* error = NULL;
  char* value = NULL;
  size_t length = 0;
  int good = 0;
  char pool[4096];
  leveldb_options_t* options = leveldb_options_create();
  leveldb_writeoptions_t* write_options = leveldb_writeoptions_create();
  leveldb_readoptions_t* read_options = leveldb_readoptions_create();
  leveldb_pmem_options_t* pmem_options = leveldb_pmem_options_create();
  leveldb_pmem_t* db = NULL;
  if (argc != 2 || strlen(argv[1]) > sizeof(pool) - 10) {
    return 2;
  }
  strcat(strcpy(pool, argv[1]), ".pool");
  leveldb_options_set_create_if_missing(options, 1);
  leveldb_pmem_options_set_path(pmem_options, pool);
  leveldb_pmem_options_set_size(pmem_options, 8 << 20);
  leveldb_pmem_options_set_assume_pmem(pmem_options, 1);
  leveldb_pmem_options_set_assume_pmem_anywhere(pmem_options, 1);
  db = leveldb_pmem_open(options, pmem_options, argv[1], &error);
  if (error != NULL && strstr(error, "Not implemented") != NULL) {
    printf("built without the tier: %s\n", error);
    return 0;
  }
  if (error == NULL) {
    leveldb_put(leveldb_pmem_db(db), write_options, "key", 3, "value", 5, &error);
  }
  if (error == NULL) {
    value = leveldb_get(leveldb_pmem_db(db), read_options, "key", 3, &length, &error);
  }
  good = error == NULL && value != NULL && length == 5 && memcmp(value, "value", 5) == 0;
  if (error == NULL) {
    leveldb_pmem_drain(db, &error);
  }
  if (db != NULL) {
    leveldb_pmem_close(db);
  }
  if (error == NULL) {
    leveldb_destroy_db(options, argv[1], &error);
  }
  printf("%s\n", error == NULL ? "OK" : error);
  good = good && error == NULL;
  leveldb_free(value);
  leveldb_free(error);
  leveldb_pmem_options_destroy(pmem_options);
  leveldb_readoptions_destroy(read_options);
  leveldb_writeoptions_destroy(write_options);
  leveldb_options_destroy(options);
  return good ? 0 : 1;
}
