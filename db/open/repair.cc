// RepairDB: makes a database that can be opened from whatever is in a directory.
//
//  1. Survey: list the files, and decide whether the manifest can be trusted (repair_survey.h).
//  2. Read every table that counts, to its last byte. A sound table is used as it is. What can be
//     read of a damaged one is written to new tables, and so are the contents of the logs that
//     count. The same holds for the trees and logs of a persistent-memory tier (repair_pool.h).
//     From files that are no longer used only the deletions are taken, in case older files count
//     again.
//  3. Arrange the tables. If the manifest is trusted and the levels are still valid, each table
//     stays at its level, new tables replace the damaged ones, and those from logs go to level 0.
//     Otherwise, and whenever there is a tier, all tables become one sorted level: where key ranges
//     overlap they are merged by sequence, so that the newest version of a key counts whatever file
//     it was in.
//  4. Write a manifest and let CURRENT name it. At this moment the repaired database replaces the
//     old one. Until then no existing file has been changed: after an error, or a crash, the repair
//     can be run again.
//  5. Clean up: damaged tables, logs and old manifests go to lost/; tables that were merged and
//     temporary files are removed.

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/files/table_cache.h"
#include "db/open/entry_sorter.h"
#include "db/open/open_steps.h"
#include "db/open/plain_copy.h"
#include "db/open/repair_layout.h"
#include "db/open/repair_pool.h"
#include "db/open/repair_sources.h"
#include "db/open/repair_survey.h"
#include "db/open/repair_tidy.h"
#include "db/open/resolve_options.h"
#include "db/open/salvage_output.h"
#include "db/open/salvaged_table.h"
#include "db/open/table_merge.h"
#include "db/version/internal_key_order.h"
#include "leveldb/db.h"
#include "leveldb/pmem.h"
#include "table/compression.h"
#include "util/text.h"

namespace leveldb {

namespace {

unsigned long long Printable(uint64_t number) {
  return number;
}

class Repair {
 public:
  Repair(std::unique_ptr<ResolvedOptions> resolved, bool without_pool)
      : resolved_(std::move(resolved)), pool_(&context_, without_pool) {}

  // Returns a description of what is lost because the pool was not read.
  std::string DescribeLoss() const { return pool_.DescribeLoss(survey_); }

  // Returns a description of the repair. REQUIRES: Run() was OK.
  RepairReport Describe() const {
    RepairReport report;
    for (const SalvagedTable& table : tables_) report.entries += table.entries;
    const std::string left_out = DescribeLeftOut();
    report.lost_everything = report.entries == 0 && HasLost();
    report.text = "in the repaired database: " + NumberToString(report.entries) +
                  " entries (versions of keys, and deletions) in " +
                  NumberToString(tables_.size()) + " tables\n" +
                  "read from logs: " + NumberToString(saved_log_entries_) + " entries\n";
    if (pool_.is_used() && !pool_.is_left_out()) {
      report.text += "read from the pool: " + NumberToString(pool_.entries()) + " entries\n";
    }
    report.text += left_out.empty() ? "left out: nothing\n" : left_out;
    if (!survey_.ManifestIsBelieved()) {
      report.text += "the manifest was not used: " + survey_.doubt + "\n";
    }
    return report;
  }

  Status Run() {
    const Status status = Prepare();
    if (status.ok()) return TidyUp();
    Log(context_.info_log(), "repair: failed: %s", status.ToString().c_str());
    if (!may_be_current_) RemoveNewFiles();
    return status;
  }

 private:
  // Executes all steps before the change of CURRENT.
  Status Prepare() {
    context_.resolved = resolved_.get();
    Status status =
        SurveyDirectory(context_.env(), context_.dbname(), context_.comparator(), &survey_);
    if (status.ok()) status = pool_.Find(&survey_);
    if (!status.ok()) return status;
    context_.next_file_number = first_new_number_ = survey_.largest_number + 1;
    table_cache_ = std::make_unique<TableCache>(context_.dbname(), context_.options(),
                                                resolved_->table_cache_entries,
                                                InternalKeyOrder(context_.comparator()));
    context_.table_cache = table_cache_.get();
    if (!survey_.ManifestIsBelieved()) {
      Log(context_.info_log(), "repair: the manifest is not believed: %s", survey_.doubt.c_str());
    }

    status = ReadTables();
    if (status.ok()) status = ReadLogs();
    if (status.ok()) status = ReadPool();
    if (status.ok()) status = LayOut();
    if (status.ok()) status = Install();
    return status;
  }

  Status ReadTables() {
    std::vector<const RepairSurvey::File*> others;
    for (const RepairSurvey::File& file : survey_.tables) {
      if (!survey_.TableCounts(file)) {
        others.push_back(&file);
        continue;
      }
      const Status status = ReadTable(file);
      if (!status.ok()) return status;
    }
    if (damaged_tables_ > 0 && !survey_.ManifestIsBelieved()) {
      // The inputs from which damaged tables were made may still be intact.
      survey_.LetEverythingCount();
    }
    EntrySorter obsolete(&context_, &tables_, TakenTypes::kDeletions);
    for (const RepairSurvey::File* file : others) {
      const Status status =
          survey_.TableCounts(*file) ? ReadTable(*file) : ReadObsoleteTable(*file, &obsolete);
      if (!status.ok()) return status;
    }
    const Status status = obsolete.Flush();
    given_up_entries_ += obsolete.passed_over();
    return status;
  }

  // Takes the deletions of a table that is no longer used. A trusted manifest does not need them.
  Status ReadObsoleteTable(const RepairSurvey::File& file, EntrySorter* obsolete) {
    Log(context_.info_log(), "repair: %s is no part of the database", file.name.c_str());
    set_aside_.push_back(file.name);
    NoteGivenUp(file.name);
    if (survey_.ManifestIsBelieved()) return Status::OK();
    uint64_t deletions = 0;
    const Status status = SalvageTable(context_, file.name, obsolete, &deletions, &sequences_);
    return PassUnreadable(file, status, *obsolete);
  }

  void NoteGivenUp(const std::string& name) {
    uint64_t bytes = 0;
    if (!context_.env()->GetFileSize(context_.dbname() + "/" + name, &bytes).ok()) return;
    if (bytes == 0) return;
    given_up_files_++;
    given_up_bytes_ += bytes;
  }

  // Logs in LOG a file that is no longer used and cannot be read; this is not an error.
  Status PassUnreadable(const RepairSurvey::File& file, const Status& status,
                        const EntrySorter& obsolete) const {
    if (!status.ok()) {
      Log(context_.info_log(), "repair: %s: %s", file.name.c_str(), status.ToString().c_str());
    }
    return obsolete.status();
  }

  Status ReadTable(const RepairSurvey::File& file) {
    const auto level = survey_.levels.find(file.number);
    SalvagedTable table;
    table.number = file.number;
    table.level = level != survey_.levels.end() ? level->second : 0;
    DamageReport damage;
    const Status status = CheckTable(context_, file.name, &table, &damage);
    if (!status.ok()) return status;
    sequences_.Add(table.sequences.largest);
    if (damage.places == 0 && table.entries > 0 && file.is_found_by_number) {
      tables_.push_back(std::move(table));
      return status;
    }
    set_aside_.push_back(file.name);
    damaged_tables_ += damage.places > 0 ? 1 : 0;
    damaged_table_places_ += damage.places;
    damaged_table_bytes_ += damage.bytes;
    return RewriteTable(file.name, table.level);
  }

  // Writes what can be read of a table to new tables for the same level.
  Status RewriteTable(const std::string& name, int level) {
    std::vector<SalvagedTable> rewritten;
    EntrySorter sorter(&context_, &rewritten);
    uint64_t entries = 0;
    Status status = SalvageTable(context_, name, &sorter, &entries, &sequences_);
    if (status.ok()) status = sorter.Flush();
    if (!status.ok()) return status;
    Log(context_.info_log(), "repair: %s: %llu entries saved", name.c_str(), Printable(entries));
    saved_table_entries_ += entries;
    for (SalvagedTable& table : rewritten) {
      table.level = level;
      tables_.push_back(std::move(table));
    }
    return status;
  }

  // Parts of a log that cannot be read are damage: a repair continues without them.
  RecordNumbering NumberingAfter(SequenceNumber base) const {
    return RecordNumbering(context_.env(), base, RecordNumbering::ReadErrors::kPassOver);
  }

  Status ReadLogs() {
    EntrySorter sorter(&context_, &tables_);
    EntrySorter obsolete(&context_, &tables_, TakenTypes::kDeletions);
    RecordNumbering numbering = NumberingAfter(survey_.last_sequence);
    for (const RepairSurvey::File& file : survey_.logs) {
      set_aside_.push_back(file.name);
      RecordNumbering own = NumberingAfter(0);
      const Status status = survey_.LogCounts(file) ? ReadLog(file, &numbering, &sorter)
                            : IsUnapplied(file)     ? ReadLog(file, &own, &sorter)
                                                    : ReadObsoleteLog(file, &obsolete);
      if (!status.ok()) return status;
    }
    Status status = sorter.Flush();
    if (status.ok()) status = obsolete.Flush();
    given_up_entries_ += obsolete.passed_over();
    return status;
  }

  // Returns whether a log that a trusted manifest does not need has writes that are not in the
  // tables. Its writes are as old as their numbers say.
  bool IsUnapplied(const RepairSurvey::File& log) const {
    return survey_.ManifestIsBelieved() && !IsAppliedLog(context_, tables_, log.name);
  }

  Status ReadLog(const RepairSurvey::File& file, RecordNumbering* numbering, EntrySorter* sorter) {
    uint64_t entries = 0;
    DamageReport damage;
    const Status status =
        SalvageLog(context_, file.name, sorter, &entries, &sequences_, numbering, &damage);
    if (!status.ok()) return status;
    Log(context_.info_log(), "repair: %s: %llu entries saved", file.name.c_str(),
        Printable(entries));
    saved_log_entries_ += entries;
    damaged_logs_ += damage.places > 0 ? 1 : 0;
    damaged_log_places_ += damage.places;
    torn_bytes_ += damage.end_bytes;
    damaged_log_bytes_ += damage.bytes;
    return status;
  }

  // Like ReadObsoleteTable, for a log.
  Status ReadObsoleteLog(const RepairSurvey::File& file, EntrySorter* obsolete) {
    Log(context_.info_log(), "repair: %s is obsolete", file.name.c_str());
    NoteGivenUp(file.name);
    if (survey_.ManifestIsBelieved()) return Status::OK();
    uint64_t deletions = 0;
    RecordNumbering numbering = NumberingAfter(0);
    DamageReport damage;
    const Status status =
        SalvageLog(context_, file.name, obsolete, &deletions, &sequences_, &numbering, &damage);
    return PassUnreadable(file, status, *obsolete);
  }

  Status ReadPool() {
    EntrySorter sorter(&context_, &tables_);
    EntrySorter obsolete(&context_, &tables_, TakenTypes::kDeletions);
    Status status = pool_.Save(survey_, &sorter, &obsolete, &sequences_);
    if (status.ok()) status = sorter.Flush();
    if (status.ok()) status = obsolete.Flush();
    given_up_entries_ += obsolete.passed_over();
    return status;
  }

  Status LayOut() {
    bool in_order = !pool_.is_used() && survey_.ManifestIsBelieved() &&
                    LevelsAreInOrder(context_.comparator(), tables_);
    if (in_order) {
      const Status status = CheckVersions(&in_order);
      if (!status.ok() || in_order) return status;
      Log(context_.info_log(), "repair: the manifest names levels at which tables hide newer data");
    }
    return MergeIntoOneLevel();
  }

  // Checks the order of versions: a manifest with correct checksums may still have been
  // manipulated.
  Status CheckVersions(bool* in_order) const {
    VersionsInOrder versions(&context_.comparator());
    for (const std::vector<SalvagedTable>& group : GroupByOverlap(context_.comparator(), tables_)) {
      if (group.size() == 1) continue;
      const Status status =
          TableMerge(&context_, group)
              .Run([&versions](const SalvagedTable& table, const Slice& key, const Slice&) {
                versions.Add(table, key);
                return Status::OK();
              });
      if (!status.ok()) return status;
    }
    *in_order = versions.holds();
    return Status::OK();
  }

  Status MergeIntoOneLevel() {
    std::vector<SalvagedTable> flat;
    for (std::vector<SalvagedTable>& group :
         GroupByOverlap(context_.comparator(), std::move(tables_))) {
      if (group.size() == 1) {
        flat.push_back(std::move(group[0]));
        continue;
      }
      for (const SalvagedTable& table : group) {
        if (!table.is_new) merged_.insert(table.number);
      }
      const Status status = MergeGroup(std::move(group), &flat);
      if (!status.ok()) return status;
    }
    uint64_t bytes = 0;
    for (const SalvagedTable& table : flat) bytes += table.size;
    for (SalvagedTable& table : flat) table.level = LevelForBytes(bytes);
    tables_ = std::move(flat);
    return Status::OK();
  }

  // Merges a group of tables. After an error, what was added to `*merged` is incomplete.
  Status MergeGroup(std::vector<SalvagedTable> group, std::vector<SalvagedTable>* merged) {
    SalvageOutput output(&context_, merged);
    const Status status =
        TableMerge(&context_, std::move(group))
            .Run([&output](const SalvagedTable&, const Slice& key, const Slice& value) {
              return output.Add(key, value);
            });
    return status.ok() ? output.Finish() : status;
  }

  Status Install() {
    const uint64_t number = context_.NewFileNumber();
    Status status = WriteManifestOf(&context_, tables_, sequences_.largest, number);
    if (status.ok()) status = pool_.PrepareToLeave();
    if (!status.ok()) return status;
    may_be_current_ = true;
    return SetCurrentFile(context_.env(), context_.dbname(), number);
  }

  // Removes the files that were written so far.
  void RemoveNewFiles() {
    tables_.clear();
    RemoveUnusedNewTables();
    for (uint64_t n = first_new_number_; n < context_.next_file_number; n++) {
      tidy_.RemoveIfThere(LogFileName(context_.dbname(), n));
      tidy_.RemoveIfThere(ManifestFileName(context_.dbname(), n));
    }
  }

  // Removes those tables of this repair that were merged, or are not needed any more.
  void RemoveUnusedNewTables() {
    table_cache_.reset();  // closes the tables
    std::set<uint64_t> used;
    for (const SalvagedTable& table : tables_) used.insert(table.number);
    for (uint64_t n = first_new_number_; n < context_.next_file_number; n++) {
      if (used.count(n) == 0) tidy_.RemoveIfThere(TableFileName(context_.dbname(), n));
    }
  }

  // The database has been repaired; failures from here on are reported, but do not change that.
  Status TidyUp() {
    RemoveUnusedNewTables();
    for (const RepairSurvey::File& table : survey_.tables) {
      if (table.is_found_by_number && merged_.count(table.number) > 0) tidy_.Remove(table.name);
    }
    for (const std::string& name : survey_.temporaries) tidy_.Remove(name);
    for (const std::string& name : survey_.manifests) set_aside_.push_back(name);
    for (const std::string& name : set_aside_) tidy_.SetAside(name);
    const Status left = pool_.Leave();
    if (!left.ok()) Log(context_.info_log(), "repair: %s", left.ToString().c_str());
    Summarize();
    return tidy_.status().ok() ? left : tidy_.status();
  }

  // Returns whether data was left out that may have been part of the database.
  bool HasLost() const {
    const uint64_t places = damaged_table_places_ + damaged_log_places_ + pool_.damaged_places();
    return places > 0 || torn_bytes_ > 0 || pool_.is_left_out() ||
           (!survey_.ManifestIsBelieved() && given_up_entries_ > 0);
  }

  // Returns a line for each kind of data that is not in the repaired database; empty if there is
  // none.
  std::string DescribeLeftOut() const {
    std::string text;
    const auto add = [&text](uint64_t number, const std::string& what) {
      if (number > 0) text += "left out: " + NumberToString(number) + " " + what + "\n";
    };
    add(damaged_table_places_, "damaged places in " + NumberToString(damaged_tables_) +
                                   " tables, of " + NumberToString(damaged_table_bytes_) +
                                   " bytes");
    add(damaged_log_places_, "damaged places in " + NumberToString(damaged_logs_) + " logs, of " +
                                 NumberToString(damaged_log_bytes_) + " bytes");
    add(torn_bytes_, "bytes at the ends of logs, which hold no whole record, as after a crash");
    add(pool_.damaged_places(), "damaged places in the pool");
    add(given_up_files_, "tables and logs that the database no longer used, of " +
                             NumberToString(given_up_bytes_) + " bytes, which are in lost/ now");
    add(given_up_entries_,
        "entries of tables, trees and logs that the database no longer used; deletions among them "
        "were kept");
    if (pool_.is_left_out()) {
      for (std::string rest = DescribeLoss(); !rest.empty();) {
        const size_t end = rest.find('\n');
        text += "left out: " + rest.substr(0, end) + "\n";
        rest.erase(0, end == std::string::npos ? end : end + 1);
      }
    }
    return text;
  }

  void Summarize() const {
    if (Describe().lost_everything) {
      Log(context_.info_log(), "repair: nothing could be saved: the database is empty now");
    }
    Log(context_.info_log(),
        "repair: done: %llu tables in the database, %llu entries saved from logs, %llu files set "
        "aside in lost/",
        Printable(tables_.size()), Printable(saved_log_entries_), Printable(set_aside_.size()));
    if (pool_.is_used()) {
      Log(context_.info_log(), "repair: %llu entries saved from the pool, damage in %llu places",
          Printable(pool_.entries()), Printable(pool_.damaged_places()));
    }
    if (damaged_tables_ + damaged_logs_ == 0) {
      return Log(context_.info_log(), "repair: no table or log was damaged");
    }
    Log(context_.info_log(),
        "repair: damaged: %llu tables in %llu bytes (%llu entries of those tables were saved), "
        "%llu logs in %llu bytes",
        Printable(damaged_tables_), Printable(damaged_table_bytes_),
        Printable(saved_table_entries_), Printable(damaged_logs_), Printable(damaged_log_bytes_));
  }

  const std::unique_ptr<ResolvedOptions> resolved_;
  std::unique_ptr<TableCache> table_cache_;
  RepairContext context_{};
  RepairTidy tidy_{&context_};
  RepairPool pool_;
  RepairSurvey survey_;

  std::vector<SalvagedTable> tables_;   // of the repaired database
  SequenceRange sequences_;             // of all entries read
  std::set<uint64_t> merged_;           // existing tables whose entries are in new ones
  std::vector<std::string> set_aside_;  // files to move to lost/

  uint64_t first_new_number_ = 0;
  bool may_be_current_ = false;  // the new manifest: from then on nothing can be undone

  uint64_t given_up_files_ = 0;
  uint64_t given_up_bytes_ = 0;
  uint64_t given_up_entries_ = 0;  // in those that were read for their deletions
  uint64_t damaged_tables_ = 0;
  uint64_t damaged_table_places_ = 0;
  uint64_t saved_table_entries_ = 0;
  uint64_t damaged_table_bytes_ = 0;
  uint64_t damaged_logs_ = 0;
  uint64_t damaged_log_places_ = 0;
  uint64_t torn_bytes_ = 0;
  uint64_t saved_log_entries_ = 0;
  uint64_t damaged_log_bytes_ = 0;
};

// Runs a repair. `loss` and `report` may be null.
Status RunRepair(const std::string& dbname, const Options& options, bool without_pool,
                 std::string* loss, RepairReport* report) {
  // Data that cannot be read would be lost.
  if (!HaveCompression(kZstdCompression)) {
    return Status::NotSupported(dbname,
                                "can't be repaired without libzstd.so.1, because tables may be "
                                "compressed by zstd: install libzstd1");
  }
  std::unique_ptr<ResolvedOptions> resolved = ResolveOptions(dbname, options);
  std::vector<std::string> children;
  Status status = options.env->GetChildren(dbname, &children);
  if (!status.ok()) return status;
  DirectoryLock lock;
  status = lock.Acquire(options.env, dbname);
  if (!status.ok()) return status;
  OpenInfoLog(resolved.get());
  Repair repair(std::move(resolved), without_pool);
  status = repair.Run();
  if (status.ok() && loss != nullptr) *loss = repair.DescribeLoss();
  if (status.ok() && report != nullptr) *report = repair.Describe();
  return status;
}

}  // namespace

Status RepairDB(const std::string& dbname, const Options& options) {
  return RunRepair(dbname, options, /*without_pool=*/false, nullptr, nullptr);
}

Status RepairDBWithoutPool(const std::string& name, const Options& options, std::string* report) {
  return RunRepair(name, options, /*without_pool=*/true, report, nullptr);
}

Status RepairDBAndReport(const std::string& name, const Options& options, bool without_pool,
                         RepairReport* report) {
  return RunRepair(name, options, without_pool, nullptr, report);
}

}  // namespace leveldb
