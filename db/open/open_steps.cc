#include "db/open/open_steps.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/jobs/cleanup_job.h"
#include "db/jobs/flush_job.h"
#include "db/open/log_files.h"
#include "db/open/log_replay.h"
#include "db/open/pool_attach.h"
#include "db/open/pool_log_replay.h"
#include "db/open/pool_place.h"
#include "db/state/pending_outputs.h"
#include "db/version/internal_key_order.h"
#include "db/version/manifest_reader.h"
#include "pmem/media/bad_block_contents.h"
#include "pmem/media/held_extents.h"
#include "pmem/wal/wal_reader.h"
#include "util/status_text.h"
#include "util/text.h"

namespace leveldb {

namespace {

class OpenSteps {
 public:
  OpenSteps(const PmemRequest& request, OpenParts* parts) : request_(request), parts_(*parts) {}

  Status Run(const Options& user_options, const std::string& name);

 private:
  Status CheckExistence(bool* is_fresh) const;
  Status AttachPool(bool is_fresh);
  Status SyncManifest() const;
  Status CheckMayGetPool() const;
  Status CheckTables(std::set<uint64_t> missing) const;
  Status FindPoolLogs(std::vector<LogSlot>* logs) const;
  Status ReplayLogs();
  Status ForgetLogsBehind(uint64_t file, std::vector<LogSlot>* logs) const;
  Status ReplayFiles(const std::vector<uint64_t>& numbers);
  Status ReplayPool(std::vector<LogSlot> logs, bool must_flush);
  Status FlushReplayed(size_t logs, bool must_flush);
  Status ReuseLog(const LogReplay& replay, uint64_t number, bool* reused);
  Status StartLog();
  Status StartPoolLog();
  Status ReplayAndInstall();
  Status InstallOutcome();
  Status SettlePool();

  DbState* state() const { return parts_.state.get(); }
  const Options& options() const { return parts_.state->options(); }
  const std::string& dbname() const { return parts_.state->dbname(); }
  Env* env() const { return options().env; }

  const PmemRequest& request_;
  OpenParts& parts_;
  std::optional<PoolAttach> attach_;
  std::optional<LogFiles> log_files_;
  bool manifest_is_reused_ = false;
  bool log_is_reused_ = false;
  VersionEdit edit_;
  std::shared_ptr<MemTable> memtable_;
  std::shared_ptr<MemTable> immutable_;  // with the contents of the pool's logs
  std::vector<uint64_t> unflushed_;      // the logs that immutable_ is from
  std::vector<LogSlot> flushed_logs_;    // the logs that were flushed, or were empty
  // The extents of all logs replayed: kept until the manifest has dropped the logs, because they
  // must not be reused before.
  std::shared_ptr<HeldExtents> replayed_extents_;
  WalPredecessor last_log_;              // in the pool
  SequenceNumber flushed_sequence_ = 0;  // newest write that will no longer be in a log
};

Status OpenSteps::Run(const Options& user_options, const std::string& name) {
  std::unique_ptr<ResolvedOptions> resolved = ResolveOptions(name, user_options);
  Env* const env = resolved->options.env;
  // An existing directory is locked first: if it may not be locked, that is the error.
  if (!user_options.create_if_missing && !env->FileExists(CurrentFileName(name)) &&
      !env->FileExists(name)) {
    return Status::InvalidArgument(name, "does not exist (create_if_missing is false)");
  }
  const Status created = env->CreateDir(name);  // usually it exists
  Status status = parts_.lock.Acquire(env, name);
  if (status.IsNotFound() && !created.ok()) return created;
  if (!status.ok()) return status;
  OpenInfoLog(resolved.get());
  parts_.state = std::make_unique<DbState>(std::move(resolved));

  bool is_fresh;
  status = CheckExistence(&is_fresh);
  if (status.ok()) status = AttachPool(is_fresh);
  if (status.ok() && is_fresh) status = state()->versions->CreateFresh();
  if (status.ok()) status = state()->versions->Recover(&manifest_is_reused_);
  std::set<uint64_t> tables;
  state()->versions->AddLiveFiles(&tables);
  if (status.ok()) status = CheckTables(std::move(tables));
  if (!status.ok()) return status;

  parts_.table_cache =
      std::make_unique<TableCache>(dbname(), options(), state()->resolved().table_cache_entries,
                                   InternalKeyOrder(state()->comparator()));
  parts_.scheduler = std::make_unique<Scheduler>(state(), parts_.table_cache.get());
  state()->work_signal = parts_.scheduler.get();

  status = ReplayAndInstall();
  if (status.ok() && parts_.tier != nullptr) status = SettlePool();
  if (!status.ok()) return status;
  return CleanupJob(parts_.scheduler->context())
      .RemoveStrayFiles(log_files_->SetAside(parts_.table_cache.get()));
}

Status OpenSteps::ReplayAndInstall() {
  const PendingOutputs pending_outputs(state());
  Status status = ReplayLogs();
  if (status.ok() && !log_is_reused_) status = StartLog();
  // The data read so far may have been zeros in place of a lost page.
  if (status.ok() && parts_.tier != nullptr) status = parts_.tier->pool()->CheckWhole();
  return status.ok() ? InstallOutcome() : status;
}

Status OpenSteps::CheckExistence(bool* is_fresh) const {
  *is_fresh = !env()->FileExists(CurrentFileName(dbname()));
  if (*is_fresh && !options().create_if_missing) {
    return Status::InvalidArgument(dbname(), "does not exist (create_if_missing is false)");
  }
  if (!*is_fresh && options().error_if_exists) {
    return Status::InvalidArgument(dbname(), "exists (error_if_exists is true)");
  }
  return Status::OK();
}

Status OpenSteps::AttachPool(bool is_fresh) {
  std::optional<TierTag> tag;
  Status status;
  if (!is_fresh) status = ReadTierTag(env(), dbname(), &tag);
  if (status.ok() && !is_fresh && !tag.has_value()) status = CheckMayGetPool();
  if (!status.ok()) return status;
  // Changes to a pool from here on cannot be undone, so what they depend on must be durable.
  if (!is_fresh && (tag.has_value() || env()->FileExists(PmemFileName(dbname())))) {
    status = SyncManifest();
    if (!status.ok()) return status;
  }
  attach_.emplace(state()->resolved(), request_);
  status = attach_->Attach(is_fresh, tag);
  parts_.tier = attach_->TakeTier();
  PmemTier* const tier = parts_.tier.get();
  if (tier == nullptr) return status;
  state()->SetTier(tier);
  const TreeContext context =
      tier->MakeTreeContext(&state()->comparator(), options().filter_policy);
  TierAttachment attachment;
  attachment.open_tree = [context](const TreeRecord& record, TreePtr* tree) {
    return Tree::Open(context, record, tree);
  };
  attachment.pool_bytes = tier->pool()->ceiling();
  attachment.spills = tier->options().spill;
  for (const LogSlot& log : tier->pool()->root()->Logs()) attachment.logs.push_back(log.number);
  attachment.hold_releases = [tier](bool hold) { tier->extents()->HoldReleases(hold); };
  state()->versions->AttachTier(std::move(attachment));
  return status;
}

// Syncs the manifest. A process that was killed may have left edits, and the name in CURRENT, that
// are not on disk yet: they can be read, and a power failure could still remove them. The first
// sync of a file covers the names in its directory.
Status OpenSteps::SyncManifest() const {
  std::string name;
  uint64_t number;
  Status status = ReadCurrentFile(env(), dbname(), &name, &number);
  if (!status.ok()) return status;
  WritableFile* opened = nullptr;
  status = env()->NewAppendableFile(dbname() + "/" + name, &opened);
  if (status.IsNotSupportedError()) return Status::OK();  // then durability is up to the Env
  if (!status.ok()) return status;
  const std::unique_ptr<WritableFile> file(opened);
  status = file->Sync();
  return status.ok() ? file->Close() : status;
}

// Checks that a plain database that is to get a pool can be opened without it: once it has a new
// pool, no other check can tell whether it is complete.
Status OpenSteps::CheckMayGetPool() const {
  PmemFile file;
  const bool has_file = ReadPmemFile(env(), dbname(), &file).ok();
  const bool is_begun = has_file && file.state == PmemFile::kNew;
  if (!is_begun && !request_.convert) return Status::OK();
  if (has_file && file.state == PmemFile::kUsed) return Status::OK();  // refused for that reason
  std::set<uint64_t> tables;
  const Status status = state()->versions->CheckRecoverable(&tables);
  return status.ok() ? CheckTables(std::move(tables)) : status;
}

// Checks that all tables in `missing` exist.
Status OpenSteps::CheckTables(std::set<uint64_t> missing) const {
  std::vector<std::string> names;
  const Status status = env()->GetChildren(dbname(), &names);
  if (!status.ok()) return status;
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (ParseFileName(name, &number, &type) && type == kTableFile) missing.erase(number);
  }
  if (missing.empty()) return Status::OK();
  return Status::Corruption(NumberToString(missing.size()) + " missing files; e.g.",
                            TableFileName(dbname(), *missing.begin()));
}

// Finds the logs in the pool whose writes may not be in trees yet, oldest first. Removes others
// from the root.
Status OpenSteps::FindPoolLogs(std::vector<LogSlot>* logs) const {
  PoolRoot* const root = parts_.tier->pool()->root();
  Status status;
  for (const LogSlot& log : root->Logs()) {
    if (log.number > kMaxFileNumber) {
      return Status::Corruption(parts_.tier->pool()->path(),
                                "names a log by a number that no database gives");
    }
    state()->versions->MarkFileNumberUsed(log.number);
    if (log.number >= state()->versions->LogNumber()) {
      logs->push_back(log);
    } else if (status.ok()) {
      status = root->RemoveLog(log.number);
    }
  }
  return status;
}

// Replays all logs. Log files come before the pool's logs if a tier was added, and after them if a
// drain was interrupted.
Status OpenSteps::ReplayLogs() {
  std::vector<uint64_t> files;
  std::vector<LogSlot> logs;
  log_files_.emplace(state());
  Status status = log_files_->Find(&files);
  if (status.ok() && parts_.tier != nullptr) status = FindPoolLogs(&logs);
  if (!status.ok()) return status;
  // Tables made by the replay must not take the number of a log.
  for (const uint64_t number : files) state()->versions->MarkFileNumberUsed(number);

  const uint64_t first_of_pool = logs.empty() ? UINT64_MAX : logs.front().number;
  const auto behind = std::lower_bound(files.begin(), files.end(), first_of_pool);
  const std::vector<uint64_t> older(files.begin(), behind);
  const std::vector<uint64_t> newer(behind, files.end());
  if (!newer.empty()) status = ForgetLogsBehind(newer.front(), &logs);
  if (status.ok()) status = ReplayFiles(older);
  if (status.ok() && parts_.tier != nullptr) {
    status = ReplayPool(logs, /*must_flush=*/!newer.empty());
  }
  if (status.ok() && !newer.empty()) status = ReplayFiles(newer);
  return status;
}

// Removes logs in the pool that are newer than log file `file`: they are from an open that did not
// get as far as its edit, so they contain no writes.
Status OpenSteps::ForgetLogsBehind(uint64_t file, std::vector<LogSlot>* logs) const {
  Pool* const pool = parts_.tier->pool();
  Status status;
  while (status.ok() && logs->back().number > file) {
    WalReader log(*pool, logs->back());
    status = log.Open();
    if (!status.ok()) return status;
    Slice record;
    std::string scratch;
    if (log.ReadRecord(&record, &scratch)) {
      return Status::Corruption(LogFileName(dbname(), file),
                                "its number is between those of logs in the pool, as where a file "
                                "was copied here from another directory: move it elsewhere, or " +
                                    HowToRepair(dbname()));
    }
    status = log.status();
    if (status.ok()) status = pool->CheckWhole();
    if (status.ok()) status = pool->root()->RemoveLog(log.number());
    if (status.ok()) status = pool->persist()->Sync();
    logs->pop_back();
  }
  return status;
}

Status OpenSteps::ReplayFiles(const std::vector<uint64_t>& numbers) {
  VersionSet* const versions = state()->versions.get();
  LogReplay replay(parts_.scheduler->context(), &edit_);
  Status status;
  for (const uint64_t number : numbers) {
    status = replay.Replay(number);
    if (!status.ok()) return status;
  }
  log_files_->NoteIncomplete(replay.incomplete_logs());
  versions->SetLastSequence(replay.last_sequence());
  if (options().reuse_logs && !numbers.empty() && parts_.tier == nullptr) {
    status = ReuseLog(replay, numbers.back(), &log_is_reused_);
    if (!status.ok()) return status;
  }
  if (!log_is_reused_) {
    status = replay.FlushRest();
    flushed_sequence_ = replay.last_sequence();
  }
  memtable_ = replay.memtable();
  return status;
}

Status OpenSteps::ReplayPool(std::vector<LogSlot> logs, bool must_flush) {
  VersionSet* const versions = state()->versions.get();
  PoolLogReplay replay(state(), parts_.tier.get());
  Status status = replay.Replay(logs);
  if (!status.ok()) return status;
  logs.resize(replay.logs_left());
  if (replay.last_sequence() > versions->LastSequence()) {
    versions->SetLastSequence(replay.last_sequence());
  }
  last_log_ = replay.last_log();
  replayed_extents_ = replay.held();
  immutable_ = replay.BuildMemtable();
  if (immutable_ != nullptr) status = FlushReplayed(logs.size(), must_flush);
  if (immutable_ == nullptr) {
    flushed_sequence_ = versions->LastSequence();
    flushed_logs_ = std::move(logs);
  } else {
    for (const LogSlot& log : logs) unflushed_.push_back(log.number);
  }
  return status;
}

// Flushes the replayed entries if there are too many. Entries that are not flushed here must be
// replayed again if this session ends before its own flush. A session that runs for a while leaves
// at most two memtables, mostly of one write buffer each; more than that is from several sessions,
// and could grow without bound.
Status OpenSteps::FlushReplayed(size_t logs, bool must_flush) {
  constexpr size_t kMaxUnflushedMemtables = 2;
  // Half of the pool's log slots.
  constexpr size_t kMaxUnflushedLogs = PoolRoot::kLogsMax / 2;
  must_flush = must_flush || logs > kMaxUnflushedLogs;
  const size_t most = kMaxUnflushedMemtables * options().write_buffer_size;
  if (!must_flush && immutable_->UserBytes() <= most) return Status::OK();

  HeldExtents held(parts_.tier->extents());  // reserved for this session's log
  PoolOffset extent;
  Status status = parts_.tier->extents()->Reserve(1, &extent);
  if (status.ok()) {
    held.Adopt(extent);
    status = FlushJob(parts_.scheduler->context()).FlushToLevel0(*immutable_, &edit_);
  }
  // For the background flush space is made in the pool; or it reports what is wrong.
  if (!status.ok() && !must_flush) {
    Log(options().info_log, "replayed logs are not flushed yet: %s", status.ToString().c_str());
    return Status::OK();
  }
  immutable_.reset();
  return status;
}

// Continues the last log, if possible, instead of writing its contents to a table.
Status OpenSteps::ReuseLog(const LogReplay& replay, uint64_t number, bool* reused) {
  uint64_t length;
  if (!edit_.new_files().empty() || !replay.LastLogIsReusable(&length)) return Status::OK();
  const VersionSet& versions = *state()->versions;
  if (number < versions.LogNumber() || versions.PrevLogNumber() != 0) return Status::OK();
  WritableFile* file;
  const Status status = env()->NewAppendableFile(LogFileName(dbname(), number), &file);
  if (status.IsNotSupportedError()) return Status::OK();
  if (!status.ok()) return status;
  Log(options().info_log, "going on in log #%llu", static_cast<unsigned long long>(number));
  parts_.log_number = number;
  parts_.log_file.reset(file);
  parts_.log_length = length;
  *reused = true;
  return status;
}

Status OpenSteps::StartLog() {
  if (parts_.tier != nullptr) return StartPoolLog();
  parts_.log_number = state()->versions->NewFileNumber();
  WritableFile* file;
  Status status = env()->NewWritableFile(LogFileName(dbname(), parts_.log_number), &file);
  if (!status.ok()) return status;
  parts_.log_file.reset(file);
  // The name must be durable before an edit refers to it. A new manifest's first sync makes it
  // durable.
  if (manifest_is_reused_) status = file->Sync();
  return status;
}

Status OpenSteps::StartPoolLog() {
  PmemTier* const tier = parts_.tier.get();
  parts_.log_number = state()->versions->NewFileNumber();
  const bool deferred = tier->options().wal_persist_bytes > 0;
  parts_.pool_stores = std::make_unique<PendingStores>(tier->persist(), deferred);
  WalStart start;
  start.predecessor = last_log_;
  start.first_sequence = state()->versions->LastSequence() + 1;
  auto held = std::make_shared<HeldExtents>(tier->extents());
  const Status status =
      WalWriter::Create(tier->pool(), tier->extents(), parts_.pool_stores.get(), parts_.log_number,
                        start, /*previous=*/nullptr, held, &parts_.pool_log);
  parts_.pool_log_first_sequence = start.first_sequence;
  if (status.ok()) memtable_->Hold(held);
  return status;
}

Status OpenSteps::InstallOutcome() {
  DbState* const state = parts_.state.get();
  MutexLock lock(&state->mutex);
  const bool nothing_changed = manifest_is_reused_ && log_is_reused_;
  if (!nothing_changed) {
    edit_.SetPrevLogNumber(0);
    edit_.SetLogNumber(unflushed_.empty() ? parts_.log_number : unflushed_.front());
    edit_.SetLastSequence(flushed_sequence_);
    if (parts_.tier != nullptr) edit_.pmem().SetTier(attach_->next_tag());
    const Status status = state->versions->LogAndApply(&edit_, &state->mutex);
    if (!status.ok()) return status;
  }
  state->log_numbers.assign(unflushed_.begin(), unflushed_.end());
  state->log_numbers.push_back(parts_.log_number);
  state->immutable_last_sequence = state->versions->LastSequence();
  state->manifest_number = state->versions->ManifestFileNumber();
  state->Publish(memtable_, immutable_);
  return Status::OK();
}

Status OpenSteps::SettlePool() {
  Pool* const pool = parts_.tier->pool();
  replayed_extents_.reset();
  Status status;
  for (const LogSlot& log : flushed_logs_) {
    if (status.ok()) status = pool->root()->RemoveLog(log.number);
  }
  if (status.ok()) status = attach_->Settle(pool);
  if (status.ok() && !pool->was_clean()) parts_.tier->extents()->ForgetFree();
  parts_.tier_is_settled = status.ok();
  return status;
}

}  // namespace

Status OpenDatabase(const Options& options, const PmemRequest& request, const std::string& name,
                    OpenParts* parts) {
  Status status = OpenSteps(request, parts).Run(options, name);
  if (parts->tier != nullptr) status = WithBadBlocks(*parts->tier->pool(), status);
  status = WithRemedy(name, status);
  if (!status.ok() && parts->state != nullptr) {
    Log(parts->state->info_log(), "could not open the database: %s", status.ToString().c_str());
  }
  return status;
}

}  // namespace leveldb
