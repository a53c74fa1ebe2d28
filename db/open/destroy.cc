// DestroyDB: removes a database, and nothing else.
//
//  1. Take the lock.
//  2. Remove the pool of the persistent-memory tier, if there is one. If it is in use, stop here.
//  3. Remove what RepairDB has set aside in lost/.
//  4. Remove the files a database uses, in an order that leaves no half database open to readers if
//     this stops in the middle: manifests first, so that from then on an open is refused, and
//     CURRENT last, so that the rest is not taken for a place where a new database may begin.
//  5. Remove LOCK, while it is still held, and the directory.
//
// Foreign files stay, and so does a directory that holds some.

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
      // A directory may hold foreign files, be a mount point, or stand where nothing may be
      // removed: it stays then, and the database is gone all the same.
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

  // A pool that is gone already, that belongs to the directory that this one is a copy of, or that
  // may be anything else by now, is no reason to keep the rest. The file PMEM goes last of the
  // tier: it says where the pool is.
  Status RemoveTier() {
    PmemFile file;
    const Status found = ReadPmemFile(env_, dbname_, &file);
    if (found.IsNotFound()) return Status::OK();
    const bool is_there = found.ok() && PoolFiles(file.pool, PoolKind::kDetect).Exist();
    // Of a pool that is gone there may still be the note that says whose it was: perhaps another's.
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

  // Removes the files of `directory` that have the names of database files, except LOCK. A
  // directory that is not there has none.
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

  // Keeps the first error; the work goes on.
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
