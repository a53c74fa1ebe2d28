// The first step of a repair: lists what is in the directory, and decides whether the manifest can
// be trusted.
//
// A complete manifest is valuable: it determines which tables and logs count (an old one left by a
// crash could bring deleted keys back) and the level of each table (so that nothing needs to be
// merged). It is trusted if
//
//  * it can be read to its end, without damage and without a torn tail,
//  * every table it names exists, and the log it names (which is in the pool, if it names a
//    persistent-memory tier), and
//  * it names every table that is newer than its first record.
//
// A manifest that was truncated, lost or replaced violates one of these conditions. Then all
// existing tables and logs count, except those that were dropped by a manifest which lacks only its
// last edits; if something that it names is missing or damaged as well, older files count too.
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

    // Whether a lookup by this number finds this very file.
    bool is_found_by_number = true;
  };

  std::vector<File> tables;  // sorted by number, like logs
  std::vector<File> logs;
  std::vector<std::string> manifests;
  std::vector<std::string> temporaries;
  uint64_t largest_number = 0;  // of any file, including those in lost/

  // Why the manifest is not trusted. Empty: it is trusted, and `levels` is valid.
  std::string doubt;
  std::map<uint64_t, int> levels;  // of the tables that count, by number

  bool ManifestIsBelieved() const { return doubt.empty(); }
  // What the manifest says about the persistent-memory tier, trusted or not.
  TierSurvey tier;

  // Valid if the manifest is trusted or lacks only its last edits: tables whose contents are in
  // other tables by now. Logs from these numbers on count; 0: all do.
  std::set<uint64_t> obsolete_tables;
  uint64_t log_number = 0;
  uint64_t prev_log_number = 0;

  // The last sequence of a trusted manifest: writes in logs that count are newer.
  SequenceNumber last_sequence = 0;

  // Returns whether a file counts according to the manifest.
  bool TableCounts(const File& table) const;
  bool LogCounts(const File& log) const;

  // REQUIRES: the manifest is not trusted.
  void LetEverythingCount();

  // Stops trusting the manifest, because it belongs to another program, or to another time than the
  // pool: nothing that it says is used from here on. If it is damaged, what could be read about the
  // tier is kept.
  void Disbelieve(const std::string& why);
};

// File numbers from here on are not trusted: they leave no room to number new files.
constexpr uint64_t kFirstAbsurdFileNumber = uint64_t{1} << 62;

// Examines the directory `dbname`. Returns InvalidArgument if the database was created with another
// comparator, because a repair would only make it worse; other errors if the directory cannot be
// read.
Status SurveyDirectory(Env* env, const std::string& dbname, const InternalKeyComparator& comparator,
                       RepairSurvey* survey);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPAIR_SURVEY_H_
