#include "db/open/plain_copy.h"

#include <algorithm>

#include "db/files/filename.h"
#include "db/open/repair_layout.h"
#include "db/open/repair_survey.h"
#include "db/open/resolve_options.h"
#include "db/version/internal_key_order.h"
#include "db/version/manifest_writer.h"
#include "db/version/version_edit.h"

namespace leveldb {

namespace {

// A copy has no history: each key has one version, with the first sequence.
constexpr SequenceNumber kOnlySequence = 1;

}  // namespace

Status WriteManifestOf(RepairContext* context, const std::vector<SalvagedTable>& tables,
                       SequenceNumber last_sequence, uint64_t manifest_number) {
  VersionEdit edit;
  edit.SetComparatorName(context->comparator().user_comparator()->Name());
  edit.SetPrevLogNumber(0);
  const uint64_t log_number = context->NewFileNumber();
  edit.SetLogNumber(log_number);
  edit.SetNextFile(context->next_file_number);
  edit.SetLastSequence(last_sequence);
  for (const SalvagedTable& table : tables) {
    edit.AddFile(table.level, table.number, table.size, table.smallest, table.largest);
  }
  std::string record;
  edit.EncodeTo(&record);
  Status status =
      WriteStringToFile(context->env(), Slice(), LogFileName(context->dbname(), log_number));
  if (!status.ok()) return status;
  std::unique_ptr<ManifestWriter> writer;
  status = ManifestWriter::Create(context->env(), context->dbname(), manifest_number, &writer);
  if (status.ok()) status = writer->Add(record);
  if (status.ok()) status = writer->Sync();
  if (status.ok()) status = writer->Close();
  return status;
}

Status PlainCopy::Create(const Options& options, const std::string& target,
                         std::unique_ptr<PlainCopy>* copy) {
  // Usually the directory exists; if it cannot be created, the lock fails.
  static_cast<void>(options.env->CreateDir(target));
  std::unique_ptr<PlainCopy> created(new PlainCopy(options, target));
  const Status status = created->lock_.Acquire(options.env, target);
  if (!status.ok()) return status;
  if (options.env->FileExists(CurrentFileName(target))) {
    created->is_finished_ = true;
    return Status::InvalidArgument(target, "holds a database already");
  }
  const Status found = created->FindFirstNumber();
  if (!found.ok()) return found;
  *copy = std::move(created);
  return Status::OK();
}

// Finds a number above those of all existing files: the logs among them are not part of the copy.
Status PlainCopy::FindFirstNumber() {
  std::vector<std::string> names;
  const Status status = context_.env()->GetChildren(context_.dbname(), &names);
  if (!status.ok()) return status;
  uint64_t first = kFirstFileNumber;
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type)) continue;
    if (number >= kFirstAbsurdFileNumber / 2) {
      return Status::InvalidArgument(context_.dbname() + "/" + name,
                                     "has a number that leaves none for a copy");
    }
    first = std::max(first, number + 1);
  }
  context_.next_file_number = first_number_ = first;
  return status;
}

PlainCopy::PlainCopy(const Options& options, const std::string& target)
    : resolved_(ResolveOptions(target, options)),
      table_cache_(target, resolved_->options, resolved_->table_cache_entries,
                   InternalKeyOrder(resolved_->internal_comparator)),
      context_{resolved_.get(), &table_cache_, kFirstFileNumber},
      output_(&context_, &tables_) {}

PlainCopy::~PlainCopy() {
  if (is_finished_) return;
  for (const SalvagedTable& table : tables_) table_cache_.Evict(table.number);
  // Files that remain are not a database, and are removed when a database is created here.
  const std::string& target = context_.dbname();
  for (uint64_t n = first_number_; n < context_.next_file_number; n++) {
    static_cast<void>(context_.env()->RemoveFile(TableFileName(target, n)));
    static_cast<void>(context_.env()->RemoveFile(LogFileName(target, n)));
    static_cast<void>(context_.env()->RemoveFile(ManifestFileName(target, n)));
  }
}

Status PlainCopy::Add(const Slice& user_key, const Slice& value) {
  key_.clear();
  AppendInternalKey(&key_, user_key, kOnlySequence, kTypeValue);
  return output_.Add(key_, value);
}

Status PlainCopy::Finish() {
  Status status = output_.Finish();
  if (!status.ok()) return status;
  uint64_t bytes = 0;
  for (const SalvagedTable& table : tables_) bytes += table.size;
  for (SalvagedTable& table : tables_) table.level = LevelForBytes(bytes);
  const uint64_t manifest_number = context_.NewFileNumber();
  status = WriteManifestOf(&context_, tables_, kOnlySequence, manifest_number);
  if (!status.ok()) return status;
  status = SetCurrentFile(context_.env(), context_.dbname(), manifest_number);
  // On some file systems this fails after CURRENT exists; then the files that it names are needed.
  is_finished_ = status.ok() || context_.env()->FileExists(CurrentFileName(context_.dbname()));
  return status;
}

}  // namespace leveldb
