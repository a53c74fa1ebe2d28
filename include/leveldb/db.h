// DB: a persistent ordered map from keys to values. Both are byte strings.
//
//   leveldb::DB* db = nullptr;
//   leveldb::Options options;
//   options.create_if_missing = true;
//   leveldb::Status s = leveldb::DB::Open(options, "/path/of/db", &db);
//   if (s.ok()) s = db->Put(leveldb::WriteOptions(), "key", "value");
//   delete db;

#ifndef LEVELDB_INCLUDE_DB_H_
#define LEVELDB_INCLUDE_DB_H_

#include <cstdint>
#include <string>

#include "leveldb/export.h"
#include "leveldb/iterator.h"
#include "leveldb/options.h"

namespace leveldb {

// The LevelDB release whose interface and formats these are.
static const int kMajorVersion = 1;
static const int kMinorVersion = 23;

class WriteBatch;

// A point in a database's history. It never changes, so any thread may read through it. Made by
// DB::GetSnapshot and given back to DB::ReleaseSnapshot; never deleted directly.
class LEVELDB_EXPORT Snapshot {
 protected:
  virtual ~Snapshot();
};

// The keys from start (included) to limit (not included). The bytes are the caller's.
struct LEVELDB_EXPORT Range {
  Range() = default;
  Range(const Slice& s, const Slice& l) : start(s), limit(l) {}

  Slice start;
  Slice limit;
};

// Thread-safety: all members may be called from several threads at once, without locks of one's
// own. Delete the database only when no call is running and its iterators have been deleted; the
// destructor waits for background work and leaves the directory ready to be opened again.
//
// After fork() the database belongs to the parent. The child's writes are IOErrors, it has no
// properties, and deleting the database there frees nothing. It may read tables and memtables,
// unless a thread of the parent was reading just then; persistent memory is an IOError.
class LEVELDB_EXPORT DB {
 public:
  // Opens the database in directory name and stores it in *dbptr, for the caller to delete. On
  // failure *dbptr is null and the status says why: InvalidArgument (missing, exists already, other
  // comparator), Corruption, or IOError (among others when another process has it open).
  static Status Open(const Options& options, const std::string& name, DB** dbptr);

  DB() = default;

  DB(const DB&) = delete;
  DB& operator=(const DB&) = delete;

  virtual ~DB();

  // Sets key to value. options.sync says whether it has to survive a loss of power.
  // InvalidArgument if one of them has 4 GiB or more.
  virtual Status Put(const WriteOptions& options, const Slice& key, const Slice& value) = 0;

  // Removes key. Success also when it is absent.
  virtual Status Delete(const WriteOptions& options, const Slice& key) = 0;

  // Applies updates as one: all of them become visible together, and after a crash all or none
  // are there.
  //
  // After a write failed in a way that leaves the state on disk in doubt, all writes fail until the
  // database is opened again; reads go on.
  virtual Status Write(const WriteOptions& options, WriteBatch* updates) = 0;

  // Stores key's value in *value. NotFound (and *value is left alone) when there is none.
  virtual Status Get(const ReadOptions& options, const Slice& key, std::string* value) = 0;

  // An iterator over the database as it is now (or was at options.snapshot); later writes do not
  // show. It stands on nothing yet. The caller deletes it, before the database.
  virtual Iterator* NewIterator(const ReadOptions& options) = 0;

  // Pins the present state for reads through ReadOptions::snapshot, until ReleaseSnapshot.
  virtual const Snapshot* GetSnapshot() = 0;

  // Gives back what GetSnapshot returned; it must not be used again.
  virtual void ReleaseSnapshot(const Snapshot* snapshot) = 0;

  // Stores a fact about the database in *value, or returns false for a property unknown:
  //   leveldb.num-files-at-level<N>       number of table files at level N
  //   leveldb.stats                       table of sizes and work per level
  //   leveldb.sstables                    all table files, by level
  //   leveldb.approximate-memory-usage    bytes of memory in use
  //   leveldb.memory                      the same by kind: a name and bytes per line
  virtual bool GetProperty(const Slice& property, std::string* value) = 0;

  // For each of the n ranges, stores in sizes[i] about how many bytes of files range[i] takes.
  // Files are counted as stored (compressed); recent writes may not be counted.
  virtual void GetApproximateSizes(const Range* range, int n, uint64_t* sizes) = 0;

  // Compacts the tables that hold keys in [*begin, *end], so that deleted and overwritten data is
  // gone. A null begin (end) is before (after) all keys. Returns when done: then files that nothing
  // needs are removed, but for those that an iterator reads. So it also waits for the flushes and
  // compactions that were running or queued by then, which may hold such files, whatever keys they
  // are about, and up to a second for reads in other threads. What a longer read holds is removed
  // by a later flush or compaction, or when the database is opened or closed.
  virtual void CompactRange(const Slice* begin, const Slice* end) = 0;
};

// Deletes the database in directory name, which must not be open. Files that are not the
// store's own, and then the directory, stay. OK when there is nothing to delete.
LEVELDB_EXPORT Status DestroyDB(const std::string& name, const Options& options);

// Makes a damaged database openable again and saves as much of it as can be read; the rest goes to
// its subdirectory "lost". Data may be missing afterwards. It must not be open.
LEVELDB_EXPORT Status RepairDB(const std::string& dbname, const Options& options);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_DB_H_
