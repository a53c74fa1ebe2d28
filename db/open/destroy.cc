// DestroyDB: removes a database, and nothing else.
//
//  1. Take the lock.
//  2. Remove what RepairDB has set aside in lost/.
//  3. Remove the files a database uses, in an order that leaves no half database open to readers if
//     this stops in the middle: manifests first, so that from then on an open is refused, and
//     CURRENT last, so that the rest is not taken for a place where a new database may begin.
//  4. Remove LOCK, while it is still held, and the directory.
//
// Foreign files stay, and so does a directory that holds some.

#include <string>
#include <vector>

#include "db/files/filename.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"

namespace leveldb {

namespace {

class Destroyer {
 public:
  Destroyer(Env* env, const std::string& dbname) : env_(env), dbname_(dbname) {}

  Status Run() {
    std::vector<std::string> children;
    const Status found = env_->GetChildren(dbname_, &children);
    if (!found.ok()) return env_->FileExists(dbname_) ? found : Status::OK();

    const std::string lock_name = LockFileName(dbname_);
    FileLock* lock = nullptr;
    const Status locked = env_->LockFile(lock_name, &lock);
    if (!locked.ok()) return locked;
    RemoveDatabaseFiles(dbname_ + "/lost");
    RemoveDatabaseFiles(dbname_);
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
  const std::string dbname_;
  Status status_;
};

}  // namespace

Status DestroyDB(const std::string& dbname, const Options& options) {
  return Destroyer(options.env, dbname).Run();
}

}  // namespace leveldb
