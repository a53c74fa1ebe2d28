// The log files of a database that is being opened: which are to be replayed, and which are kept in
// lost/ because they are not, or not all of them.
#ifndef BUSHSTORE_DB_OPEN_LOG_FILES_H_
#define BUSHSTORE_DB_OPEN_LOG_FILES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "db/open/lost_files.h"
#include "db/state/db_state.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by the thread that opens the database, after the manifest has been read.
class LogFiles {
 public:
  // `state` must outlive this object.
  explicit LogFiles(DbState* state);

  // Finds the logs whose writes may not be in tables yet, oldest first. Others have been flushed,
  // and the open removes them; one that has not been goes to lost/: it is of another session, as
  // where two copies of a directory were brought together.
  Status Find(std::vector<uint64_t>* numbers);

  // Puts copies of logs to lost/ of which something could not be applied. To be called before the
  // manifest says that the logs have been replayed, since after that they go.
  Status Keep(const std::vector<uint64_t>& numbers);

 private:
  Status KeepIfUnapplied(const std::string& name);
  bool IsUnapplied(const std::string& path) const;

  DbState* const state_;
  LostFiles lost_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_LOG_FILES_H_
