// How an edit becomes the current version:
//
//   1. The caller waits until it is at the front of the queue. The caller at the front owns
//      current_, the manifest and its numbers until it leaves, even while the mutex is released.
//   2. Under the mutex, the edit is completed from the counters.
//   3. With the mutex released, the next version is built and the record written and synced. If
//      there is no manifest to append to, or it has grown too long, or the database leaves its
//      tier, a new one is made: snapshot of the current version, the edit, sync, then CURRENT is
//      switched to it.
//   4. Under the mutex, the result is installed: counters, compaction pointers, the version. Files
//      that it no longer names are marked obsolete.

#include "db/version/version_set.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>
#include <utility>

#include "db/files/filename.h"
#include "db/version/manifest_reader.h"
#include "db/version/obsolete_files.h"
#include "db/version/version_builder.h"
#include "db/version/version_numbers.h"
#include "leveldb/env.h"
#include "util/text.h"

namespace leveldb {

namespace {

// A new manifest is started when the current one exceeds both a minimum size and a multiple of its
// initial size, so that rewriting never dominates.
constexpr uint64_t kMinManifestBytesToRewrite = uint64_t{4} << 20;
constexpr uint64_t kManifestGrowthToRewrite = 4;

constexpr uint64_t kFirstManifestNumber = 1;

}  // namespace

// One caller of LogAndApply, waiting or active.
struct VersionSet::Turn {
  explicit Turn(Mutex* mu) : arrived(mu) {}
  CondVar arrived;
};

// The results of the steps that run while the mutex is released.
struct VersionSet::Update {
  VersionPtr version;
  std::vector<FileMetaPtr> dropped;  // files that `version` does not name any more
  uint64_t new_manifest_number = 0;  // 0: the edit is appended to the current manifest
  VersionEdit snapshot;              // the first edit of the new manifest; see CompleteSnapshot
  std::unique_ptr<ManifestWriter> new_manifest;
  uint64_t new_snapshot_bytes = 0;
};

// The contents of the manifest that CURRENT names.
struct VersionSet::Recovered {
  std::string manifest;
  uint64_t manifest_number = 0;
  ManifestSummary summary;
  VersionPtr version;
};

VersionSet::VersionSet(const std::string& dbname, const Options* options,
                       const InternalKeyComparator* comparator, ObsoleteFiles* obsolete_files)
    : dbname_(dbname), options_(options), comparator_(comparator), obsolete_files_(obsolete_files) {
  SetCurrent(VersionPtr(new Version(comparator)));
}

VersionSet::~VersionSet() {
  assert(turns_.empty());
}

void VersionSet::AttachTier(TierAttachment tier) {
  assert(!attachment_.has_value());
  attachment_ = std::move(tier);
}

Status VersionSet::CreateFresh() {
  VersionEdit edit;
  edit.SetComparatorName(comparator_->user_comparator()->Name());
  edit.SetLogNumber(0);
  edit.SetNextFile(kFirstManifestNumber + 1);
  edit.SetLastSequence(0);
  std::string record;
  edit.EncodeTo(&record);

  std::unique_ptr<ManifestWriter> manifest;
  Status status = ManifestWriter::Create(options_->env, dbname_, kFirstManifestNumber, &manifest);
  if (!status.ok()) return status;
  status = manifest->Add(record);
  if (status.ok()) status = manifest->Sync();
  if (status.ok()) status = manifest->Close();
  if (status.ok()) return SetCurrentFile(options_->env, dbname_, kFirstManifestNumber);
  RemoveManifest(kFirstManifestNumber);
  return status;
}

Status VersionSet::ReadCurrentManifest(Recovered* recovered) const {
  Status status =
      ReadCurrentFile(options_->env, dbname_, &recovered->manifest, &recovered->manifest_number);
  if (!status.ok()) return status;

  VersionBuilder builder(comparator_, current_,
                         attachment_.has_value() ? attachment_->open_tree : nullptr);
  if (attachment_.has_value()) {
    builder.SetShape(
        ShapeUnderTier(attachment_->pool_bytes, options_->write_buffer_size, attachment_->spills));
  }
  ManifestSummary& summary = recovered->summary;
  status = ReadManifest(options_->env, dbname_, recovered->manifest,
                        comparator_->user_comparator()->Name(), &builder, &summary);
  if (!status.ok()) return status;
  if (summary.tier.has_value() && !attachment_.has_value()) {
    return Status::InvalidArgument(
        dbname_, "has part of its data in persistent memory, in pool " + summary.tier->pool.Text());
  }
  status = builder.Build(&recovered->version);
  if (status.ok()) status = CheckNumbersAreUnique(*recovered->version);
  if (status.ok()) {
    status = CheckCounters(summary, recovered->manifest_number, *recovered->version);
  }
  return status.ok() ? CheckNothingAcknowledgedIsLost(summary) : status;
}

Status VersionSet::CheckRecoverable(std::set<uint64_t>* tables) const {
  Recovered recovered;
  const Status status = ReadCurrentManifest(&recovered);
  if (!status.ok()) return status;
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : recovered.version->files(level)) tables->insert(file->number);
  }
  return status;
}

Status VersionSet::Recover(bool* manifest_is_reused) {
  Recovered recovered;
  const Status status = ReadCurrentManifest(&recovered);
  if (!status.ok()) return status;
  const uint64_t number = recovered.manifest_number;
  AdoptSummary(recovered.summary);
  MarkFileNumberUsed(number);
  MarkFileNumberUsed(HighestNumber(*recovered.version));
  SetCurrent(std::move(recovered.version));
  manifest_number_ = number;
  *manifest_is_reused = ReuseManifest(recovered.manifest, number, recovered.summary);
  if (!*manifest_is_reused) next_manifest_number_ = NewFileNumber();
  return status;
}

// Returns Corruption if a number of the manifest is out of range: the counters could overflow.
Status VersionSet::CheckCounters(const ManifestSummary& summary, uint64_t manifest_number,
                                 const Version& version) const {
  if (summary.last_sequence > kMaxSequenceNumber) {
    return Status::Corruption(dbname_, "the manifest's last sequence number is out of range");
  }
  const uint64_t highest =
      std::max({summary.next_file_number, summary.log_number, summary.prev_log_number,
                manifest_number, HighestNumber(version)});
  if (highest <= kMaxFileNumber) return Status::OK();
  return Status::Corruption(dbname_, "the manifest names a file number that is out of range");
}

// Returns Corruption if the manifest lacks an edit that was acknowledged. The damaged end that a
// crash leaves in a manifest was never acknowledged. But if the log that the last sound edit names
// is gone, then a later edit had been acknowledged and has been damaged since: logs are removed
// only after such an edit, and the name of a log is durable before an edit names it. A manifest
// that ends with that edit without damage may be an older copy, or its end may have become zeros:
// newer files reveal this.
Status VersionSet::CheckNothingAcknowledgedIsLost(const ManifestSummary& summary) const {
  if (summary.log_number == 0) return Status::OK();
  const std::string log = LogFileName(dbname_, summary.log_number);
  if (options_->env->FileExists(log)) return Status::OK();
  if (attachment_.has_value()) {
    const std::vector<uint64_t>& logs = attachment_->logs;
    if (std::count(logs.begin(), logs.end(), summary.log_number) > 0) return Status::OK();
  }
  if (summary.tail_is_damaged) {
    return Status::Corruption(
        dbname_, "the end of the manifest is damaged, and the log that it asks for is gone: " +
                     log + "; put it back, or " + HowToRepair(dbname_));
  }
  // The replay of the pool's logs detects a missing log. A pool that the manifest does not name is
  // a new one.
  if (summary.tier.has_value() && HasLaterLogInPool(summary.log_number)) return Status::OK();
  std::string newer;
  const Status status = FindNewerFile(summary, &newer);
  if (!status.ok() || newer.empty()) return status;
  return Status::Corruption(
      dbname_, "the manifest is older than other files: it asks for a log that is gone, " + log +
                   ", and does not know of " + newer + "; put the newest manifest back, or " +
                   HowToRepair(dbname_));
}

bool VersionSet::HasLaterLogInPool(uint64_t number) const {
  const std::vector<uint64_t>& logs = attachment_->logs;
  return std::any_of(logs.begin(), logs.end(), [number](uint64_t log) { return log > number; });
}

// Sets *path to a table or log that a later edit has made, if there is one. A later log may have a
// number below the next file number: concurrent jobs take their numbers before they write their
// edits.
Status VersionSet::FindNewerFile(const ManifestSummary& summary, std::string* path) const {
  std::vector<std::string> names;
  const Status status = options_->env->GetChildren(dbname_, &names);
  if (!status.ok()) return status;
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type)) continue;
    const bool is_newer = (type == kTableFile && number >= summary.next_file_number) ||
                          (type == kLogFile && number > summary.log_number);
    if (is_newer) *path = dbname_ + "/" + name;
  }
  return status;
}

void VersionSet::AdoptSummary(const ManifestSummary& summary) {
  next_file_number_.store(summary.next_file_number, std::memory_order_relaxed);
  last_sequence_.store(summary.last_sequence, std::memory_order_release);
  flushed_sequence_ = summary.last_sequence;
  log_number_ = summary.log_number;
  prev_log_number_ = summary.prev_log_number;
  compact_pointers_ = summary.compact_pointers;
  tier_ = summary.tier;
  group_pointers_ = summary.group_pointers;
  MarkFileNumberUsed(log_number_);
  MarkFileNumberUsed(prev_log_number_);
  if (summary.tail_is_damaged) {
    Log(options_->info_log,
        "Manifest: ignored a damaged end behind %llu sound bytes, as a crash leaves it",
        static_cast<unsigned long long>(summary.valid_bytes));
  }
}

// Opens the manifest for appending if that is possible. Only a manifest that ends where its last
// edit ends may be continued.
bool VersionSet::ReuseManifest(const std::string& name, uint64_t number,
                               const ManifestSummary& summary) {
  if (!options_->reuse_logs || summary.tail_is_damaged) return false;
  const std::string path = dbname_ + "/" + name;
  if (path != ManifestFileName(dbname_, number)) return false;
  // LevelDB would not accept a CURRENT with another line end: then a new manifest is written.
  std::string current;
  if (!ReadFileToString(options_->env, CurrentFileName(dbname_), &current).ok() ||
      current != name + "\n") {
    return false;
  }
  uint64_t size = 0;
  if (!options_->env->GetFileSize(path, &size).ok()) return false;
  if (size >= options_->max_file_size || size != summary.valid_bytes) return false;
  Status status = ManifestWriter::Continue(options_->env, dbname_, number, size, &manifest_);
  // An earlier process may have crashed between an edit and its sync. Files will be removed because
  // of that edit, so it must be durable first.
  if (status.ok()) status = manifest_->Sync();
  if (!status.ok()) {
    manifest_.reset();
    Log(options_->info_log, "Manifest: can't continue %s: %s", name.c_str(),
        status.ToString().c_str());
    return false;
  }
  snapshot_bytes_ = size;
  Log(options_->info_log, "Manifest: continuing %s", name.c_str());
  return true;
}

Status VersionSet::LogAndApply(VersionEdit* edit, Mutex* mu) {
  Turn turn(mu);
  WaitForTurn(&turn);
  Update update;
  if (NeedsNewManifest(*edit)) {
    update.new_manifest_number = TakeManifestNumber();
    job_numbers_.AddTo(next_file_number_.load(std::memory_order_relaxed), KeepsTier(*edit),
                       &update.snapshot);
  }
  CompleteEdit(edit);
  Status status;
  {
    MutexUnlock unlock(mu);
    status = BuildNext(*edit, &update);
    if (status.ok()) status = Write(*edit, &update);
  }
  if (attachment_.has_value()) attachment_->hold_releases(!status.ok());
  if (status.ok()) {
    Install(*edit, &update);
    job_numbers_.NoteInstalled(*edit);
  } else {
    job_numbers_.NoteFailed(*edit);
    Log(options_->info_log, "Manifest: an edit was not written: %s", status.ToString().c_str());
  }
  EndTurn();
  return status;
}

void VersionSet::WaitForTurn(Turn* turn) {
  turns_.push_back(turn);
  while (turns_.front() != turn) turn->arrived.Wait();
}

void VersionSet::EndTurn() {
  turns_.pop_front();
  if (!turns_.empty()) turns_.front()->arrived.Signal();
}

bool VersionSet::NeedsNewManifest(const VersionEdit& edit) const {
  if (manifest_ == nullptr || edit.pmem().leaves_tier()) return true;
  return manifest_->size() >=
         std::max(kMinManifestBytesToRewrite, kManifestGrowthToRewrite * snapshot_bytes_);
}

uint64_t VersionSet::TakeManifestNumber() {
  const uint64_t planned = std::exchange(next_manifest_number_, 0);
  return planned != 0 ? planned : NewFileNumber();
}

void VersionSet::CompleteEdit(VersionEdit* edit) const {
  // The previous edit may have released later logs than this one.
  if (!edit->log_number().has_value() || *edit->log_number() < log_number_) {
    edit->SetLogNumber(log_number_);
  }
  if (!edit->prev_log_number().has_value()) edit->SetPrevLogNumber(prev_log_number_);
  edit->SetNextFile(next_file_number_.load(std::memory_order_relaxed));
  edit->SetLastSequence(std::max(edit->last_sequence().value_or(0), flushed_sequence_));
  assert(*edit->log_number() < *edit->next_file_number());
}

Status VersionSet::BuildNext(const VersionEdit& edit, Update* update) const {
  if (edit.pmem().leaves_tier() && !current_->group()->empty()) {
    return Status::InvalidArgument(dbname_, "still has trees in its tier");
  }
  VersionBuilder builder(comparator_, current_);
  builder.Apply(edit);
  std::unordered_set<uint64_t> dropped;
  for (const VersionEdit::DeletedFile& file : edit.deleted_files()) dropped.insert(file.number);
  for (const VersionEdit::NewFile& file : edit.new_files()) dropped.erase(file.number);
  for (int level = 0; !dropped.empty() && level < kNumLevels; level++) {
    for (const FileMetaPtr& file : current_->files(level)) {
      if (dropped.count(file->number) > 0) update->dropped.push_back(file);
    }
  }
  return builder.Build(&update->version);
}

Status VersionSet::Write(const VersionEdit& edit, Update* update) {
  if (update->new_manifest_number != 0) return StartManifest(edit, update);
  std::string record;
  edit.EncodeTo(&record);
  Status status = manifest_->Add(record);
  if (status.ok()) status = manifest_->Sync();
  // The content of the file's end is unknown: never append to it again.
  if (!status.ok()) manifest_.reset();
  return status;
}

// A failure before CURRENT is changed leaves the old manifest usable. If the switch itself fails,
// CURRENT may name either one, and the next edit must start a third one.
Status VersionSet::StartManifest(const VersionEdit& edit, Update* update) {
  const uint64_t number = update->new_manifest_number;
  Status status = WriteNewManifest(edit, update);
  if (!status.ok()) {
    update->new_manifest.reset();
    RemoveManifest(number);
    return status;
  }
  manifest_.reset();
  return SetCurrentFile(options_->env, dbname_, number);
}

Status VersionSet::WriteNewManifest(const VersionEdit& edit, Update* update) const {
  Status status = ManifestWriter::Create(options_->env, dbname_, update->new_manifest_number,
                                         &update->new_manifest);
  if (!status.ok()) return status;
  std::string record;
  CompleteSnapshot(KeepsTier(edit), &update->snapshot);
  update->snapshot.EncodeTo(&record);
  status = update->new_manifest->Add(record);
  update->new_snapshot_bytes = update->new_manifest->size();
  record.clear();
  edit.EncodeTo(&record);
  if (status.ok()) status = update->new_manifest->Add(record);
  if (status.ok()) status = update->new_manifest->Sync();
  return status;
}

void VersionSet::CompleteSnapshot(bool with_tier, VersionEdit* snapshot) const {
  snapshot->SetComparatorName(comparator_->user_comparator()->Name());
  for (int level = 0; level < kNumLevels; level++) {
    InternalKey pointer;
    if (pointer.DecodeFrom(compact_pointers_[level])) snapshot->SetCompactPointer(level, pointer);
    for (const FileMetaPtr& file : current_->files(level)) {
      snapshot->AddFile(level, file->number, file->size, file->smallest, file->largest);
    }
  }
  if (with_tier) {
    snapshot->pmem().SetTier(*tier_);
    for (int level = 0; level < kGroupLevels; level++) {
      InternalKey pointer;
      if (pointer.DecodeFrom(group_pointers_[level])) {
        snapshot->pmem().SetGroupPointer(level, pointer);
      }
      for (const TreePtr& tree : current_->group()->trees(level)) {
        snapshot->pmem().AddTree(level, tree->record(), nullptr);
      }
    }
  }
}

// Nothing depends on it; if it fails, the next open removes the file.
void VersionSet::RemoveManifest(uint64_t number) const {
  static_cast<void>(options_->env->RemoveFile(ManifestFileName(dbname_, number)));
}

void VersionSet::Install(const VersionEdit& edit, Update* update) {
  if (update->new_manifest != nullptr) {
    manifest_ = std::move(update->new_manifest);
    manifest_number_ = update->new_manifest_number;
    snapshot_bytes_ = update->new_snapshot_bytes;
  }
  log_number_ = *edit.log_number();
  prev_log_number_ = *edit.prev_log_number();
  flushed_sequence_ = *edit.last_sequence();
  for (const VersionEdit::CompactPointer& pointer : edit.compact_pointers()) {
    compact_pointers_[pointer.level] = pointer.key.Encode().ToString();
  }
  for (const PmemEdit::GroupPointer& pointer : edit.pmem().group_pointers()) {
    group_pointers_[pointer.level] = pointer.key.Encode().ToString();
  }
  if (edit.pmem().tier().has_value()) tier_ = edit.pmem().tier();
  if (edit.pmem().leaves_tier()) {
    tier_.reset();
    group_pointers_ = {};
  }
  SetCurrent(std::move(update->version));
  for (const FileMetaPtr& file : update->dropped) file->MarkObsolete(obsolete_files_);
}

void VersionSet::SetCurrent(VersionPtr version) {
  versions_.erase(std::remove_if(versions_.begin(), versions_.end(),
                                 [](const std::weak_ptr<const Version>& v) { return v.expired(); }),
                  versions_.end());
  versions_.push_back(version);
  current_ = std::move(version);
  uint64_t bytes = 0;
  for (int level = 0; level < kNumLevels; level++) bytes += current_->level_bytes(level);
  data_volume_.Set(bytes);
}

void VersionSet::MarkFileNumberUsed(uint64_t number) {
  uint64_t next = next_file_number_.load(std::memory_order_relaxed);
  while (next <= number && !next_file_number_.compare_exchange_weak(next, number + 1)) {
  }
}

void VersionSet::AddLiveFiles(std::set<uint64_t>* live) const {
  for (const std::weak_ptr<const Version>& weak : versions_) {
    const VersionPtr version = weak.lock();
    if (version == nullptr) continue;
    for (int level = 0; level < kNumLevels; level++) {
      for (const FileMetaPtr& file : version->files(level)) live->insert(file->number);
    }
  }
}

std::string VersionSet::LevelSummary() const {
  std::string text = "files[";
  for (int level = 0; level < kNumLevels; level++) {
    text.push_back(' ');
    AppendNumber(&text, static_cast<uint64_t>(current_->num_files(level)));
  }
  text += " ]";
  if (!tier_.has_value()) return text;
  text += " trees[";
  for (int level = 0; level < kGroupLevels; level++) {
    text.push_back(' ');
    AppendNumber(&text, current_->group()->trees(level).size());
  }
  return text + " ]";
}

}  // namespace leveldb
