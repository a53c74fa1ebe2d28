// The persistent-memory tier: a database whose newest data is in a pool of persistent memory and is
// moved to ordinary table files as the pool fills up.
//
//   leveldb::PmemDB* db = nullptr;
//   leveldb::Options options;
//   options.create_if_missing = true;
//   leveldb::PmemOptions pmem;
//   pmem.path = "/mnt/pmem";
//   leveldb::Status s = leveldb::PmemOpen(options, pmem, "/path/of/db", &db);
//   if (s.ok()) s = db->Put(leveldb::WriteOptions(), "key", "value");
//   delete db;
//
// The directory of such a database contains a text file PMEM that names its pool, so that DB::Open
// finds the pool again. Stock LevelDB refuses to open the directory until the tier has been
// drained.
//
// Environment variables enable the tier for programs that call DB::Open only. They are read if
// Options::env is Env::Default(), and never in programs that run with raised privileges:
//
//   LEVELDB_PMEM_PATH        where the pools of new databases are created
//   LEVELDB_PMEM_SIZE        PmemOptions::size; K, M and G stand for powers of 1024
//   LEVELDB_PMEM_ASSUME=1    PmemOptions::assume_pmem
//   LEVELDB_PMEM_PREFAULT=1  PmemOptions::prefault
//   LEVELDB_PMEM_CONVERT=1   PmemOptions::convert
//   LEVELDB_PMEM_REQUIRE=1   opening fails if a database that should get a pool cannot get one;
//                            without it the database is opened without the tier, and LOG says so

#ifndef LEVELDB_INCLUDE_PMEM_H_
#define LEVELDB_INCLUDE_PMEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/export.h"
#include "leveldb/options.h"
#include "leveldb/status.h"

namespace leveldb {

// Options of PmemOpen. Values outside the given ranges are set to the nearest limit. Values given
// here override the environment; prefault, convert and require hold if set in either. A database
// that has a pool keeps it: path, require and convert concern only a database that has none yet.
struct LEVELDB_EXPORT PmemOptions {
  // Where the pool is created: a directory (on a DAX file system, or on tmpfs for emulation), in
  // which each database gets a pool of its own that grows as needed; a file, which is created with
  // the given size and does not grow; or a device /dev/daxX.Y. Empty: as the environment says.
  // Default: empty.
  std::string path;

  // The number of bytes that the pool may grow to; for files and devices, its size. A value greater
  // than that of an existing pool lets it grow further. 0: the size of an existing pool, or 1 GiB
  // for a new one. At least 8 MiB. Default: 0.
  uint64_t size = 0;

  // Emulation: treat the pool's memory as persistent once CPU caches are flushed, although the
  // system does not report it as such. Refused for files that are neither on tmpfs nor on DAX,
  // unless assume_pmem_anywhere is set as well: then nothing written survives a power failure.
  // Default: false.
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;

  // Touch all memory of the pool, up to size, when it is created. Creating the pool is slower, and
  // filling it is faster. Default: false.
  bool prefault = false;

  // Handle the SIGBUS that a lost page of the pool raises: reads and writes then fail with
  // Corruption instead of terminating the process. Signals for other addresses are passed to the
  // handler that was installed before. Default: false.
  bool guard_faults = false;

  // Fail if the database would have to be opened without the tier, because no pool can be created
  // or because it is an existing plain database (see convert). If false, it is opened without the
  // tier, and LOG says why. Default: true.
  bool require = true;

  // Create a pool for an existing plain database. Default: false.
  bool convert = false;

  // Values of at least this many bytes are written once, when they are received, and only referred
  // to afterwards; smaller values are moved with their keys. Default: 256.
  uint64_t value_separation_bytes = 256;

  // The maximum number of bytes of acknowledged writes that are not persistent yet (for at most 100
  // ms); 0: none. A synced write persists all of them. At most 1 GiB. Default: 0.
  uint64_t wal_persist_bytes = 0;

  // The share of garbage from which value-log garbage collection reclaims the space of large
  // values, by moving the values still in use. As the pool fills up, the threshold falls to half of
  // this value. 0.01 to 1. Default: 0.5.
  double gc_ratio = 0.5;

  // Choose the sizes of memtables, trees and merges by the measured speed of flushes and merges, so
  // that neither waits for the other. Default: true.
  bool dynamic_tree = true;

  // Spill data to table files. If false, writes fail when the pool is full. Default: true.
  bool spill = true;

  // Spills begin when the share spill_start of size is in use, and continue until at most the share
  // spill_stop is in use. 0 to 1, spill_stop at most spill_start. Default: 0.85 and 0.70.
  double spill_start = 0.85;
  double spill_stop = 0.70;
};

// The interface of a database that PmemOpen returns.
class LEVELDB_EXPORT PmemDB : public DB {
 public:
  PmemDB() = default;
  ~PmemDB() override;

  // Moves all data from the pool into table files and removes the pool. Afterwards the database is
  // a plain one that any LevelDB can open; until then, also after a crash, it has the tier. Reads
  // and writes may continue during the call. The pool's memory is released when the database is
  // closed, because iterators may still refer to it. Returns OK also for a database without a tier.
  // Thread-safe.
  virtual Status Drain() = 0;
};

// Opens the database in directory name, as DB::Open does, and stores it in *dbptr; the caller
// deletes it. A new database gets the tier, a database that has the tier keeps it, and a plain one
// gets it if PmemOptions::convert is set. On failure stores null in *dbptr. In addition to the
// errors of DB::Open, returns an error if the pool is missing, in use, damaged, truncated, belongs
// to another database, or has another state than the directory. The message names both paths and
// says what can be done; no new pool is created in its place.
LEVELDB_EXPORT Status PmemOpen(const Options& options, const PmemOptions& pmem_options,
                               const std::string& name, PmemDB** dbptr);

// Opens the database in directory name, drains it and closes it again. Returns OK if it has no
// tier.
LEVELDB_EXPORT Status DrainDB(const std::string& name, const Options& options,
                              const PmemOptions& pmem_options = PmemOptions());

// Writes a plain copy of the database in directory name, which must not be open, to the directory
// target, which must not contain a database. The database itself is not changed.
LEVELDB_EXPORT Status BackupDB(const std::string& name, const Options& options,
                               const PmemOptions& pmem_options, const std::string& target);

// Repairs, as RepairDB does, a database whose pool is lost: recovers what is in table and log
// files. If report is not null, stores a description of what is lost in it. A pool that can be
// found is set aside and not read.
LEVELDB_EXPORT Status RepairDBWithoutPool(const std::string& name, const Options& options,
                                          std::string* report);

// The result of a repair.
struct LEVELDB_EXPORT RepairReport {
  uint64_t entries = 0;          // in the repaired database: versions of keys, and deletions
  bool lost_everything = false;  // there was data, and none of it could be recovered
  std::string text;              // what was recovered and what was left out, one line each
};

// Calls RepairDB or RepairDBWithoutPool and stores a report, which is complete only if the result
// is OK.
LEVELDB_EXPORT Status RepairDBAndReport(const std::string& name, const Options& options,
                                        bool without_pool, RepairReport* report);

// Reads every table, tree, extent and reference of the database in directory name, which must not
// be open. Appends a line to *report for each problem found, and one for each kind of object
// checked. Returns OK if no problem was found, else Corruption with the first one. If the database
// cannot be opened, returns the reason and appends nothing.
LEVELDB_EXPORT Status CheckDB(const std::string& name, const Options& options,
                              const PmemOptions& pmem_options, std::string* report);

// A range of a pool that can no longer be read, because the device has bad blocks there.
struct LEVELDB_EXPORT PmemBadRange {
  uint64_t offset = 0;   // in the pool, counted from its first file
  uint64_t bytes = 0;    // whole pages
  std::string contents;  // "metadata", "tree #12", "log #7", "values of log #7", "free space", or
                         // "unknown", as where the pool is in use
};

// Describes a pool and its device. Fields that could not be determined are empty or 0.
struct LEVELDB_EXPORT PmemPoolInfo {
  std::string path;      // where the pool begins, as a PMEM file names it
  std::string id;        // 32 hexadecimal digits
  std::string database;  // the directory that it was created for
  std::string device;    // kind of memory, one line
  std::string health;    // what the device reports about itself, one line
  std::string problem;   // why the pool cannot be opened
  uint64_t size = 0;     // bytes it uses now
  uint64_t ceiling = 0;  // bytes it may grow to
  uint64_t extent_size = 0;
  uint64_t epoch = 0;          // number of times it was opened
  bool was_closed = false;     // the last process closed it and did not crash
  bool is_set_aside = false;   // by a repair
  bool is_orphan = false;      // its database no longer refers to it
  std::string orphan_because;  // how that was determined, if is_orphan
  std::vector<PmemBadRange> bad_ranges;
};

// Stores a description of the pools at path in *pools. path is a directory with pools, a database,
// or one pool. Stores none for a file or a device that holds nothing yet. Changes nothing.
LEVELDB_EXPORT Status DescribePools(const std::string& path, std::vector<PmemPoolInfo>* pools);

// Describes the memory of an existing or possible pool. Fields that could not be determined are
// empty or 0.
struct LEVELDB_EXPORT PmemDeviceInfo {
  std::string path;                // the path examined; for a database: where its pool is
  std::string file_system;         // "tmpfs", "ext4", ...; "devdax" for a DAX device
  std::string block_device;        // under the file system
  bool dax = false;                // mappings access the medium directly
  std::string namespace_name;      // as libndctl reports it
  std::string namespace_mode;      // "fsdax", "devdax", ...
  std::string health;              // "ok", or what is wrong; empty if no module reports it
  uint64_t bad_blocks = 0;         // of 512 bytes, in the whole namespace
  std::string persistence_domain;  // "memory_controller", "cpu_cache", "none"; empty if unknown

  // How writes reach the pool: by cache lines ("clwb", or the best alternative that the CPU has),
  // with caches that survive a power failure ("eadr"), by "msync", or "emulated", as set by
  // PmemOptions::assume_pmem and LEVELDB_PMEM_ASSUME=1.
  std::string medium;
  // The same as one line for humans, also in the property leveldb.pmem.medium and in LOG. Begins
  // with "persistent memory", "emulated" or "synced like a file".
  std::string medium_text;
};

// Stores in *info a description of the memory at path: a directory, a database, a pool, or a file
// or device that is to become one. Changes nothing.
LEVELDB_EXPORT Status DescribePmemDevice(const std::string& path, PmemDeviceInfo* info);

// Removes a pool that DescribePools reported as an orphan or set aside. Refuses any other pool, and
// one that its database refers to again. Returns OK if the pool does not exist any more.
LEVELDB_EXPORT Status RemoveOrphanPool(const PmemPoolInfo& pool);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_PMEM_H_
