// The first step of a repair: what is in the directory, and can the manifest be believed?
//
// A manifest that tells the whole story is worth a lot: it knows which tables and logs count (an
// old one left behind by a crash could bring deleted keys back) and at which level each table
// belongs (so that nothing needs to be merged). It is believed if
//
//  * it can be read to its end, without damage and without a torn tail,
//  * every table it names is there, and the log it names (which is in the pool, if it names a
//    persistent-memory tier), and
//  * every table that is newer than its first word is one that it tells of.
//
// A manifest that was shortened, lost or replaced violates one of these. Then all tables and logs
// that are there count, but for those that a manifest which lacks only its last edits has given up;
// if something that it names is missing or damaged as well, what is older is better than nothing.
// Nothing is used of a manifest that does not fit the pool (repair_pool.h).
#ifndef BUSHSTORE_DB_OPEN_REPAIR_SURVEY_H_
#define BUSHSTORE_DB_OPEN_REPAIR_SURVEY_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "db/open/lost_files.h"
#include "db/open/tier_survey.h"
#include "entry/internal_key.h"
#include "leveldb/env.h"
#include "leveldb/status.h"

namespace leveldb {

struct RepairSurvey {
  // A table or a log of the database directory.
  struct File {
    std::string name;  // without a directory part
    uint64_t number;

    // Whether the database looks for this very file under its number.
    bool is_found_by_number = true;
  };

  std::vector<File> tables;  // by number, like the next
  std::vector<File> logs;
  std::vector<std::string> manifests;
  std::vector<std::string> temporaries;
  uint64_t largest_number = 0;  // of any file, also of those in lost/

  // Why the manifest is not believed; empty: it is, and the next is what it says.
  std::string doubt;
  std::map<uint64_t, int> levels;  // of the tables that count, by number

  bool ManifestIsBelieved() const { return doubt.empty(); }
  // What the manifest says of the persistent-memory tier, believed or not.
  TierSurvey tier;

  // Believed or if it lacks only its last edits: what is in other tables by now. Logs from these
  // numbers on count; 0: all do.
  std::set<uint64_t> obsolete_tables;
  uint64_t log_number = 0;
  uint64_t prev_log_number = 0;

  // The manifest's, if it is believed: writes in logs that count are newer.
  SequenceNumber last_sequence = 0;

  // Whether the manifest lets a file count.
  bool TableCounts(const File& table) const;
  bool LogCounts(const File& log) const;

  // REQUIRES: the manifest is not believed.
  void LetEverythingCount();

  // The manifest is another program's, or of another time than the pool: nothing that it says is
  // used from here on. Of one that is damaged, what could be read of the tier stays.
  void Disbelieve(const std::string& why);
};

// Numbers from here on are not believed: they leave no room to number new files.
constexpr uint64_t kFirstAbsurdFileNumber = uint64_t{1} << 62;

// Looks around in `dbname`. InvalidArgument if the database was made with another comparator, which
// a repair would only make worse; other errors if the directory can't be read.
Status SurveyDirectory(Env* env, const std::string& dbname, const InternalKeyComparator& comparator,
                       RepairSurvey* survey);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_SURVEY_H_
