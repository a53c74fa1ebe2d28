/* A small but complete C program: opens, writes, reads, destroys. */

#include <stdio.h>
#include <string.h>

#include "leveldb/c.h"

int main(int argc, char** argv) {
  char* error = NULL;
  char* value = NULL;
  size_t length = 0;
  int good = 0;
  leveldb_options_t* options = leveldb_options_create();
  leveldb_writeoptions_t* write_options = leveldb_writeoptions_create();
  leveldb_readoptions_t* read_options = leveldb_readoptions_create();
  leveldb_t* db = NULL;
  if (argc != 2) {
    return 2;
  }
  leveldb_options_set_create_if_missing(options, 1);
  db = leveldb_open(options, argv[1], &error);
  if (error == NULL) {
    leveldb_put(db, write_options, "key", 3, "value", 5, &error);
  }
  if (error == NULL) {
    value = leveldb_get(db, read_options, "key", 3, &length, &error);
  }
  good = error == NULL && value != NULL && length == 5 && memcmp(value, "value", 5) == 0;
  if (db != NULL) {
    leveldb_close(db);
  }
  if (error == NULL) {
    leveldb_destroy_db(options, argv[1], &error);
  }
  printf("%s, version %d.%d\n", error == NULL ? "OK" : error, leveldb_major_version(),
         leveldb_minor_version());
  good = good && error == NULL;
  leveldb_free(value);
  leveldb_free(error);
  leveldb_readoptions_destroy(read_options);
  leveldb_writeoptions_destroy(write_options);
  leveldb_options_destroy(options);
  return good ? 0 : 1;
}
