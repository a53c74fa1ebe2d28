// Options for opening a database, for reads and for writes.
//
// The layout of Options is frozen: the constructor, which is in the library, writes the defaults to
// memory that programs, some of them built with earlier versions, have reserved. No field can be
// added.

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

// The compression of the blocks of tables. The numbers are stored in files.
enum CompressionType {
  kNoCompression = 0x0,
  kSnappyCompression = 0x1,
  // Can always be read by this library; LevelDB 1.23 cannot read tables that use it.
  kZstdCompression = 0x2,
};

// Options of DB::Open. Pointers belong to the caller and must outlive the database. Values outside
// the given ranges are set to the nearest limit.
struct LEVELDB_EXPORT Options {
  // Sets every field to its default.
  Options();

  // The order of keys. A database must always be opened with the same comparator (compared by
  // name). Default: BytewiseComparator().
  const Comparator* comparator;

  // Create the database if it does not exist, instead of failing. Default: false.
  bool create_if_missing = false;

  // Fail if the database exists already. Default: false.
  bool error_if_exists = false;

  // Report any damage as an error immediately, instead of recovering as much data as possible. One
  // damaged entry may then make it impossible to open the database. Default: false.
  bool paranoid_checks = false;

  // Files, clocks and background threads. Default: Env::Default().
  Env* env;

  // Receives messages about progress and errors. Null: a file named LOG in the database directory,
  // owned by the database. Default: null.
  Logger* info_log = nullptr;

  // Bytes collected in memory (and in the log) before they are written to a sorted table. A larger
  // value makes bulk loads faster and opening slower; up to two buffers are in memory at a time. 64
  // KiB to 1 GiB. Default: 4 MiB.
  size_t write_buffer_size = 4 * 1024 * 1024;

  // Maximum number of files that the database keeps open. 74 to 50000. Default: 1000.
  int max_open_files = 1000;

  // Cache of uncompressed blocks. Null: a cache of 8 MiB owned by the database. Default: null.
  Cache* block_cache = nullptr;

  // Bytes of user data per block, before compression: the unit of a read from disk. 1 KiB to 4 MiB.
  // May change from one open to the next. Default: 4 KiB.
  size_t block_size = 4 * 1024;

  // Number of entries between restart points, which are keys that are stored completely rather than
  // as a difference to the previous key. At least 1. May change from one open to the next. Default:
  // 16.
  int block_restart_interval = 16;

  // Size in bytes at which a table file is finished and the next one begun. 1 MiB to 1 GiB.
  // Default: 2 MiB.
  size_t max_file_size = 2 * 1024 * 1024;

  // Compression of new blocks; blocks that shrink by less than an eighth are stored uncompressed.
  // May change from one open to the next. Default: kSnappyCompression.
  CompressionType compression = kSnappyCompression;

  // Append to the log and manifest that exist at open instead of starting new ones, which makes
  // opening faster. Default: false.
  bool reuse_logs = false;

  // Creates filters, stored with each table, that reduce disk reads. Null: no filters. Default:
  // null.
  const FilterPolicy* filter_policy = nullptr;
};

// Options of reads.
struct LEVELDB_EXPORT ReadOptions {
  // Verify the checksums of all data read from files. Default: false.
  bool verify_checksums = false;

  // Keep the blocks read in the block cache. Set it to false for large scans. Default: true.
  bool fill_cache = true;

  // Read the state of this snapshot, which must belong to the database and must not have been
  // released. Null: read the state at the beginning of the call. Default: null.
  const Snapshot* snapshot = nullptr;
};

// Options of writes.
struct LEVELDB_EXPORT WriteOptions {
  // Return only after the write is on stable storage: it then survives a crash of the machine.
  // Without sync a write survives a crash of the process, but a crash of the machine may lose the
  // latest writes, not necessarily in their order. A later synced write makes all earlier writes
  // durable as well. Default: false.
  bool sync = false;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_OPTIONS_H_
