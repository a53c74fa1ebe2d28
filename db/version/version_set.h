// The VersionSet holds the current version and the counters that the manifest keeps. New versions
// are installed only through its LogAndApply.
//
// LogAndApply: wait for the turn -> complete the edit, build the next version (mutex held) -> write
// and sync the manifest (mutex released) -> install (mutex held).
//
// If the manifest can't be written, the content of its end is unknown: a later open may or may not
// find the edit. Nothing is appended to it any more; the next call writes a complete new manifest
// and switches CURRENT to it.
//
// A database also leaves its tier by such a switch: the new manifest has no trace of the tier.

#ifndef BUSHSTORE_DB_VERSION_VERSION_SET_H_
#define BUSHSTORE_DB_VERSION_VERSION_SET_H_

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "db/version/job_numbers.h"
#include "db/version/manifest_writer.h"
#include "db/version/version.h"
#include "db/version/version_builder.h"
#include "db/version/version_edit.h"
#include "entry/internal_key.h"
#include "leveldb/options.h"
#include "leveldb/status.h"
#include "port/cache_line.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"
#include "util/data_volume.h"

namespace leveldb {

class ObsoleteFiles;
struct ManifestSummary;

// The version set's connection to the pool of the tier.
struct TierAttachment {
  TreeOpener open_tree;
  uint64_t pool_bytes = 0;     // the size to which the pool may grow
  bool spills = true;          // whether trees are spilled to tables when the pool fills
  std::vector<uint64_t> logs;  // the numbers of the logs in the pool
  // With true: extents that go out of use must not be reused until the call with false, because a
  // later open may or may not find the edit that failed.
  std::function<void(bool hold)> hold_releases;
};

// Guarded by the database mutex, except where a member says "any thread".
class VersionSet {
 public:
  // `options` (env, info_log, max_file_size, reuse_logs and paranoid_checks are used),
  // `comparator` and `obsolete_files` must outlive the set and every version that it made.
  VersionSet(const std::string& dbname, const Options* options,
             const InternalKeyComparator* comparator, ObsoleteFiles* obsolete_files);
  ~VersionSet();

  VersionSet(const VersionSet&) = delete;
  VersionSet& operator=(const VersionSet&) = delete;

  // Attaches the pool. A manifest that names a tier can't be recovered without it. Called before
  // Recover(), if at all.
  void AttachTier(TierAttachment tier);

  // Writes the first manifest of a new database and CURRENT. Recover() follows.
  Status CreateFresh();

  // Performs the checks of Recover() without changing anything. Used for a database that may be
  // given a pool: no pool must be created if the open is refused. Adds the numbers of its tables to
  // *tables.
  Status CheckRecoverable(std::set<uint64_t>* tables) const;

  // Reads the manifest. If *manifest_is_reused is set to true, later edits are appended to it;
  // otherwise the caller must create a new one by calling LogAndApply before it accepts writes.
  // Called once, before all other members except AttachTier(), CreateFresh() and
  // CheckRecoverable().
  Status Recover(bool* manifest_is_reused);

  // Completes *edit (log numbers and last sequence if not set, next file number), writes it to the
  // manifest and makes the result current. Concurrent callers take turns in the order of arrival.
  //
  // An edit that releases logs sets the last sequence to that of the newest write in them; others
  // leave it unchanged. So writes in the remaining logs have greater sequences, and a store that
  // skips writes in logs up to the manifest's last sequence (goleveldb) misses none.
  //
  // After an error the current version and all counters are as before, but a later open may find
  // the edit: the files that it adds and those that it deletes must be kept until a later call has
  // succeeded or the database has been opened again. For extents of the pool, this class ensures
  // it.
  Status LogAndApply(VersionEdit* edit, Mutex* mu) EXCLUSIVE_LOCKS_REQUIRED(mu);

  VersionPtr current() const { return current_; }

  // Any thread.
  uint64_t NewFileNumber() { return next_file_number_.fetch_add(1, std::memory_order_relaxed); }
  // BeginJob() must be called before a job that makes tables or trees takes the first of their
  // numbers, EndJob() when it has installed or abandoned them.
  JobNumbers::Ticket BeginJob() {
    return job_numbers_.Begin(next_file_number_.load(std::memory_order_relaxed));
  }
  void EndJob(JobNumbers::Ticket ticket) { job_numbers_.End(ticket); }

  // Any thread. Later results of NewFileNumber() are greater than `number`.
  void MarkFileNumberUsed(uint64_t number);

  // Any thread.
  SequenceNumber LastSequence() const { return last_sequence_.load(std::memory_order_acquire); }
  // Any thread. REQUIRES: sequence >= LastSequence().
  void SetLastSequence(SequenceNumber sequence) {
    last_sequence_.store(sequence, std::memory_order_release);
  }
  // Sets the last sequence to `to` if it is `from`, and returns whether it did. Any thread.
  // REQUIRES: to >= from.
  bool AdvanceLastSequence(SequenceNumber from, SequenceNumber to) {
    return last_sequence_.compare_exchange_strong(from, to, std::memory_order_acq_rel);
  }

  // Logs from this number on, and the one numbered PrevLogNumber(), hold unflushed writes.
  uint64_t LogNumber() const { return log_number_; }
  uint64_t PrevLogNumber() const { return prev_log_number_; }

  // The number of the manifest that CURRENT names. Manifests with lower numbers are garbage; there
  // may be newer ones that have not become current, or that CURRENT may name after a failure.
  uint64_t ManifestFileNumber() const { return manifest_number_; }

  // The internal key (encoded) after which the next compaction of `level` starts; empty: at the
  // first file.
  const std::string& compact_pointer(int level) const { return compact_pointers_[level]; }
  const std::array<std::string, kNumLevels>& compact_pointers() const { return compact_pointers_; }

  // The same for the levels of the group.
  const std::array<std::string, kGroupLevels>& group_pointers() const { return group_pointers_; }

  // The tier that the manifest names; its contents belong to the database. Edits set and remove it.
  const std::optional<TierTag>& tier() const { return tier_; }

  // Adds the numbers of the tables of the current version and of every older one that is still
  // referenced.
  void AddLiveFiles(std::set<uint64_t>* live) const;

  // Returns the number of files of each level and, under a tier, the number of trees, for the info
  // log.
  std::string LevelSummary() const;

 private:
  struct Turn;
  struct Update;
  struct Recovered;

  // Opening.
  Status ReadCurrentManifest(Recovered* recovered) const;
  bool HasLaterLogInPool(uint64_t number) const;
  Status CheckCounters(const struct ManifestSummary& summary, uint64_t manifest_number,
                       const Version& version) const;
  Status CheckNothingAcknowledgedIsLost(const ManifestSummary& summary) const;
  Status FindNewerFile(const struct ManifestSummary& summary, std::string* path) const;
  void AdoptSummary(const ManifestSummary& summary);
  bool ReuseManifest(const std::string& name, uint64_t number, const ManifestSummary& summary);

  // The queue, and steps that need the turn and the mutex.
  bool KeepsTier(const VersionEdit& edit) const {
    return tier_.has_value() && !edit.pmem().leaves_tier();
  }
  void WaitForTurn(Turn* turn);
  void EndTurn();
  bool NeedsNewManifest(const VersionEdit& edit) const;
  uint64_t TakeManifestNumber();
  void CompleteEdit(VersionEdit* edit) const;
  void Install(const VersionEdit& edit, Update* update);
  void SetCurrent(VersionPtr version);

  // Steps that need the turn and run without the mutex.
  Status BuildNext(const VersionEdit& edit, Update* update) const;
  Status Write(const VersionEdit& edit, Update* update);
  Status StartManifest(const VersionEdit& edit, Update* update);
  Status WriteNewManifest(const VersionEdit& edit, Update* update) const;
  void CompleteSnapshot(bool with_tier, VersionEdit* snapshot) const;
  void RemoveManifest(uint64_t number) const;

  const std::string dbname_;
  const Options* const options_;
  const InternalKeyComparator* const comparator_;
  ObsoleteFiles* const obsolete_files_;
  std::optional<TierAttachment> attachment_;

  std::atomic<uint64_t> next_file_number_{2};
  alignas(kApartBytes) std::atomic<SequenceNumber> last_sequence_{0};  // each write changes it
  alignas(kApartBytes) JobNumbers job_numbers_;
  uint64_t log_number_ = 0;
  uint64_t prev_log_number_ = 0;
  SequenceNumber flushed_sequence_ = 0;  // the manifest's last sequence
  std::array<std::string, kNumLevels> compact_pointers_;
  std::optional<TierTag> tier_;
  std::array<std::string, kGroupLevels> group_pointers_;

  VersionPtr current_;
  DataVolume::Share data_volume_{DataVolume::OfProcess()};  // the tables of current_
  std::vector<std::weak_ptr<const Version>> versions_;      // current_ and older versions

  std::deque<Turn*> turns_;  // the front is writing

  // Owned by the caller that has the turn, also while the mutex is released. Null: the next edit
  // starts a new manifest.
  std::unique_ptr<ManifestWriter> manifest_;
  uint64_t manifest_number_ = 0;       // named by CURRENT, as far as is known
  uint64_t next_manifest_number_ = 0;  // reserved by Recover() for the next one; 0: none
  uint64_t snapshot_bytes_ = 0;        // the size of the manifest when it was started
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_VERSION_SET_H_
