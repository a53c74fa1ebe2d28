// Reads the manifest that CURRENT names.
//
// A crash can leave the end of a manifest torn or full of garbage: edits that were never
// acknowledged. This is reported in `tail_is_damaged` and is not an error. Damage with sound
// records after it is Corruption, because an acknowledged edit is missing.

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

// The contents of a manifest other than the files and trees.
struct ManifestSummary {
  uint64_t log_number = 0;
  uint64_t prev_log_number = 0;
  uint64_t next_file_number = 0;
  SequenceNumber last_sequence = 0;
  std::array<std::string, kNumLevels> compact_pointers;  // encoded internal keys, or empty
  std::optional<TierTag> tier;
  std::array<std::string, kGroupLevels> group_pointers;  // as above
  uint64_t edits = 0;                                    // their number
  bool tail_is_damaged = false;
  uint64_t valid_bytes = 0;  // the part of the file that the edits take up
};

// Returns the advice that error messages of an open give where a repair helps.
std::string HowToRepair(const std::string& dbname);
// Adds HowToRepair() to a Corruption whose message does not mention a repair.
Status WithRemedy(const std::string& dbname, const Status& status);

// Reads the name and number of the live manifest from CURRENT. *name has no directory part. The
// line of CURRENT may also end with CR LF, as on other systems, or without a line end; LevelDB
// accepts LF only.
Status ReadCurrentFile(Env* env, const std::string& dbname, std::string* name, uint64_t* number);

// Applies every edit of `dbname`/`name` to *builder. Returns InvalidArgument if the database was
// made with a comparator other than `comparator_name`; Corruption if the file is missing, damaged
// or incomplete.
Status ReadManifest(Env* env, const std::string& dbname, const std::string& name,
                    const std::string& comparator_name, VersionBuilder* builder,
                    ManifestSummary* summary);

// Reads the database's tier from the manifest, without opening any tree: it has to be known before
// the manifest can be read as a whole. *tier is unset if there is none. Returns the errors of
// ReadCurrentFile and ReadManifest, except that an incomplete manifest is not an error.
Status ReadTierTag(Env* env, const std::string& dbname, std::optional<TierTag>* tier);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_MANIFEST_READER_H_
