// DB: a persistent ordered map from keys to values. Keys and values are arbitrary byte strings.
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

// The LevelDB release that this interface and the file formats correspond to.
static const int kMajorVersion = 1;
static const int kMinorVersion = 23;

class WriteBatch;

// An immutable state of a database, safe for use from several threads. Returned by DB::GetSnapshot
// and released with DB::ReleaseSnapshot; never deleted directly.
class LEVELDB_EXPORT Snapshot {
 protected:
  virtual ~Snapshot();
};

// The keys from start (included) to limit (excluded). The bytes belong to the caller.
struct LEVELDB_EXPORT Range {
  Range() = default;
  Range(const Slice& s, const Slice& l) : start(s), limit(l) {}

  Slice start;
  Slice limit;
};

// Thread-safety: all members may be called from several threads at once without external
// synchronization. Delete the database only when no call is running and all its iterators have been
// deleted; the destructor waits for background work, after which the database may be opened again.
//
// After fork() the database belongs to the parent. In the child, writes return IOError, no property
// is available, and deleting the database frees nothing. The child may read tables and memtables,
// unless a thread of the parent was reading during the fork; reads of persistent memory return
// IOError.
class LEVELDB_EXPORT DB {
 public:
  // Opens the database in directory name and stores a pointer to it in *dbptr; the caller deletes
  // it. On failure stores null in *dbptr and returns InvalidArgument (the database is missing,
  // exists already or has another comparator), Corruption, or IOError (among other reasons, because
  // another process has the database open).
  static Status Open(const Options& options, const std::string& name, DB** dbptr);

  DB() = default;

  DB(const DB&) = delete;
  DB& operator=(const DB&) = delete;

  virtual ~DB();

  // Sets the value of key. options.sync determines whether the write must survive a power failure.
  // Returns InvalidArgument if the key or the value has 4 GiB or more.
  virtual Status Put(const WriteOptions& options, const Slice& key, const Slice& value) = 0;

  // Removes the entry of key, if any. Returns OK also if the key does not exist.
  virtual Status Delete(const WriteOptions& options, const Slice& key) = 0;

  // Applies updates atomically: all of them become visible together, and after a crash either all
  // or none of them are present.
  //
  // After a write has failed in a way that leaves the state on disk uncertain, all writes fail
  // until the database is opened again; reads continue to work.
  virtual Status Write(const WriteOptions& options, WriteBatch* updates) = 0;

  // Stores the value of key in *value. Returns NotFound, and leaves *value unchanged, if the key
  // does not exist.
  virtual Status Get(const ReadOptions& options, const Slice& key, std::string* value) = 0;

  // Returns an iterator over the state of the database at the time of the call (or at
  // options.snapshot); later writes are not visible to it. The iterator is initially invalid. The
  // caller must delete it before the database.
  virtual Iterator* NewIterator(const ReadOptions& options) = 0;

  // Returns a snapshot of the current state, for reads through ReadOptions::snapshot. The snapshot
  // is valid until ReleaseSnapshot.
  virtual const Snapshot* GetSnapshot() = 0;

  // Releases a snapshot that GetSnapshot returned. The snapshot must not be used afterwards.
  virtual void ReleaseSnapshot(const Snapshot* snapshot) = 0;

  // Stores a property of the database in *value. Returns false if the property is unknown:
  //   leveldb.num-files-at-level<N>       number of table files at level N
  //   leveldb.stats                       table of sizes and work per level
  //   leveldb.sstables                    all table files, by level
  //   leveldb.approximate-memory-usage    bytes of memory in use
  //   leveldb.memory                      the same by kind: a name and bytes per line
  virtual bool GetProperty(const Slice& property, std::string* value) = 0;

  // Stores in sizes[i] the approximate number of bytes that range[i] uses in files, for 0 <= i < n.
  // Files count with their stored (compressed) size; recent writes may not be included.
  virtual void GetApproximateSizes(const Range* range, int n, uint64_t* sizes) = 0;

  // Compacts the tables that hold keys in [*begin, *end], so that deleted and overwritten data is
  // removed. A null begin (end) is before (after) all keys. When the call returns, files that are
  // no longer needed have been removed, except those that an iterator reads. Therefore the call
  // also waits for the flushes and compactions that are running or queued at that time, whatever
  // their keys, since they may hold such files, and up to a second for reads in other threads.
  // Files that a longer read holds are removed by a later flush or compaction, or when the database
  // is opened or closed.
  virtual void CompactRange(const Slice* begin, const Slice* end) = 0;
};

// Deletes the database in directory name, which must not be open. If the directory holds files that
// do not belong to the store, these files and the directory are kept. Returns OK if there is
// nothing to delete.
LEVELDB_EXPORT Status DestroyDB(const std::string& name, const Options& options);

// Repairs a damaged database so that it can be opened again, and recovers as much of its data as
// can be read; what is left out is moved to its subdirectory "lost". Data may be missing
// afterwards. REQUIRES: the database is not open.
LEVELDB_EXPORT Status RepairDB(const std::string& dbname, const Options& options);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_DB_H_
