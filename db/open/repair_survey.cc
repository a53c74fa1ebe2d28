#include "db/open/repair_survey.h"

#include <algorithm>
#include <memory>
#include <set>

#include "db/files/filename.h"
#include "db/version/manifest_reader.h"
#include "db/version/version.h"
#include "db/version/version_builder.h"
#include "pmem/bptree/tree_meta.h"
#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

namespace {

std::string InDirectory(const std::string& dbname, const std::string& name) {
  return dbname + "/" + name;
}

void SortByNumber(std::vector<RepairSurvey::File>* files) {
  std::sort(files->begin(), files->end(),
            [](const RepairSurvey::File& a, const RepairSurvey::File& b) {
              return a.number != b.number ? a.number < b.number : a.name < b.name;
            });
}

// Creates a tree without reading it: the pool may be damaged or missing.
Status NameTreeOnly(const TreeRecord& record, TreePtr* tree) {
  auto meta = std::make_unique<TreeMeta>();
  meta->record = record;
  *tree = std::make_shared<const Tree>(TreeContext(), std::move(meta));
  return Status::OK();
}

class Surveyor {
 public:
  Surveyor(Env* env, const std::string& dbname, const InternalKeyComparator& comparator,
           RepairSurvey* survey)
      : env_(env), dbname_(dbname), comparator_(comparator), survey_(survey) {}

  Status Run() {
    const Status status = ListFiles();
    if (!status.ok()) return status;
    NumberFilesInLost();
    MarkTablesFoundByNumber();
    return ReadLiveManifest();
  }

 private:
  Status ListFiles() {
    std::vector<std::string> children;
    const Status status = env_->GetChildren(dbname_, &children);
    if (!status.ok()) return status;
    for (const std::string& child : children) {
      uint64_t number;
      FileType type;
      if (!ParseFileName(child, &number, &type)) continue;
      NoteNumber(number);
      if (type == kTableFile) survey_->tables.push_back({child, number});
      if (type == kLogFile) survey_->logs.push_back({child, number});
      if (type == kManifestFile) manifests_.push_back({child, number});
      if (type == kTempFile) survey_->temporaries.push_back(child);
    }
    SortByNumber(&survey_->tables);
    SortByNumber(&survey_->logs);
    SortByNumber(&manifests_);
    for (const RepairSurvey::File& manifest : manifests_) {
      survey_->manifests.push_back(manifest.name);
    }
    return status;
  }

  void NoteNumber(uint64_t number) {
    if (number < kFirstAbsurdFileNumber) {
      survey_->largest_number = std::max(survey_->largest_number, number);
    }
  }

  // Notes the numbers in lost/, so that files moved there later do not collide with existing names.
  void NumberFilesInLost() {
    std::vector<std::string> children;
    if (!env_->GetChildren(LostDirectory(dbname_), &children).ok()) return;  // most have none
    for (const std::string& child : children) {
      uint64_t number;
      FileType type;
      if (ParseFileName(child, &number, &type)) NoteNumber(number);
    }
  }

  // Marks the tables that are found by number. Several files may have the same number: 000005.ldb,
  // 000005.sst, 5.ldb.
  void MarkTablesFoundByNumber() {
    std::set<std::string> names;
    for (const RepairSurvey::File& table : survey_->tables) names.insert(table.name);
    for (RepairSurvey::File& table : survey_->tables) {
      const std::string path = InDirectory(dbname_, table.name);
      const std::string usual_path = TableFileName(dbname_, table.number);
      const bool is_legacy = path == LegacyTableFileName(dbname_, table.number) &&
                             names.count(usual_path.substr(dbname_.size() + 1)) == 0;
      table.is_found_by_number =
          table.number < kFirstAbsurdFileNumber && (path == usual_path || is_legacy);
    }
  }

  // Reads the manifest that CURRENT names or, if CURRENT is unusable, the newest.
  Status ReadLiveManifest() {
    std::string name;
    uint64_t number;
    const Status current = ReadCurrentFile(env_, dbname_, &name, &number);
    if (IsShortage(current)) return current;
    // CURRENT may have been changed to another name by damage.
    if (!current.ok() || !env_->FileExists(InDirectory(dbname_, name))) {
      if (manifests_.empty()) {
        survey_->doubt = "there is none";
        return Status::OK();
      }
      name = manifests_.back().name;
    }
    survey_->tier = SurveyTier(env_, dbname_, name);
    if (IsShortage(survey_->tier.unreadable)) return survey_->tier.unreadable;
    VersionBuilder builder(&comparator_, std::make_shared<const Version>(&comparator_),
                           &NameTreeOnly);
    VersionPtr version;
    ManifestSummary summary;
    Status status = ReadManifest(env_, dbname_, name, comparator_.user_comparator()->Name(),
                                 &builder, &summary);
    if (status.IsInvalidArgument() || IsShortage(status)) return status;
    if (status.ok()) status = builder.Build(&version);
    survey_->doubt =
        status.ok() ? DoubtFrom(name, *version, summary) : name + ": " + status.ToString();
    return Status::OK();
  }

  // Takes over what the manifest says, or returns the reason not to.
  std::string DoubtFrom(const std::string& name, const Version& version,
                        const ManifestSummary& summary) {
    std::map<uint64_t, int> levels;
    for (int level = 0; level < kNumLevels; level++) {
      for (const FileMetaPtr& file : version.files(level)) levels[file->number] = level;
    }
    const RepairSurvey::File* const newer = FindNewerTable(levels);
    const bool has_all_tables = CountTablesFound(levels) == levels.size();
    if (has_all_tables) {
      TakeOverWhatIsObsolete(levels, summary);
    } else if (newer != nullptr) {
      // Newer tables have replaced those that are missing; otherwise the missing ones are lost, and
      // older data is better than none: then only tables that were dropped by name are left out.
      survey_->obsolete_tables = survey_->tier.dropped_tables;
    }
    if (summary.tail_is_damaged) return name + " has a damaged tail";
    if (newer != nullptr) return newer->name + " is newer than " + name;
    if (!has_all_tables) return name + " names tables that are missing";
    if (!HasLog(summary.log_number)) return name + " names a log that is missing";
    survey_->levels = std::move(levels);
    survey_->last_sequence = std::min(summary.last_sequence, kMaxSequenceNumber);
    return "";
  }

  // Returns a table that the manifest should name if it were complete, and does not; null if none.
  const RepairSurvey::File* FindNewerTable(const std::map<uint64_t, int>& levels) const {
    for (const RepairSurvey::File& table : survey_->tables) {
      const bool is_told_of =
          levels.count(table.number) > 0 || survey_->tier.dropped_tables.count(table.number) > 0;
      if (table.number >= survey_->tier.first_number && !is_told_of) return &table;
    }
    return nullptr;
  }

  size_t CountTablesFound(const std::map<uint64_t, int>& levels) const {
    size_t count = 0;
    for (const RepairSurvey::File& table : survey_->tables) {
      if (table.is_found_by_number) count += levels.count(table.number);
    }
    return count;
  }

  // Lost edits cannot undo what other edits have dropped.
  void TakeOverWhatIsObsolete(const std::map<uint64_t, int>& levels,
                              const ManifestSummary& summary) {
    const TierSurvey& tier = survey_->tier;
    survey_->obsolete_tables = tier.dropped_tables;
    for (const RepairSurvey::File& table : survey_->tables) {
      if (table.number < tier.first_number && levels.count(table.number) == 0) {
        survey_->obsolete_tables.insert(table.number);
      }
    }
    survey_->log_number = summary.log_number;
    survey_->prev_log_number = summary.prev_log_number;
  }

  bool HasLog(uint64_t number) const {
    if (survey_->tier.tag.has_value()) return true;
    return std::any_of(survey_->logs.begin(), survey_->logs.end(),
                       [=](const RepairSurvey::File& log) { return log.number == number; });
  }

  Env* const env_;
  const std::string& dbname_;
  const InternalKeyComparator& comparator_;
  RepairSurvey* const survey_;
  std::vector<RepairSurvey::File> manifests_;  // by number
};

}  // namespace

bool RepairSurvey::TableCounts(const File& table) const {
  if (!ManifestIsBelieved()) return obsolete_tables.count(table.number) == 0;
  return table.is_found_by_number && levels.count(table.number) > 0;
}

bool RepairSurvey::LogCounts(const File& log) const {
  return log.number >= log_number || (prev_log_number != 0 && log.number == prev_log_number);
}

void RepairSurvey::LetEverythingCount() {
  obsolete_tables.clear();
  log_number = prev_log_number = 0;
}

void RepairSurvey::Disbelieve(const std::string& why) {
  if (doubt.empty()) doubt = why;
  levels.clear();
  last_sequence = 0;
  LetEverythingCount();
  tier.log_number = 0;
  if (tier.is_partial) return;
  const Status unreadable = tier.unreadable;
  tier = TierSurvey();
  tier.is_partial = true;
  tier.unreadable = unreadable;
}

Status SurveyDirectory(Env* env, const std::string& dbname, const InternalKeyComparator& comparator,
                       RepairSurvey* survey) {
  return Surveyor(env, dbname, comparator, survey).Run();
}

}  // namespace leveldb
