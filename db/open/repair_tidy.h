// Takes files out of the directory of a database that has been repaired.
#ifndef BUSHSTORE_DB_OPEN_REPAIR_TIDY_H_
#define BUSHSTORE_DB_OPEN_REPAIR_TIDY_H_

#include <string>

#include "db/open/salvaged_table.h"
#include "leveldb/status.h"

namespace leveldb {

// Goes on after failures, which are told in the info log; the first is kept. Used by one thread.
class RepairTidy {
 public:
  // `context` must outlive this object.
  explicit RepairTidy(RepairContext* context) : context_(context) {}

  // Removes a file of the database directory.
  void Remove(const std::string& name);
  // The same for a whole path, unless there is no such file.
  void RemoveIfThere(const std::string& path);

  // Moves a file of the database directory to lost/. Nothing that is there is overwritten.
  void SetAside(const std::string& name);

  const Status& status() const { return status_; }

 private:
  void Note(const Status& status, const std::string& path);

  RepairContext* const context_;
  Status status_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_TIDY_H_
