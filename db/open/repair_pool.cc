#include "db/open/repair_pool.h"

#include <algorithm>
#include <vector>

#include "db/files/filename.h"
#include "db/open/pool_place.h"
#include "pmem/bptree/found_trees.h"
#include "pmem/media/pool_files.h"
#include "pmem/wal/log_heads.h"
#include "util/text.h"

namespace leveldb {

Status RepairPool::Find(RepairSurvey* survey) {
  const Status status = ReadPmemFile(context_->env(), context_->dbname(), &file_);
  has_file_ = status.ok();
  const bool is_named = survey->tier.tag.has_value();
  is_used_ = is_named || (has_file_ && file_.state == PmemFile::kUsed);
  if (has_file_ && survey->tier.edits == 0 && file_.state != PmemFile::kNew) {
    // No manifest tells whether a drain, or an earlier repair, had completed.
    is_used_ |= PoolFiles(file_.pool, PoolKind::kDetect).Exist();
  }
  if (is_used_ && !is_named) survey->Disbelieve("it knows of no pool, and there is one");
  if (is_named && has_file_ && survey->tier.tag->pool.Text() != file_.id) {
    survey->Disbelieve("it names another pool than the file PMEM");
  }
  if (has_file_) {
    PoolId id;
    std::string other;
    is_of_another_ = PoolId::FromText(file_.id, &id) &&
                     PoolIsOfAnother(context_->env(), context_->dbname(), file_.pool, id, &other);
    is_ours_ = PoolIsSurelyOurs(context_->env(), context_->dbname(), file_);
    if (is_of_another_) Log(context_->info_log(), "repair: the pool belongs to %s", other.c_str());
  }
  if (!is_used_ || without_pool_) return Status::OK();
  // Trees that are not named would be taken for garbage.
  Status opened = survey->tier.unreadable;
  if (opened.ok()) opened = status.ok() ? Open(*survey) : status;
  if (opened.ok()) {
    CompareEpochs(survey);
    return opened;
  }
  return Status::IOError("the pool of " + context_->dbname() + " can't be read: " +
                         opened.ToString() + "; `bushstore repair --without-pool " +
                         context_->dbname() + "` saves the rest and tells what is lost");
}

// Stops trusting the manifest if its epoch does not fit the pool's, as an open would refuse them. A
// damaged root has no epoch.
void RepairPool::CompareEpochs(RepairSurvey* survey) const {
  uint64_t of_pool;
  if (!survey->tier.tag.has_value() || !pool_->root()->ReadEpoch(&of_pool).ok()) return;
  const uint64_t of_manifest = survey->tier.tag->epoch;
  if (of_pool + 1 >= of_manifest && of_pool <= of_manifest + 1) return;
  survey->Disbelieve("it is of epoch " + NumberToString(of_manifest) + ", and the pool of epoch " +
                     NumberToString(of_pool));
}

Status RepairPool::Open(const RepairSurvey& survey) {
  if (is_of_another_) {
    return Status::InvalidArgument(context_->dbname(),
                                   "is a copy of the directory that the pool belongs to");
  }
  PoolOptions options;
  options.path = file_.pool;
  options.info_log = context_->info_log();
  PoolId id;
  if (!PoolId::FromText(file_.id, &id)) return Status::Corruption(file_.id, "is no id of a pool");
  const Status status = Pool::OpenForSalvage(options, &id, &pool_);
  return status.ok() ? CheckTrees(survey) : status;
}

// Returns an error if a tree is outside the pool: then it is not damaged, but the pool has lost a
// slab.
Status RepairPool::CheckTrees(const RepairSurvey& survey) const {
  for (const auto& [number, tree] : survey.tier.trees) {
    const TreeRecord& record = tree.record;
    if (!pool_->Contains(record.footer_offset, record.footer_bytes)) {
      return Status::Corruption("pool " + file_.pool,
                                "has no room where tree #" + NumberToString(number) + " is");
    }
  }
  return Status::OK();
}

// Saves the trees. A manifest that has lost edits may have named other trees as well, and may have
// dropped some of those that it names: these have been forgotten. The deletions of trees that an
// edit has dropped are taken in any case: the trees or tables that contain them now may be damaged.
Status RepairPool::SaveTrees(const RepairSurvey& survey, PoolSalvage* salvage,
                             PoolSalvage* obsolete) const {
  const TierSurvey& tier = survey.tier;
  const std::vector<FoundTree> found = FindTrees(*pool_);
  // A crash also leaves trees that no edit has named yet.
  const bool may_lack_edits =
      !survey.ManifestIsBelieved() ||
      std::any_of(found.begin(), found.end(),
                  [&tier](const FoundTree& tree) { return tier.IsUnknownTree(tree.number); });
  Status status;
  for (const auto& [number, tree] : tier.trees) {
    if (!status.ok()) return status;
    const bool is_forgotten = may_lack_edits && salvage->SeemsForgotten(tree, found);
    if (is_forgotten) {
      Log(context_->info_log(), "repair: tree #%llu is taken for one that is not in use any more",
          static_cast<unsigned long long>(number));
    }
    status = (is_forgotten ? obsolete : salvage)->SaveTree(tree);
  }
  for (const FoundTree& tree : found) {
    if (!status.ok()) return status;
    if (tier.trees.count(tree.number) > 0) continue;
    status = (tier.IsUnknownTree(tree.number) ? salvage : obsolete)->SaveFoundTree(tree);
  }
  return status;
}

Status RepairPool::SaveLogs(const RepairSurvey& survey, PoolSalvage* salvage,
                            PoolSalvage* obsolete) const {
  // As with tables: the log from which a damaged tree was made may still be intact.
  const bool all_count = !survey.ManifestIsBelieved() && salvage->damaged_places() > 0;
  std::vector<LogSlot> logs;
  Status status;
  for (const LogSlot& log : pool_->root()->Logs()) {
    if (all_count || log.number >= survey.log_number) {
      logs.push_back(log);
    } else if (status.ok()) {
      status = obsolete->SaveLog(log);
    }
  }
  const std::vector<LogSlot> left_over =
      AddUnnamedLogs(*pool_, std::max(survey.log_number, survey.tier.log_number), &logs);
  for (const LogSlot& log : left_over) {
    if (status.ok()) status = obsolete->SaveLog(log);
  }
  for (const LogSlot& log : logs) {
    if (status.ok()) status = salvage->SaveLog(log);
  }
  return status;
}

Status RepairPool::Save(const RepairSurvey& survey, EntrySorter* sorter, EntrySorter* obsolete,
                        SequenceRange* sequences) {
  if (pool_ == nullptr) return Status::OK();
  PoolSalvage salvage(context_, pool_.get(), sorter, sequences);
  PoolSalvage given_up(context_, pool_.get(), obsolete, sequences);
  Status status = SaveTrees(survey, &salvage, &given_up);
  if (status.ok()) status = SaveLogs(survey, &salvage, &given_up);
  entries_ = salvage.entries();
  damaged_places_ = salvage.damaged_places();
  return status;
}

Status RepairPool::PrepareToLeave() {
  // "aside" would let an open rename the pool once the original no longer names it.
  if (!has_file_ || is_of_another_) return Status::OK();
  file_.state = PmemFile::kAside;
  return WritePmemFile(context_->env(), context_->dbname(), file_);
}

Status RepairPool::Leave() {
  pool_.reset();
  Status status;
  if (is_ours_) {
    if (IsOnReadOnlyFileSystem(file_.pool)) {
      Log(context_->info_log(), "repair: %s is left where it is: its file system is read-only",
          file_.pool.c_str());
    }
    status = SetPoolAside(file_.pool);
  } else if (has_file_) {
    Log(context_->info_log(), "repair: %s is left where it is: it is not surely this database's",
        file_.pool.c_str());
  }
  if (status.ok()) status = RemovePmemFile(context_->env(), context_->dbname());
  return status;
}

std::string RepairPool::DescribeLoss(const RepairSurvey& survey) const {
  std::string text;
  if (!is_used_) return "nothing: the database has no pool\n";
  for (const auto& [number, tree] : survey.tier.trees) {
    text += "tree " + tree.record.DebugString() + ", " + NumberToString(tree.record.user_bytes) +
            " bytes\n";
  }
  return text + "all writes that were in logs in the pool only\n";
}

}  // namespace leveldb
