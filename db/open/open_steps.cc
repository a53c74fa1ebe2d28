#include "db/open/open_steps.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/jobs/cleanup_job.h"
#include "db/open/log_replay.h"
#include "db/open/resolve_options.h"
#include "db/version/internal_key_order.h"
#include "util/text.h"

namespace leveldb {

DirectoryLock::~DirectoryLock() {
  if (lock_ == nullptr) return;
  const Status status = env_->UnlockFile(lock_);
  static_cast<void>(status);  // the lock goes with the process at the latest
}

Status DirectoryLock::Acquire(Env* env, const std::string& dbname) {
  env_ = env;
  return env->LockFile(LockFileName(dbname), &lock_);
}

namespace {

class OpenSteps {
 public:
  explicit OpenSteps(OpenParts* parts) : parts_(*parts) {}

  Status Run(const Options& user_options, const std::string& name);

 private:
  Status CheckExistence(bool* is_fresh) const;
  Status CheckTables() const;
  Status FindLogs(std::vector<uint64_t>* numbers) const;
  Status ReplayLogs();
  Status ReuseLog(const LogReplay& replay, uint64_t number, bool* reused);
  Status StartLog();
  Status InstallOutcome();

  DbState* state() const { return parts_.state.get(); }
  const Options& options() const { return parts_.state->options(); }
  const std::string& dbname() const { return parts_.state->dbname(); }
  Env* env() const { return options().env; }

  OpenParts& parts_;
  bool manifest_is_reused_ = false;
  bool log_is_reused_ = false;
  VersionEdit edit_;
  std::shared_ptr<MemTable> memtable_;
};

Status OpenSteps::Run(const Options& user_options, const std::string& name) {
  std::unique_ptr<ResolvedOptions> resolved = ResolveOptions(name, user_options);
  Env* const env = resolved->options.env;
  // A directory that is there is locked first: if it may not be, that is the error.
  if (!user_options.create_if_missing && !env->FileExists(CurrentFileName(name)) &&
      !env->FileExists(name)) {
    return Status::InvalidArgument(name, "does not exist (create_if_missing is false)");
  }
  const Status created = env->CreateDir(name);
  static_cast<void>(created);  // most often it exists; if it can't be made, the lock fails
  Status status = parts_.lock.Acquire(env, name);
  if (!status.ok()) return status;
  OpenInfoLog(resolved.get());
  parts_.state = std::make_unique<DbState>(std::move(resolved));

  bool is_fresh;
  status = CheckExistence(&is_fresh);
  if (status.ok() && is_fresh) status = state()->versions->CreateFresh();
  if (status.ok()) status = state()->versions->Recover(&manifest_is_reused_);
  if (status.ok()) status = CheckTables();
  if (!status.ok()) return status;

  parts_.table_cache =
      std::make_unique<TableCache>(dbname(), options(), state()->resolved().table_cache_entries,
                                   InternalKeyOrder(state()->comparator()));
  parts_.scheduler = std::make_unique<Scheduler>(state(), parts_.table_cache.get());
  state()->work_signal = parts_.scheduler.get();

  status = ReplayLogs();
  if (status.ok() && !log_is_reused_) status = StartLog();
  if (status.ok()) status = InstallOutcome();
  if (status.ok()) status = CleanupJob(parts_.scheduler->context()).RemoveStrayFiles();
  return status;
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

Status OpenSteps::CheckTables() const {
  std::set<uint64_t> missing;
  state()->versions->AddLiveFiles(&missing);
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

// The logs whose writes may not be in tables yet, oldest first.
Status OpenSteps::FindLogs(std::vector<uint64_t>* numbers) const {
  std::vector<std::string> names;
  const Status status = env()->GetChildren(dbname(), &names);
  if (!status.ok()) return status;
  const VersionSet& versions = *state()->versions;
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type) || type != kLogFile) continue;
    if (number > kMaxFileNumber) {
      return Status::Corruption(dbname() + "/" + name, "no database gives a log so high a number");
    }
    if (number >= versions.LogNumber() || number == versions.PrevLogNumber()) {
      numbers->push_back(number);
    }
  }
  std::sort(numbers->begin(), numbers->end());
  return status;
}

Status OpenSteps::ReplayLogs() {
  std::vector<uint64_t> numbers;
  Status status = FindLogs(&numbers);
  if (!status.ok()) return status;

  // Tables made by the replay must not take a number that a log has.
  VersionSet* const versions = state()->versions.get();
  for (const uint64_t number : numbers) versions->MarkFileNumberUsed(number);

  LogReplay replay(parts_.scheduler->context(), &edit_);
  for (const uint64_t number : numbers) {
    status = replay.Replay(number);
    if (!status.ok()) return status;
  }
  if (replay.last_sequence() > versions->LastSequence()) {
    versions->SetLastSequence(replay.last_sequence());
  }
  if (options().reuse_logs && !numbers.empty()) {
    status = ReuseLog(replay, numbers.back(), &log_is_reused_);
    if (!status.ok()) return status;
  }
  if (!log_is_reused_) status = replay.FlushRest();
  memtable_ = replay.memtable();
  return status;
}

// Goes on in the last log, if that is possible, instead of writing its contents to a table.
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
  parts_.log_number = state()->versions->NewFileNumber();
  WritableFile* file;
  Status status = env()->NewWritableFile(LogFileName(dbname(), parts_.log_number), &file);
  if (!status.ok()) return status;
  parts_.log_file.reset(file);
  // The name must be durable before an edit speaks of it. A new manifest's first sync makes it so.
  if (manifest_is_reused_) status = file->Sync();
  return status;
}

Status OpenSteps::InstallOutcome() {
  DbState* const state = parts_.state.get();
  MutexLock lock(&state->mutex);
  const bool nothing_changed = manifest_is_reused_ && log_is_reused_;
  if (!nothing_changed) {
    edit_.SetPrevLogNumber(0);
    edit_.SetLogNumber(parts_.log_number);
    const Status status = state->versions->LogAndApply(&edit_, &state->mutex);
    if (!status.ok()) return status;
  }
  state->log_numbers.push_back(parts_.log_number);
  state->manifest_number = state->versions->ManifestFileNumber();
  state->Publish(memtable_, nullptr);
  return Status::OK();
}

}  // namespace

Status OpenDatabase(const Options& options, const std::string& name, OpenParts* parts) {
  const Status status = OpenSteps(parts).Run(options, name);
  if (!status.ok() && parts->state != nullptr) {
    Log(parts->state->info_log(), "could not open the database: %s", status.ToString().c_str());
  }
  return status;
}

}  // namespace leveldb
