/* Tests the C interface from C: calls every function of leveldb/c.h and checks the results. The
   exit code is 0 if all is well; otherwise the failed check is printed.

   Usage: c_test [EMPTY-OR-MISSING-DIRECTORY]   (default: one under the Env's test directory) */

#include "leveldb/c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* phase = "";

#define CHECK(condition)                                                                 \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      fprintf(stderr, "%s:%d: in \"%s\": %s does not hold\n", __FILE__, __LINE__, phase, \
              #condition);                                                               \
      exit(1);                                                                           \
    }                                                                                    \
  } while (0)

/* Fails with the message in *error, if there is one. */
#define CHECK_NO_ERROR(error)                                                      \
  do {                                                                             \
    if ((error) != NULL) {                                                         \
      fprintf(stderr, "%s:%d: in \"%s\": %s\n", __FILE__, __LINE__, phase, error); \
      exit(1);                                                                     \
    }                                                                              \
  } while (0)

/* Objects that most phases use. */
struct fixture {
  char name[1000]; /* of the database */
  leveldb_env_t* env;
  leveldb_cache_t* cache;
  leveldb_comparator_t* comparator;
  leveldb_options_t* options;
  leveldb_readoptions_t* read_options;
  leveldb_writeoptions_t* write_options;
  leveldb_t* db;
};

static void start_phase(const char* name) {
  phase = name;
  fprintf(stderr, "%s\n", name);
}

/* Helpers */

static int equal_bytes(const char* bytes, size_t size, const char* text) {
  return size == strlen(text) && memcmp(bytes, text, size) == 0;
}

/* Checks that `key` has the value `expected`, or, if that is NULL, that it does not exist. */
static void check_get(struct fixture* f, const char* key, const char* expected) {
  char* error = NULL;
  size_t size = 12345;
  char* value = leveldb_get(f->db, f->read_options, key, strlen(key), &size, &error);
  CHECK_NO_ERROR(error);
  if (expected == NULL) {
    CHECK(value == NULL);
    CHECK(size == 0);
  } else {
    CHECK(value != NULL);
    CHECK(equal_bytes(value, size, expected));
  }
  leveldb_free(value);
}

static void put(struct fixture* f, const char* key, const char* value) {
  char* error = NULL;
  leveldb_put(f->db, f->write_options, key, strlen(key), value, strlen(value), &error);
  CHECK_NO_ERROR(error);
}

static void open_db(struct fixture* f) {
  char* error = NULL;
  f->db = leveldb_open(f->options, f->name, &error);
  CHECK_NO_ERROR(error);
  CHECK(f->db != NULL);
}

static void close_db(struct fixture* f) {
  leveldb_close(f->db);
  f->db = NULL;
}

static void destroy_db(struct fixture* f) {
  char* error = NULL;
  leveldb_destroy_db(f->options, f->name, &error);
  CHECK_NO_ERROR(error);
}

static void check_entry(const leveldb_iterator_t* iter, const char* key, const char* value) {
  size_t size = 0;
  const char* bytes;
  CHECK(leveldb_iter_valid(iter));
  bytes = leveldb_iter_key(iter, &size);
  CHECK(equal_bytes(bytes, size, key));
  bytes = leveldb_iter_value(iter, &size);
  CHECK(equal_bytes(bytes, size, value));
}

/* A comparator in C: bytewise, and counts how often its state was destroyed. */

static int compare_bytes(void* state, const char* a, size_t alen, const char* b, size_t blen) {
  const size_t common = alen < blen ? alen : blen;
  const int order = memcmp(a, b, common);
  (void)state;
  if (order != 0) return order;
  return alen < blen ? -1 : alen > blen;
}

static const char* comparator_name(void* state) {
  (void)state;
  return "c_test.Bytes";
}

static void count_destruction(void* state) {
  ++*(int*)state;
}

/* A filter policy in C whose filters return what the test sets. */

struct filter_state {
  int destroyed;
  int filters_made;
  uint8_t answer;
};

static void destroy_filter_state(void* state) {
  ((struct filter_state*)state)->destroyed++;
}

static const char* filter_name(void* state) {
  (void)state;
  return "c_test.Filter";
}

static char* create_filter(void* state, const char* const* keys, const size_t* lengths,
                           int num_keys, size_t* filter_length) {
  char* filter = malloc(4);
  CHECK(filter != NULL);
  CHECK(num_keys == 0 || (keys[0] != NULL && lengths[0] > 0));
  memcpy(filter, "mark", 4);
  *filter_length = 4;
  ((struct filter_state*)state)->filters_made++;
  return filter;
}

static uint8_t key_may_match(void* state, const char* key, size_t length, const char* filter,
                             size_t filter_length) {
  CHECK(key != NULL && length > 0);
  CHECK(equal_bytes(filter, filter_length, "mark"));
  return ((struct filter_state*)state)->answer;
}

/* The contents of a batch, as passed to the handler. */
struct batch_log {
  char text[200];
};

static void log_put(void* state, const char* k, size_t klen, const char* v, size_t vlen) {
  struct batch_log* log = state;
  const size_t used = strlen(log->text);
  snprintf(log->text + used, sizeof(log->text) - used, "put %.*s=%.*s;", (int)klen, k, (int)vlen,
           v);
}

static void log_delete(void* state, const char* k, size_t klen) {
  struct batch_log* log = state;
  const size_t used = strlen(log->text);
  snprintf(log->text + used, sizeof(log->text) - used, "del %.*s;", (int)klen, k);
}

/* Phases, each of which builds on the ones before */

static void set_up(struct fixture* f, const char* name, int* comparators_destroyed) {
  char* directory;
  start_phase("versions");
  CHECK(leveldb_major_version() == 1);
  CHECK(leveldb_minor_version() == 23);

  start_phase("set up");
  f->db = NULL;
  f->env = leveldb_create_default_env();
  directory = leveldb_env_get_test_directory(f->env);
  CHECK(directory != NULL);
  if (name != NULL) {
    snprintf(f->name, sizeof(f->name), "%s", name);
  } else {
    snprintf(f->name, sizeof(f->name), "%s/c_test", directory);
  }
  leveldb_free(directory);

  f->cache = leveldb_cache_create_lru(100000);
  f->comparator = leveldb_comparator_create(comparators_destroyed, count_destruction, compare_bytes,
                                            comparator_name);
  f->options = leveldb_options_create();
  leveldb_options_set_comparator(f->options, f->comparator);
  leveldb_options_set_error_if_exists(f->options, 1);
  leveldb_options_set_cache(f->options, f->cache);
  leveldb_options_set_env(f->options, f->env);
  leveldb_options_set_info_log(f->options, NULL);
  leveldb_options_set_write_buffer_size(f->options, 100000);
  leveldb_options_set_paranoid_checks(f->options, 1);
  leveldb_options_set_max_open_files(f->options, 100);
  leveldb_options_set_block_size(f->options, 1024);
  leveldb_options_set_block_restart_interval(f->options, 8);
  leveldb_options_set_max_file_size(f->options, 3 << 20);
  leveldb_options_set_compression(f->options, leveldb_no_compression);

  f->read_options = leveldb_readoptions_create();
  leveldb_readoptions_set_verify_checksums(f->read_options, 1);
  leveldb_readoptions_set_fill_cache(f->read_options, 0);
  f->write_options = leveldb_writeoptions_create();
  leveldb_writeoptions_set_sync(f->write_options, 1);
}

static void test_errors(struct fixture* f) {
  char* error = NULL;
  start_phase("open a missing database");
  destroy_db(f);
  leveldb_options_set_create_if_missing(f->options, 0);
  CHECK(leveldb_open(f->options, f->name, &error) == NULL);
  CHECK(error != NULL);
  CHECK(strstr(error, "Invalid argument") == error);
  CHECK(strstr(error, "does not exist") != NULL);

  start_phase("an older message is replaced");
  CHECK(leveldb_open(f->options, f->name, &error) == NULL);
  CHECK(error != NULL);
  leveldb_free(error);
  leveldb_free(NULL);
}

static void test_put_get_delete(struct fixture* f) {
  char* error = NULL;
  start_phase("put, get, delete");
  leveldb_options_set_create_if_missing(f->options, 1);
  open_db(f);
  check_get(f, "foo", NULL);
  put(f, "foo", "hello");
  put(f, "empty", "");
  check_get(f, "foo", "hello");
  check_get(f, "empty", "");
  check_get(f, "fo", NULL);
  leveldb_delete(f->db, f->write_options, "empty", 5, &error);
  CHECK_NO_ERROR(error);
  check_get(f, "empty", NULL);

  start_phase("open twice");
  CHECK(leveldb_open(f->options, f->name, &error) == NULL);
  CHECK(error != NULL);
  leveldb_free(error);
}

static void test_batches(struct fixture* f) {
  char* error = NULL;
  struct batch_log seen = {""};
  leveldb_writebatch_t* batch = leveldb_writebatch_create();
  leveldb_writebatch_t* more = leveldb_writebatch_create();
  start_phase("batches");
  leveldb_writebatch_put(batch, "gone", 4, "x", 1);
  leveldb_writebatch_clear(batch);
  leveldb_writebatch_put(batch, "bar", 3, "b", 1);
  leveldb_writebatch_put(batch, "box", 3, "c", 1);
  leveldb_writebatch_delete(more, "bar", 3);
  leveldb_writebatch_append(batch, more);
  leveldb_write(f->db, f->write_options, batch, &error);
  CHECK_NO_ERROR(error);
  check_get(f, "gone", NULL);
  check_get(f, "bar", NULL);
  check_get(f, "box", "c");

  leveldb_writebatch_iterate(batch, &seen, log_put, log_delete);
  CHECK(strcmp(seen.text, "put bar=b;put box=c;del bar;") == 0);
  leveldb_writebatch_destroy(batch);
  leveldb_writebatch_destroy(more);
}

static void test_iterators(struct fixture* f) {
  char* error = NULL;
  leveldb_iterator_t* iter = leveldb_create_iterator(f->db, f->read_options);
  start_phase("iterators");
  CHECK(!leveldb_iter_valid(iter));
  leveldb_iter_seek_to_first(iter);
  check_entry(iter, "box", "c");
  leveldb_iter_next(iter);
  check_entry(iter, "foo", "hello");
  leveldb_iter_prev(iter);
  check_entry(iter, "box", "c");
  leveldb_iter_prev(iter);
  CHECK(!leveldb_iter_valid(iter));
  leveldb_iter_seek_to_last(iter);
  check_entry(iter, "foo", "hello");
  leveldb_iter_seek(iter, "c", 1);
  check_entry(iter, "foo", "hello");
  leveldb_iter_seek(iter, "zoo", 3);
  CHECK(!leveldb_iter_valid(iter));
  leveldb_iter_get_error(iter, &error);
  CHECK_NO_ERROR(error);
  leveldb_iter_destroy(iter);
}

static void test_snapshots(struct fixture* f) {
  char* error = NULL;
  const leveldb_snapshot_t* snapshot = leveldb_create_snapshot(f->db);
  start_phase("snapshots");
  leveldb_delete(f->db, f->write_options, "foo", 3, &error);
  CHECK_NO_ERROR(error);
  leveldb_readoptions_set_snapshot(f->read_options, snapshot);
  check_get(f, "foo", "hello");
  leveldb_readoptions_set_snapshot(f->read_options, NULL);
  check_get(f, "foo", NULL);
  leveldb_release_snapshot(f->db, snapshot);
  put(f, "foo", "hello");
}

static void test_sizes_and_properties(struct fixture* f) {
  const char* starts[2] = {"a", "k00000000000000010000"};
  const size_t start_lengths[2] = {1, 21};
  const char* limits[2] = {"k00000000000000010000", "z"};
  const size_t limit_lengths[2] = {21, 1};
  uint64_t sizes[2] = {0, 0};
  char key[100], value[100];
  char* text;
  int i;
  start_phase("approximate sizes");
  leveldb_writeoptions_set_sync(f->write_options, 0);
  for (i = 0; i < 20000; i++) {
    snprintf(key, sizeof(key), "k%020d", i);
    snprintf(value, sizeof(value), "v%020d", i);
    put(f, key, value);
  }
  leveldb_compact_range(f->db, NULL, 0, NULL, 0);
  leveldb_approximate_sizes(f->db, 2, starts, start_lengths, limits, limit_lengths, sizes);
  CHECK(sizes[0] > 0);
  CHECK(sizes[1] > 0);
  leveldb_approximate_sizes(f->db, 0, NULL, NULL, NULL, NULL, NULL);

  start_phase("properties");
  CHECK(leveldb_property_value(f->db, "nosuchprop") == NULL);
  text = leveldb_property_value(f->db, "leveldb.stats");
  CHECK(text != NULL);
  leveldb_free(text);
  text = leveldb_property_value(f->db, "leveldb.num-files-at-level0");
  CHECK(text != NULL);
  CHECK(strcmp(text, "0") == 0);
  leveldb_free(text);

  start_phase("compact a range");
  leveldb_compact_range(f->db, "k00000000000000010000", 21, "k00000000000000010010", 21);
  check_get(f, "k00000000000000010005", "v00000000000000010005");
}

static void test_repair(struct fixture* f) {
  char* error = NULL;
  start_phase("repair");
  close_db(f);
  leveldb_options_set_create_if_missing(f->options, 0);
  leveldb_options_set_error_if_exists(f->options, 0);
  leveldb_repair_db(f->options, f->name, &error);
  CHECK_NO_ERROR(error);
  open_db(f);
  check_get(f, "foo", "hello");
  check_get(f, "bar", NULL);
  check_get(f, "box", "c");
  check_get(f, "k00000000000000019999", "v00000000000000019999");
  close_db(f);

  leveldb_options_set_comparator(f->options, NULL);
  CHECK(leveldb_open(f->options, f->name, &error) == NULL);
  CHECK(error != NULL);
  CHECK(strstr(error, "does not match existing comparator") != NULL);
  leveldb_free(error);
  leveldb_options_set_comparator(f->options, f->comparator);
}

/* Fills a fresh database that uses `policy`, in one table, and leaves it open. */
static void open_with_filter(struct fixture* f, leveldb_filterpolicy_t* policy) {
  destroy_db(f);
  leveldb_options_set_create_if_missing(f->options, 1);
  leveldb_options_set_filter_policy(f->options, policy);
  open_db(f);
  put(f, "foo", "foovalue");
  put(f, "bar", "barvalue");
  leveldb_compact_range(f->db, NULL, 0, NULL, 0);
}

static void test_filters(struct fixture* f) {
  struct filter_state state = {0, 0, 1};
  leveldb_filterpolicy_t* policy;
  start_phase("a filter policy in C");
  policy = leveldb_filterpolicy_create(&state, destroy_filter_state, create_filter, key_may_match,
                                       filter_name);
  open_with_filter(f, policy);
  CHECK(state.filters_made > 0);
  check_get(f, "foo", "foovalue");
  check_get(f, "bar", "barvalue");
  state.answer = 0; /* a filter that denies everything hides the keys, so it was asked */
  check_get(f, "foo", NULL);
  state.answer = 1;
  check_get(f, "foo", "foovalue");
  close_db(f);
  leveldb_options_set_filter_policy(f->options, NULL);
  leveldb_filterpolicy_destroy(policy);
  CHECK(state.destroyed == 1);

  start_phase("the Bloom filter policy");
  policy = leveldb_filterpolicy_create_bloom(10);
  leveldb_options_set_compression(f->options, leveldb_snappy_compression);
  open_with_filter(f, policy);
  check_get(f, "foo", "foovalue");
  check_get(f, "bar", "barvalue");
  check_get(f, "baz", NULL);
  close_db(f);
  leveldb_options_set_filter_policy(f->options, NULL);
  leveldb_filterpolicy_destroy(policy);
}

static void tear_down(struct fixture* f) {
  start_phase("tear down");
  destroy_db(f);
  leveldb_options_destroy(f->options);
  leveldb_readoptions_destroy(f->read_options);
  leveldb_writeoptions_destroy(f->write_options);
  leveldb_cache_destroy(f->cache);
  leveldb_comparator_destroy(f->comparator);
  leveldb_env_destroy(f->env);
}

int main(int argc, char** argv) {
  struct fixture f;
  int comparators_destroyed = 0;
  set_up(&f, argc > 1 ? argv[1] : NULL, &comparators_destroyed);
  test_errors(&f);
  test_put_get_delete(&f);
  test_batches(&f);
  test_iterators(&f);
  test_snapshots(&f);
  test_sizes_and_properties(&f);
  test_repair(&f);
  test_filters(&f);
  tear_down(&f);
  CHECK(comparators_destroyed == 1);
  fprintf(stderr, "all is well\n");
  return 0;
}
