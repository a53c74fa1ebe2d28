// Reads the manifest that CURRENT names.
//
// A crash can leave the end of a manifest torn or full of garbage: edits that were never
// acknowledged. That is told in `tail_is_damaged` and is no error. Damage with sound records after
// it is Corruption, because an acknowledged edit is missing.

#ifndef BUSHSTORE_DB_VERSION_MANIFEST_READER_H_
#define BUSHSTORE_DB_VERSION_MANIFEST_READER_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "db/version/level_limits.h"
#include "db/version/version_builder.h"
#include "entry/internal_key.h"
#include "leveldb/status.h"
#include "pmem/group/tree_group.h"

namespace leveldb {

class Env;

// What a manifest says besides the files and trees.
struct ManifestSummary {
  uint64_t log_number = 0;
  uint64_t prev_log_number = 0;
  uint64_t next_file_number = 0;
  SequenceNumber last_sequence = 0;
  std::array<std::string, kNumLevels> compact_pointers;  // encoded internal keys, or empty
  std::optional<TierTag> tier;
  std::array<std::string, kGroupLevels> group_pointers;  // likewise
  uint64_t edits = 0;                                    // how many there were
  bool tail_is_damaged = false;
  uint64_t valid_bytes = 0;  // how much of the file the edits read take up
};

// What an error of an open says to do where a repair helps.
std::string HowToRepair(const std::string& dbname);
// Adds that to damage whose message does not speak of a repair.
Status WithRemedy(const std::string& dbname, const Status& status);

// Finds out which manifest is live. *name is without a directory part. A line of CURRENT may end as
// on other systems, by CR LF, or not at all; LevelDB accepts LF only.
Status ReadCurrentFile(Env* env, const std::string& dbname, std::string* name, uint64_t* number);

// Applies every edit of `dbname`/`name` to *builder. InvalidArgument if the database was made with
// a comparator other than `comparator_name`; Corruption if the file is missing, damaged or
// incomplete.
Status ReadManifest(Env* env, const std::string& dbname, const std::string& name,
                    const std::string& comparator_name, VersionBuilder* builder,
                    ManifestSummary* summary);

// Finds out whether the database is in a tier, and in which, without opening any tree: what has to
// be known before the manifest can be read as a whole. *tier is unset if there is none. Errors as
// of ReadCurrentFile and ReadManifest; a manifest that is incomplete is none here.
Status ReadTierTag(Env* env, const std::string& dbname, std::optional<TierTag>* tier);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_MANIFEST_READER_H_
