// Moves files that a database does not use to lost/, below its directory: their contents were not
// applied completely and may be needed.
#ifndef BUSHSTORE_DB_OPEN_LOST_FILES_H_
#define BUSHSTORE_DB_OPEN_LOST_FILES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

// The directory to which RepairDB, and an open that could not apply a log, move files.
inline std::string LostDirectory(const std::string& dbname) {
  return dbname + "/lost";
}

// Used by one thread.
class LostFiles {
 public:
  // `new_number` returns numbers that no file of the database uses.
  LostFiles(Env* env, const std::string& dbname, std::function<uint64_t()> new_number)
      : env_(env), dbname_(dbname), new_number_(std::move(new_number)) {}

  // Moves the file `name` of the database directory to lost/, without overwriting any file there.
  // Sets *target to its new path.
  Status Move(const std::string& name, std::string* target);

  // Like Move, unless lost/ contains a file with the same bytes: then the file remains in the
  // database directory and may be removed. In both cases the bytes survive a power failure. Sets
  // *target to the path in lost/.
  Status Keep(const std::string& name, std::string* target);

 private:
  std::string FreePath(const std::string& name);
  Status HasSameBytes(const std::string& a, const std::string& b, bool* same) const;
  Status FindCopy(const std::string& path, std::string* copy) const;
  Status SyncNames(const std::string& directory);

  Env* const env_;
  const std::string dbname_;
  const std::function<uint64_t()> new_number_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_LOST_FILES_H_
