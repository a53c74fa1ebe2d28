// The log files of a database that is being opened: determines which ones are replayed, and sets
// aside in lost/ those that are not replayed, or not completely.
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

  // Finds the logs whose writes may not be in tables yet, and returns their numbers, oldest first.
  Status Find(std::vector<uint64_t>* numbers);

  // Records that something in these logs could not be applied.
  void NoteIncomplete(const std::vector<uint64_t>& numbers);

  // Moves to lost/ the logs that an open must not remove: those that could not be applied
  // completely, and those older than the manifest's log number, except for logs that are applied
  // already, as after a crash that follows a flush. Such older logs are from another session, for
  // example if two copies of a directory were merged. Must be called after the open has succeeded.
  //
  // Returns the names of logs that remain in the directory because moving them failed. The next
  // open tries again.
  std::set<std::string> SetAside(TableCache* table_cache);

 private:
  bool Keep(const std::string& name, const char* why, const std::string& remedy);

  DbState* const state_;
  LostFiles lost_;
  std::vector<std::string> older_;  // than the manifest's log number
  std::vector<std::string> incomplete_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_LOG_FILES_H_
