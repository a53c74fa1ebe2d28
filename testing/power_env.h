// PowerEnv: a disk in memory that knows what a power cut would leave.
//
// Every file records how much of it has been synced, every directory which names are durable.
// AfterPowerLoss may be called at any moment and returns a copy of the disk as it would be found
// after a power cut: bytes that were not synced are dropped, cut at random or torn (a random part
// intact and garbage after it), and creations and removals that have not become durable may be
// undone. The original disk is not disturbed, so a database need not be stopped to see what it
// would have left.
//
// The Env interface has no call that syncs a directory. The library's own POSIX Env syncs it at a
// new file's first Sync and at a rename; that is what this disk assumes (and what
// trace/real_files_power_loss_test.cc checks on real system calls):
//   * the first Sync of a new file makes the name durable, with everything that happened in the
//     same directory before;
//   * a rename is durable when it returns, likewise.
// Directories are durable once made.

#ifndef BUSHSTORE_TESTING_POWER_ENV_H_
#define BUSHSTORE_TESTING_POWER_ENV_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "leveldb/env.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

// What happens to bytes and names that were not made durable.
enum class Loss {
  kDropAll,   // everything that could be lost is lost
  kInOrder,   // what was done last is lost: the disk keeps the order of changes
  kTruncate,  // each file keeps a random length, each name a random state
  kTear,      // as kTruncate, and the end of what is kept may be garbage or zeros
  kKeepAll,   // nothing is lost: the process died, not the power
};

// All methods are thread-safe. Time, threads and scheduling are those of Env::Default().
class PowerEnv : public EnvWrapper {
 public:
  PowerEnv();
  ~PowerEnv() override;

  // Returns the disk as it would be found after a power cut now. Random choices come from `dice`.
  std::unique_ptr<PowerEnv> AfterPowerLoss(Loss loss, Dice* dice) const;

  // Sets a function that is called before each change to the disk, with the number of changes made
  // so far, by the thread that makes the change. The listener may call AfterPowerLoss. REQUIRES: no
  // call is running.
  void SetChangeListener(std::function<void(uint64_t)> listener);
  uint64_t changes() const;

  // Returns the names and sizes of all files and the text of the info logs, for failure reports.
  std::string Describe() const;

  // Makes Sync report success and make nothing durable, for files whose name contains `part`. With
  // this the tests prove that they would notice a missing sync.
  void IgnoreSyncsOf(const std::string& part);

  // Makes the Env never sync a directory, for the same reason: no name becomes durable by a Sync or
  // a rename.
  void ForgetDirectorySyncs() { forgets_directory_syncs_ = true; }

  Status NewSequentialFile(const std::string& name, SequentialFile** result) override;
  Status NewRandomAccessFile(const std::string& name, RandomAccessFile** result) override;
  Status NewWritableFile(const std::string& name, WritableFile** result) override;
  Status NewAppendableFile(const std::string& name, WritableFile** result) override;
  bool FileExists(const std::string& name) override;
  Status GetChildren(const std::string& dir, std::vector<std::string>* result) override;
  Status RemoveFile(const std::string& name) override;
  Status CreateDir(const std::string& dir) override;
  Status RemoveDir(const std::string& dir) override;
  Status GetFileSize(const std::string& name, uint64_t* size) override;
  Status RenameFile(const std::string& source, const std::string& target) override;
  Status LockFile(const std::string& name, FileLock** lock) override;
  Status UnlockFile(FileLock* lock) override;
  Status NewLogger(const std::string& name, Logger** result) override;

 private:
  class File;
  class Reader;
  class Writer;
  class InfoLog;
  class Lock;
  using FilePtr = std::shared_ptr<File>;
  using Names = std::map<std::string, FilePtr>;
  // A change to the names of a directory that is not durable yet. `file` is null for a removal.
  struct PendingName {
    std::string name;
    FilePtr file;
    uint64_t change;  // the number of the change
  };

  static std::string DirOf(const std::string& name);
  // Returns the file of that name, or null. REQUIRES: mutex_ is held.
  FilePtr Find(const std::string& name) const;
  // Makes the pending changes of a directory durable. REQUIRES: mutex_ is held.
  void SyncDir(const std::string& dir);
  void Sync(const std::string& name, const FilePtr& file);
  // Returns the number of the change.
  uint64_t BeforeChange();
  Status Open(const std::string& name, bool truncate, WritableFile** result);

  mutable std::mutex mutex_;
  Names names_;                       // what the running system sees
  Names durable_names_;               // what the medium holds for certain
  std::vector<PendingName> pending_;  // in the order of the changes
  std::set<std::string> dirs_;
  std::set<std::string> locks_;
  std::vector<std::string> ignored_parts_;
  bool forgets_directory_syncs_ = false;
  uint64_t changes_ = 0;
  std::function<void(uint64_t)> listener_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_POWER_ENV_H_
