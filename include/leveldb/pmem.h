// The persistent-memory tier: a database whose newest data lives in a pool of persistent memory
// and moves to ordinary table files as the pool fills up.
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
// Such a database holds a text file PMEM that says where its pool is, so that a plain DB::Open
// finds it again. Stock LevelDB refuses the directory until the tier has been drained.
//
// Programs that call DB::Open only can be given the tier by environment variables, which are looked
// at where Options::env is Env::Default() (never in programs that run with raised privileges):
//
//   LEVELDB_PMEM_PATH        where new databases get their pools
//   LEVELDB_PMEM_SIZE        PmemOptions::size; K, M and G stand for powers of 1024
//   LEVELDB_PMEM_ASSUME=1    PmemOptions::assume_pmem
//   LEVELDB_PMEM_PREFAULT=1  PmemOptions::prefault
//   LEVELDB_PMEM_CONVERT=1   PmemOptions::convert
//   LEVELDB_PMEM_REQUIRE=1   a database that should get a pool and cannot is not opened; without
//                            this it is opened without the tier, which LOG tells

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

// Passed to PmemOpen. Values outside the ranges given are moved to the nearer end. What is said
// here goes before the environment. A database that has a pool keeps it: path, require and convert
// are for one that has none yet.
struct LEVELDB_EXPORT PmemOptions {
  // Where the pool is made: a directory (on a DAX file system, or on tmpfs for emulation), in which
  // each database gets a pool of its own that grows as needed; a file, which is made and stays of
  // the size given; or a device /dev/daxX.Y. Empty: as the environment says. Default: empty.
  std::string path;

  // How many bytes the pool may grow to, files and devices: its size. For a pool that is there
  // already, a greater value lets it grow further. 0: as it was, 1 GiB for a new pool. At least
  // 8 MiB. Default: 0.
  uint64_t size = 0;

  // Treat the pool's memory as if CPU caches were all that has to be flushed, though the system
  // does not say so: emulation. On other files than those of tmpfs and DAX it is refused, unless
  // the second is set, too: nothing written then survives a power failure. Default: false.
  bool assume_pmem = false;
  bool assume_pmem_anywhere = false;

  // Touch all memory of the pool, up to size, when it is made. Slower to make, faster to fill.
  // Default: false.
  bool prefault = false;

  // Catch the SIGBUS that a lost page of the pool raises: reads and writes then fail with
  // Corruption instead of ending the process. Signals for other addresses go to the handler that
  // was there before. Default: false.
  bool guard_faults = false;

  // Fail if the database would have to be opened without the tier: because no pool can be made, or
  // because it is a plain database that exists already (see convert). Otherwise it is opened
  // without, and LOG says why. Default: true.
  bool require = true;

  // Give a pool to a plain database that exists already. Default: false.
  bool convert = false;

  // Values of at least so many bytes are written once, when they come, and only referred to from
  // then on; smaller ones are moved with their keys. Default: 256.
  uint64_t value_separation_bytes = 256;

  // How many bytes of writes that have been acknowledged may not be persistent yet (for at most
  // 100 ms); 0: none. A synced write persists them all. At most 1 GiB. Default: 0.
  uint64_t wal_persist_bytes = 0;

  // From which share of garbage on the room of large values is reclaimed by moving what is still
  // in use. 0.01 to 1. Default: 0.5.
  double gc_ratio = 0.5;

  // Size memtables, trees and merges by how fast flushes and merges turn out to be, so that neither
  // waits for the other. Default: true.
  bool dynamic_tree = true;

  // Let data overflow to table files. Without it writes fail when the pool is full. Default: true.
  bool spill = true;

  // Overflow begins when this share of size is in use, and goes on until no more than the second
  // is. 0 to 1, stop at most start. Default: 0.85 and 0.70.
  double spill_start = 0.85;
  double spill_stop = 0.70;
};

// A database as PmemOpen returns it.
class LEVELDB_EXPORT PmemDB : public DB {
 public:
  PmemDB() = default;
  ~PmemDB() override;

  // Moves everything out of the pool into table files and removes the pool. From then on this is a
  // plain database, which any LevelDB can open; until then, also after a crash, it has the tier.
  // Reads and writes may go on meanwhile. The pool's memory is given back when the database is
  // closed, because iterators may lead there. OK also for a database that has no tier. Thread-safe.
  virtual Status Drain() = 0;
};

// Opens the database in directory name, as DB::Open does, and stores it in *dbptr, for the caller
// to delete. A new database gets the tier, one that has it keeps it, and a plain one is given it
// where options say so (see PmemOptions::convert). On failure *dbptr is null. Besides the errors of
// DB::Open: a pool that is missing, busy, damaged, cut short, of another database, or of another
// state than the directory, is an error that names both places and says what can be done; nothing
// is made in its place.
LEVELDB_EXPORT Status PmemOpen(const Options& options, const PmemOptions& pmem_options,
                               const std::string& name, PmemDB** dbptr);

// Opens the database in directory name, drains it and closes it again. OK if it has no tier.
LEVELDB_EXPORT Status DrainDB(const std::string& name, const Options& options,
                              const PmemOptions& pmem_options = PmemOptions());

// Writes a plain copy of the database in directory name, which nobody may have open, to the
// directory target, which must not hold a database. The database itself is not changed.
LEVELDB_EXPORT Status BackupDB(const std::string& name, const Options& options,
                               const PmemOptions& pmem_options, const std::string& target);

// RepairDB for a database whose pool is lost: what is in table and log files is saved; report, if
// not null, receives what is lost. A pool that can be found is set aside, not read.
LEVELDB_EXPORT Status RepairDBWithoutPool(const std::string& name, const Options& options,
                                          std::string* report);

// What a repair has done.
struct LEVELDB_EXPORT RepairReport {
  uint64_t entries = 0;          // in the repaired database: versions of keys, and deletions
  bool lost_everything = false;  // there was something, and nothing of it could be saved
  std::string text;              // what was saved, and what was left out: a line each
};

// RepairDB, or RepairDBWithoutPool, with a report, which is complete only if the result is OK.
LEVELDB_EXPORT Status RepairDBAndReport(const std::string& name, const Options& options,
                                        bool without_pool, RepairReport* report);

// Reads every table, tree, extent and reference of the database in directory name, which nobody may
// have open, and appends a line to *report for each thing that is wrong, and one for each kind of
// thing looked at. OK if nothing is wrong, else Corruption with the first. If the database can't be
// opened, the error says why, and nothing is appended.
LEVELDB_EXPORT Status CheckDB(const std::string& name, const Options& options,
                              const PmemOptions& pmem_options, std::string* report);

// A stretch of a pool that cannot be read any more, because the device has bad blocks there.
struct LEVELDB_EXPORT PmemBadRange {
  uint64_t offset = 0;   // in the pool, from its first file on
  uint64_t bytes = 0;    // whole pages
  std::string contents;  // "metadata", "tree #12", "log #7", "values of log #7", "free space", or
                         // "unknown", as where the pool is in use
};

// A pool, and what stands behind it. Fields that could not be found out are empty or 0.
struct LEVELDB_EXPORT PmemPoolInfo {
  std::string path;      // where the pool begins: as a file PMEM names it
  std::string id;        // 32 hexadecimal digits
  std::string database;  // the directory that it was made for
  std::string device;    // kind of memory, one line
  std::string health;    // what the device says of itself, one line
  std::string problem;   // why the pool cannot be opened
  uint64_t size = 0;     // bytes it takes now
  uint64_t ceiling = 0;  // bytes it may grow to
  uint64_t extent_size = 0;
  uint64_t epoch = 0;          // how often it was opened
  bool was_closed = false;     // the last user closed it, and did not crash
  bool is_set_aside = false;   // by a repair
  bool is_orphan = false;      // its database does not name it any more
  std::string orphan_because;  // how that is known, if so
  std::vector<PmemBadRange> bad_ranges;
};

// Describes the pools at path: a directory with pools, a database, or one pool. None for a file or
// a device that holds nothing yet. Changes nothing.
LEVELDB_EXPORT Status DescribePools(const std::string& path, std::vector<PmemPoolInfo>* pools);

// The memory that a pool is on, or would be. Fields that could not be found out are empty or 0.
struct LEVELDB_EXPORT PmemDeviceInfo {
  std::string path;                // what was looked at; of a database: where its pool is
  std::string file_system;         // "tmpfs", "ext4", ...; "devdax" for a DAX device
  std::string block_device;        // under the file system
  bool dax = false;                // mappings go straight to the medium
  std::string namespace_name;      // as libndctl says
  std::string namespace_mode;      // "fsdax", "devdax", ...
  std::string health;              // "ok", or what is wrong; empty if no module says anything
  uint64_t bad_blocks = 0;         // of 512 bytes, in the whole namespace
  std::string persistence_domain;  // "memory_controller", "cpu_cache", "none"; empty if unknown

  // How writes to a pool get there: by cache lines ("clwb", or the next best that the CPU has),
  // with caches that survive a power failure ("eadr"), by "msync", or "emulated", as
  // PmemOptions::assume_pmem and LEVELDB_PMEM_ASSUME=1 have it.
  std::string medium;
  // The same in a line for people, as the property leveldb.pmem.medium and LOG have it. Begins with
  // "persistent memory", "emulated" or "synced like a file".
  std::string medium_text;
};

// Describes what is behind path: a directory, a database, a pool, or a file or device that is to
// become one. Changes nothing.
LEVELDB_EXPORT Status DescribePmemDevice(const std::string& path, PmemDeviceInfo* info);

// Removes a pool that DescribePools calls an orphan or set aside. Anything else, and one that has
// found its database again, is refused. OK if it is gone already.
LEVELDB_EXPORT Status RemoveOrphanPool(const PmemPoolInfo& pool);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_PMEM_H_
