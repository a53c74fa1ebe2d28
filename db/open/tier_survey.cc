#include "db/open/tier_survey.h"

#include <memory>

#include "db/version/version_edit.h"
#include "filelog/log_reader.h"

namespace leveldb {

namespace {

void Apply(const VersionEdit& edit, TierSurvey* survey) {
  survey->edits++;
  const PmemEdit& pmem = edit.pmem();
  if (pmem.tier().has_value()) survey->tag = pmem.tier();
  if (edit.log_number().has_value()) survey->log_number = *edit.log_number();
  if (survey->first_number == 0) survey->first_number = edit.next_file_number().value_or(0);
  for (const VersionEdit::DeletedFile& file : edit.deleted_files()) {
    survey->dropped_tables.insert(file.number);
  }
  for (const VersionEdit::NewFile& file : edit.new_files()) {
    survey->dropped_tables.erase(file.number);
  }
  for (const PmemEdit::DeletedTree& tree : pmem.deleted_trees()) {
    survey->trees.erase(tree.number);
    survey->dropped_trees.insert(tree.number);
  }
  for (const PmemEdit::NewTree& tree : pmem.new_trees()) {
    survey->trees[tree.record.number] = {tree.level, tree.record};
    survey->dropped_trees.erase(tree.record.number);
  }
}

class DamageFlag final : public LogReporter {
 public:
  explicit DamageFlag(bool* flag) : flag_(flag) {}
  void Corruption(size_t, const Status& reason) override {
    *flag_ = true;
    if (!reason.IsCorruption()) failure_ = reason;
  }

  // Returns why a read failed, or OK.
  const Status& failure() const { return failure_; }

 private:
  bool* const flag_;
  Status failure_;
};

}  // namespace

TierSurvey SurveyTier(Env* env, const std::string& dbname, const std::string& name) {
  TierSurvey survey;
  SequentialFile* opened = nullptr;
  const Status status = env->NewSequentialFile(dbname + "/" + name, &opened);
  if (!status.ok()) {
    if (!status.IsNotFound()) survey.unreadable = status;
    survey.is_partial = true;
    return survey;
  }
  const std::unique_ptr<SequentialFile> file(opened);
  DamageFlag damage(&survey.is_partial);
  LogReader reader(file.get(), &damage, /*checksum=*/true);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    VersionEdit edit;
    if (edit.DecodeFrom(record).ok()) {
      Apply(edit, &survey);
    } else {
      survey.is_partial = true;
    }
  }
  if (reader.tail() != LogReader::Tail::kComplete) survey.is_partial = true;
  if (reader.tail() == LogReader::Tail::kUnreadable) {
    survey.unreadable = Status::IOError(dbname + "/" + name, damage.failure().ToString());
  }
  return survey;
}

}  // namespace leveldb
