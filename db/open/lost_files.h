// Keeps files that a database does without in lost/, below its directory: what is in them was not
// applied, or not all of it, and may be wanted.
#ifndef BUSHSTORE_DB_OPEN_LOST_FILES_H_
#define BUSHSTORE_DB_OPEN_LOST_FILES_H_

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

// Where RepairDB, and an open that could not apply a log, put what they take out.
inline std::string LostDirectory(const std::string& dbname) {
  return dbname + "/lost";
}

// Used by one thread.
class LostFiles {
 public:
  // `new_number` returns numbers that no file of the database has.
  LostFiles(Env* env, const std::string& dbname, std::function<uint64_t()> new_number)
      : env_(env), dbname_(dbname), new_number_(std::move(new_number)) {}

  // Moves the file `name` of the database directory to lost/. Nothing that is there is overwritten.
  // *target is set to its new path.
  Status Move(const std::string& name, std::string* target);

  // The same, unless a file with the same bytes is there: then the file stays in its place, and may
  // be removed. A power failure takes neither. *target is set to the path in lost/.
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
