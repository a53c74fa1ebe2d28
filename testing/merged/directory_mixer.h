// DirectoryMixer: draws directories that are mixed from several past states of a database and from
// a copy that was written to separately, as synchronisation tools, backups and version control
// leave them.

#ifndef BUSHSTORE_TESTING_MERGED_DIRECTORY_MIXER_H_
#define BUSHSTORE_TESTING_MERGED_DIRECTORY_MIXER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

class DirectoryMixer {
 public:
  // Makes the directories of all states below `scratch`, which must exist and be empty. A seed
  // always draws the same choices, but what background work has left in the directories may differ.
  DirectoryMixer(uint64_t seed, std::string scratch);

  // Sets the seed from which all further choices are drawn.
  void Reseed(uint64_t seed) { dice_ = Dice(seed); }

  // Makes the states: databases that were written to, with keys that are overwritten and deleted,
  // and copied as a kill would leave them.
  Status MakeTimes();

  // Makes the directory `path` from parts of them. Returns a description for messages.
  std::string Mix(const std::string& path);

 private:
  std::string Time(const std::string& branch, int time) const;
  const std::string& SomeTime();
  std::string SomeFile(const std::string& path, const std::string& end);

  Status Write(const std::string& path, const std::string& branch);
  Status WriteSome(DB* db, const std::string& branch);

  std::string PutBackManifest(const std::string& path);
  std::string AddLog(const std::string& path);
  std::string AddTable(const std::string& path);
  std::string Unite(const std::string& path);
  std::string Double(const std::string& path);
  std::string RemoveLog(const std::string& path);

  Dice dice_;
  const std::string scratch_;
  Options options_;
  std::vector<std::string> times_;
  uint64_t writes_ = 0;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_MERGED_DIRECTORY_MIXER_H_
