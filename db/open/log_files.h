// The log files of a database that is being opened: which are to be replayed, and which are set
// aside in lost/ because they are not, or not all of them.
#ifndef BUSHSTORE_DB_OPEN_LOG_FILES_H_
#define BUSHSTORE_DB_OPEN_LOG_FILES_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "db/files/table_cache.h"
#include "db/open/lost_files.h"
#include "db/state/db_state.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by the thread that opens the database, after the manifest has been read.
class LogFiles {
 public:
  // `state` must outlive this object.
  explicit LogFiles(DbState* state);

  // Finds the logs whose writes may not be in tables yet, oldest first.
  Status Find(std::vector<uint64_t>* numbers);

  // Something in these logs could not be applied.
  void NoteIncomplete(const std::vector<uint64_t>& numbers);

  // Moves to lost/ what an open must not remove: logs that could not be applied, or not all of
  // them, and older ones than the manifest asks for, unless they have been applied, as those have
  // that were flushed before a crash. Other logs are of another session, as where two copies of a
  // directory were brought together. To be called when the open has succeeded.
  //
  // Returns the names of those that have to stay where they are because that failed. The next open
  // tries again.
  std::set<std::string> SetAside(TableCache* table_cache);

 private:
  bool Keep(const std::string& name, const char* why, const std::string& remedy);

  DbState* const state_;
  LostFiles lost_;
  std::vector<std::string> older_;  // than the manifest asks for
  std::vector<std::string> incomplete_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_LOG_FILES_H_
