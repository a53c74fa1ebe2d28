// DestroyDB: removes a database, and no other files.
//
//  1. Take the lock.
//  2. Remove the pool of the persistent-memory tier, if there is one. If it is in use, stop here.
//  3. Remove what RepairDB has set aside in lost/.
//  4. Remove the files of the database, in an order that leaves no partial database that can be
//     opened if this stops in the middle: manifests first, so that opens fail from then on, and
//     CURRENT last, so that the rest is not mistaken for a directory without a database.
//  5. Remove LOCK, while it is still held, and the directory.
//
// Foreign files are kept, and so is a directory that contains some.

#include <string>
#include <vector>

#include "db/files/filename.h"
#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "pmem/media/pool_files.h"

namespace leveldb {

namespace {

class Destroyer {
 public:
  Destroyer(const Options& options, const std::string& dbname)
      : env_(options.env), info_log_(options.info_log), dbname_(dbname) {}

  Status Run() {
    std::vector<std::string> children;
    const Status found = env_->GetChildren(dbname_, &children);
    if (!found.ok()) return env_->FileExists(dbname_) ? found : Status::OK();

    const std::string lock_name = LockFileName(dbname_);
    FileLock* lock = nullptr;
    const Status locked = env_->LockFile(lock_name, &lock);
    if (!locked.ok()) return locked;
    Note(RemoveTier());
    if (status_.ok()) {
      Note(RemovePmemFile(env_, dbname_ + "/lost"));
      RemoveDatabaseFiles(dbname_ + "/lost");
      RemoveDatabaseFiles(dbname_);
    }
    if (status_.ok()) Note(env_->RemoveFile(lock_name));
    Note(env_->UnlockFile(lock));
    if (status_.ok()) {
      // A directory may contain foreign files, be a mount point, or be in a directory that may not
      // be written: then it is kept, and the database is removed nevertheless.
      static_cast<void>(env_->RemoveDir(dbname_ + "/lost"));
      static_cast<void>(env_->RemoveDir(dbname_));
    }
    return status_;
  }

 private:
  enum Turn { kManifestsFirst, kMostFiles, kCurrentLast };

  static Turn TurnOf(FileType type) {
    if (type == kManifestFile) return kManifestsFirst;
    return type == kCurrentFile ? kCurrentLast : kMostFiles;
  }

  // Removes the pool. A pool that is gone already, that belongs to the original of this copied
  // directory, or that may be any other file by now, does not prevent the removal of the rest. The
  // file PMEM, which names the pool, is removed last.
  Status RemoveTier() {
    PmemFile file;
    const Status found = ReadPmemFile(env_, dbname_, &file);
    if (found.IsNotFound()) return Status::OK();
    const bool is_there = found.ok() && PoolFiles(file.pool, PoolKind::kDetect).Exist();
    // After the pool is gone there may still be a POOL.moved that names its owner, which may be
    // another directory.
    const bool left_its_note =
        found.ok() && !is_there && IsSameDirectory(CurrentOwner(file.pool, dbname_), dbname_);
    if (found.ok() && (left_its_note || PoolIsSurelyOurs(env_, dbname_, file))) {
      const Status removed = RemovePool(file.pool);
      if (!removed.ok()) return removed;
    } else if (is_there) {
      Log(info_log_, "destroy: %s is left where it is: it is not surely the pool of %s",
          file.pool.c_str(), dbname_.c_str());
    }
    return RemovePmemFile(env_, dbname_);
  }

  // Removes the files of `directory` that have the names of database files, except LOCK. Does
  // nothing if the directory does not exist.
  void RemoveDatabaseFiles(const std::string& directory) {
    std::vector<std::string> children;
    if (!env_->GetChildren(directory, &children).ok()) return;
    for (const Turn turn : {kManifestsFirst, kMostFiles, kCurrentLast}) {
      if (turn == kCurrentLast && !status_.ok()) return;
      for (const std::string& child : children) {
        uint64_t number;
        FileType type;
        if (!ParseFileName(child, &number, &type) || type == kLockFile) continue;
        if (TurnOf(type) == turn) Note(env_->RemoveFile(directory + "/" + child));
      }
    }
  }

  // Keeps the first error; the removal continues.
  void Note(const Status& status) {
    if (status_.ok()) status_ = status;
  }

  Env* const env_;
  Logger* const info_log_;  // may be null
  const std::string dbname_;
  Status status_;
};

}  // namespace

Status DestroyDB(const std::string& dbname, const Options& options) {
  return Destroyer(options, dbname).Run();
}

}  // namespace leveldb
