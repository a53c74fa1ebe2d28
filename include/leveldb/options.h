// Options for a database, for reads and for writes.
//
// The layout of Options is fixed: the library fills in the defaults in memory that programs, some
// of them built long ago, have reserved. Nothing can be added to it.

#ifndef LEVELDB_INCLUDE_OPTIONS_H_
#define LEVELDB_INCLUDE_OPTIONS_H_

#include <cstddef>

#include "leveldb/export.h"

namespace leveldb {

class Cache;
class Comparator;
class Env;
class FilterPolicy;
class Logger;
class Snapshot;

// How blocks of tables are compressed on disk. The numbers are stored in files.
enum CompressionType {
  kNoCompression = 0x0,
  kSnappyCompression = 0x1,
  // Readable always; LevelDB 1.23 cannot read tables that use it.
  kZstdCompression = 0x2,
};

// Passed to DB::Open. Pointers stay the caller's and must outlive the database. Values outside the
// ranges given are moved to the nearer end.
struct LEVELDB_EXPORT Options {
  // Sets every field to its default.
  Options();

  // The order of keys. A database must always be opened with the same one (compared by name).
  // Default: BytewiseComparator().
  const Comparator* comparator;

  // Make the database when it is missing, instead of failing. Default: false.
  bool create_if_missing = false;

  // Fail when the database exists already. Default: false.
  bool error_if_exists = false;

  // Treat any damage met as an error at once, instead of saving what can be saved. One bad entry
  // may then make the whole database refuse to open. Default: false.
  bool paranoid_checks = false;

  // Files, clock and threads. Default: Env::Default().
  Env* env;

  // Where progress and errors are written. Null: a file named LOG in the database directory,
  // owned by the database. Default: null.
  Logger* info_log = nullptr;

  // Bytes collected in memory (and in the log) before they become a sorted table. More makes bulk
  // loads faster and reopening slower; up to two buffers are in memory at a time.
  // 64 KiB to 1 GiB. Default: 4 MiB.
  size_t write_buffer_size = 4 * 1024 * 1024;

  // How many files the database may keep open. 74 to 50000. Default: 1000.
  int max_open_files = 1000;

  // Cache of uncompressed blocks. Null: a cache of 8 MiB owned by the database. Default: null.
  Cache* block_cache = nullptr;

  // Bytes of user data per block, before compression: what one read fetches. 1 KiB to 4 MiB. May
  // change from one open to the next. Default: 4 KiB.
  size_t block_size = 4 * 1024;

  // Entries between two keys that are stored whole rather than as a difference to the one before.
  // At least 1. May change from one open to the next. Default: 16.
  int block_restart_interval = 16;

  // Bytes after which a table file is closed and the next begun. 1 MiB to 1 GiB. Default: 2 MiB.
  size_t max_file_size = 2 * 1024 * 1024;

  // Compression of new blocks; those that shrink by less than an eighth are stored plain. May
  // change from one open to the next. Default: kSnappyCompression.
  CompressionType compression = kSnappyCompression;

  // Append to the log and manifest found at open instead of beginning new ones, which makes
  // opening faster. Default: false.
  bool reuse_logs = false;

  // Filter kept with each table to spare disk reads. Null: none. Default: null.
  const FilterPolicy* filter_policy = nullptr;
};

// Passed to reads.
struct LEVELDB_EXPORT ReadOptions {
  // Verify the checksum of all data read from files. Default: false.
  bool verify_checksums = false;

  // Keep the blocks read in the block cache. Say false for large scans. Default: true.
  bool fill_cache = true;

  // Read the database as of this snapshot, which must belong to it and not be released yet. Null:
  // as of the beginning of the call. Default: null.
  const Snapshot* snapshot = nullptr;
};

// Passed to writes.
struct LEVELDB_EXPORT WriteOptions {
  // Return only after the write is on stable storage: it then survives a crash of the machine.
  // Without it a write survives a crash of the process, but the latest writes may be lost with the
  // machine, and not necessarily in their order. A later synced write makes all writes before it
  // safe as well. Default: false.
  bool sync = false;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_OPTIONS_H_
