#include "db/version/manifest_reader.h"

#include <memory>

#include "db/files/filename.h"
#include "db/version/version_edit.h"
#include "filelog/log_reader.h"
#include "leveldb/env.h"
#include "util/status_text.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Keeps the first damage that the log reader reports.
class FirstDamage final : public LogReporter {
 public:
  void Corruption(size_t bytes, const Status& reason) override {
    if (status_.ok()) status_ = reason;
  }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

// Collects the contents of the edits of one manifest.
class SummaryBuilder {
 public:
  SummaryBuilder(const std::string& comparator_name, VersionBuilder* builder,
                 ManifestSummary* summary)
      : comparator_name_(comparator_name), builder_(builder), summary_(summary) {}

  Status Add(const Slice& record) {
    VersionEdit edit;
    Status status = edit.DecodeFrom(record);
    if (status.ok()) status = CheckComparator(edit);
    if (!status.ok()) return status;
    builder_->Apply(edit);
    TakeCounters(edit);
    summary_->edits++;
    return status;
  }

  // Returns Corruption if a field is missing that every complete manifest has.
  Status CheckComplete() const {
    if (!has_next_file_number_) return Missing("next file number");
    if (!has_log_number_) return Missing("log number");
    if (!has_last_sequence_) return Missing("last sequence number");
    return Status::OK();
  }

 private:
  static Status Missing(const char* field) {
    return Status::Corruption("the manifest does not tell the", field);
  }

  Status CheckComparator(const VersionEdit& edit) const {
    if (!edit.comparator().has_value() || *edit.comparator() == comparator_name_) {
      return Status::OK();
    }
    return Status::InvalidArgument(*edit.comparator() + " does not match existing comparator ",
                                   comparator_name_);
  }

  void TakeCounters(const VersionEdit& edit) {
    Take(edit.log_number(), &summary_->log_number, &has_log_number_);
    Take(edit.next_file_number(), &summary_->next_file_number, &has_next_file_number_);
    Take(edit.last_sequence(), &summary_->last_sequence, &has_last_sequence_);
    if (edit.prev_log_number().has_value()) summary_->prev_log_number = *edit.prev_log_number();
    for (const VersionEdit::CompactPointer& pointer : edit.compact_pointers()) {
      summary_->compact_pointers[pointer.level] = pointer.key.Encode().ToString();
    }
    if (edit.pmem().tier().has_value()) summary_->tier = edit.pmem().tier();
    for (const PmemEdit::GroupPointer& pointer : edit.pmem().group_pointers()) {
      summary_->group_pointers[pointer.level] = pointer.key.Encode().ToString();
    }
  }

  static void Take(const std::optional<uint64_t>& field, uint64_t* value, bool* is_set) {
    if (!field.has_value()) return;
    *value = *field;
    *is_set = true;
  }

  const std::string& comparator_name_;
  VersionBuilder* const builder_;
  ManifestSummary* const summary_;
  bool has_log_number_ = false;
  bool has_next_file_number_ = false;
  bool has_last_sequence_ = false;
};

Status OpenManifest(Env* env, const std::string& dbname, const std::string& name,
                    std::unique_ptr<SequentialFile>* file) {
  SequentialFile* opened = nullptr;
  const std::string path = dbname + "/" + name;
  const Status status = env->NewSequentialFile(path, &opened);
  if (status.IsNotFound()) {
    return Status::Corruption(
        path,
        "CURRENT names a manifest that does not exist; put it back, or " + HowToRepair(dbname));
  }
  if (status.ok()) file->reset(opened);
  return status;
}

// Returns the beginning of a file's contents, short enough for a message.
std::string Beginning(const std::string& contents) {
  constexpr size_t kMost = 60;
  const std::string text = Escaped(contents);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

// Adds the file's path to a Corruption.
Status InFile(const std::string& path, const Status& status) {
  return status.IsCorruption() ? Status::Corruption(path, MessageOf(status)) : status;
}

// Passes every record to `add`; stops at the first damaged one.
template <typename Add>
Status ReadEdits(LogReader* reader, const FirstDamage& damage, const Add& add) {
  std::string scratch;
  Slice record;
  while (damage.status().ok() && reader->ReadRecord(&record, &scratch)) {
    // Records before this one may have been lost.
    if (!damage.status().ok()) break;
    const Status status = add(record);
    if (!status.ok()) return status;
  }
  return damage.status();
}

// Searches for whole names, since a path may contain the word "repair".
bool NamesRepair(const std::string& message) {
  return message.find("RepairDB") != std::string::npos ||
         message.find("bushstore repair") != std::string::npos;
}

}  // namespace

std::string HowToRepair(const std::string& dbname) {
  return "save what is in the other files by RepairDB (`bushstore repair " + dbname + "`)";
}

Status WithRemedy(const std::string& dbname, const Status& status) {
  const std::string message = MessageOf(status);
  if (!status.IsCorruption() || NamesRepair(message)) return status;
  return Status::Corruption(message + "; " + HowToRepair(dbname));
}

Status ReadCurrentFile(Env* env, const std::string& dbname, std::string* name, uint64_t* number) {
  std::string contents;
  const Status status = ReadFileToString(env, CurrentFileName(dbname), &contents);
  if (!status.ok()) return status;
  // Programs that copy files as text change the end of the line.
  Slice line = contents;
  for (const char end : {'\n', '\r'}) {
    if (!line.empty() && line[line.size() - 1] == end) line = Slice(line.data(), line.size() - 1);
  }
  FileType type;
  if (ParseFileName(line.ToString(), number, &type) && type == kManifestFile) {
    *name = line.ToString();
    return status;
  }
  return Status::Corruption(CurrentFileName(dbname),
                            "it has to name a manifest, and holds \"" + Beginning(contents) +
                                "\"; write the name of the newest MANIFEST file to it, or " +
                                HowToRepair(dbname));
}

Status ReadManifest(Env* env, const std::string& dbname, const std::string& name,
                    const std::string& comparator_name, VersionBuilder* builder,
                    ManifestSummary* summary) {
  const std::string path = dbname + "/" + name;
  std::unique_ptr<SequentialFile> file;
  Status status = OpenManifest(env, dbname, name, &file);
  if (!status.ok()) return status;

  *summary = ManifestSummary();
  FirstDamage damage;
  LogReader reader(file.get(), &damage, /*checksum=*/true);
  SummaryBuilder edits(comparator_name, builder, summary);
  status = ReadEdits(&reader, damage, [&edits](const Slice& record) { return edits.Add(record); });
  if (status.ok()) status = edits.CheckComplete();
  if (!status.ok()) return InFile(path, status);
  summary->tail_is_damaged = reader.tail() != LogReader::Tail::kComplete;
  summary->valid_bytes = reader.ValidEnd();
  return status;
}

Status ReadTierTag(Env* env, const std::string& dbname, std::optional<TierTag>* tier) {
  tier->reset();
  std::string name;
  uint64_t number = 0;
  Status status = ReadCurrentFile(env, dbname, &name, &number);
  if (!status.ok()) return status;
  const std::string path = dbname + "/" + name;
  std::unique_ptr<SequentialFile> file;
  status = OpenManifest(env, dbname, name, &file);
  if (!status.ok()) return status;

  FirstDamage damage;
  LogReader reader(file.get(), &damage, /*checksum=*/true);
  status = ReadEdits(&reader, damage, [tier](const Slice& record) {
    VersionEdit edit;
    const Status decoded = edit.DecodeFrom(record);
    if (decoded.ok() && edit.pmem().tier().has_value()) *tier = edit.pmem().tier();
    return decoded;
  });
  return InFile(path, status);
}

}  // namespace leveldb
