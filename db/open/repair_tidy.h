// Removes files from the directory of a database that has been repaired.
#ifndef BUSHSTORE_DB_OPEN_REPAIR_TIDY_H_
#define BUSHSTORE_DB_OPEN_REPAIR_TIDY_H_

#include <string>

#include "db/open/salvaged_table.h"
#include "leveldb/status.h"

namespace leveldb {

// Continues after failures, which are logged in the info log, and keeps the first. Used by one
// thread.
class RepairTidy {
 public:
  // `context` must outlive this object.
  explicit RepairTidy(RepairContext* context) : context_(context) {}

  // Removes a file of the database directory.
  void Remove(const std::string& name);
  // Removes the file at `path`, unless there is none.
  void RemoveIfThere(const std::string& path);

  // Moves a file of the database directory to lost/, without overwriting any file there.
  void SetAside(const std::string& name);

  const Status& status() const { return status_; }

 private:
  void Note(const Status& status, const std::string& path);

  RepairContext* const context_;
  Status status_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_TIDY_H_
