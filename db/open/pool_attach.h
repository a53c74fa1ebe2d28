// Finds, creates or refuses the pool of a database that is being opened.
//
//   manifest   PMEM             action
//   --------   ----             ------
//   no tier    no file          new or plain database: a pool is created if one is requested
//   no tier    new              creation of a pool was interrupted: it is started again
//   no tier    leaving, aside   a drain or a repair was interrupted at its end: the pool is removed
//   no tier    used             refused: the directory is inconsistent
//   tier       no file          refused
//   tier       any              the pool is opened
//
// The pool must be the right one in the right state. Pool and manifest store an epoch, which is
// even between two opens:
//
//   epoch E of both -> pool: E + 1 -> manifest: E + 2, synced -> pool: E + 2 -> writes are accepted
//
// so that a crash may leave them one apart. Any other difference means that one of them is a copy
// from another time. A copy of the directory that is used while the original still exists is
// recognized by the owner's path in the pool.
#ifndef BUSHSTORE_DB_OPEN_POOL_ATTACH_H_
#define BUSHSTORE_DB_OPEN_POOL_ATTACH_H_

#include <memory>
#include <optional>
#include <string>

#include "db/open/pmem_file.h"
#include "db/open/resolve_options.h"
#include "db/version/pmem_edit.h"
#include "leveldb/status.h"
#include "pmem/pmem_tier.h"

namespace leveldb {

// Used by one thread, which has the database's directory locked.
class PoolAttach {
 public:
  // Both arguments must outlive this object. The info log has been opened.
  PoolAttach(const ResolvedOptions& resolved, const PmemRequest& request)
      : resolved_(resolved), request_(request) {}

  // Executes the steps up to "pool: E + 1". `tag` is the manifest's; a new database has no manifest
  // yet.
  Status Attach(bool is_new, const std::optional<TierTag>& tag);

  // Returns the tier, or null if the database has none. May be called once.
  std::unique_ptr<PmemTier> TakeTier() { return std::move(tier_); }

  // Returns the tag that the manifest must store next. REQUIRES: there is a tier.
  const TierTag& next_tag() const { return next_tag_; }

  // Executes the last step, and sets the state in the PMEM file to used. REQUIRES: the manifest
  // contains next_tag() and has been synced.
  Status Settle(Pool* pool);

 private:
  Status OpenPool(const TierTag& tag);
  Status CheckOwner(const Pool& pool) const;
  Status CheckEpoch(const TierTag& tag, Pool* pool);
  Status WithoutTag(bool is_new);
  Status RefuseOrLeave();
  Status FinishLeaving();
  Status MakePoolOrStayPlain();
  Status MakePool();
  void TellOfOrphans(const std::string& directory) const;
  PoolOptions MakePoolOptions() const;
  void NoteAssumptions(const PoolOptions& options, PmemFile* file) const;
  std::string WayOut(const Status& status, bool is_readable) const;
  void Adopt(std::unique_ptr<Pool> pool);

  const std::string& dbname() const { return resolved_.dbname; }
  Env* env() const { return resolved_.options.env; }
  Logger* info_log() const { return resolved_.options.info_log; }

  const ResolvedOptions& resolved_;
  const PmemRequest& request_;
  bool has_file_ = false;
  PmemFile file_;
  TierTag next_tag_;
  std::unique_ptr<PmemTier> tier_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_POOL_ATTACH_H_
