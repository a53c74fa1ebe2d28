#include "db/open/log_replay.h"

#include <utility>

#include "db/files/filename.h"
#include "db/jobs/flush_job.h"
#include "db/mem/batch_insert.h"
#include "entry/batch_cursor.h"
#include "filelog/log_reader.h"
#include "util/status_text.h"

namespace leveldb {

// Logs damage in LOG and keeps the first; also keeps a read error, which is not damage.
class LogReplay::DamageReporter final : public LogReader::Reporter {
 public:
  DamageReporter(Logger* info_log, const std::string& path) : info_log_(info_log), path_(path) {}

  void Corruption(size_t bytes, const Status& status) override {
    Log(info_log_, "%s: %zu damaged bytes dropped: %s", path_.c_str(), bytes,
        status.ToString().c_str());
    if (!status.IsCorruption()) {
      if (read_error_.ok()) read_error_ = status;
    } else if (first_damage_.ok()) {
      first_damage_ = Status::Corruption(path_, MessageOf(status));
    }
  }

  const Status& first_damage() const { return first_damage_; }
  const Status& read_error() const { return read_error_; }

 private:
  Logger* const info_log_;
  const std::string path_;
  Status first_damage_;
  Status read_error_;
};

LogReplay::LogReplay(const JobContext& context, VersionEdit* edit)
    : context_(context),
      edit_(edit),
      memtable_(std::make_shared<MemTable>(&context.state->comparator())),
      numbering_(context.state->env(), context.state->versions->LastSequence(),
                 RecordNumbering::ReadErrors::kFail) {}

Status LogReplay::Replay(uint64_t number) {
  DbState* const state = context_.state;
  const std::string path = LogFileName(state->dbname(), number);
  SequentialFile* file;
  Status status = state->env()->NewSequentialFile(path, &file);
  if (!status.ok()) return status;
  const std::unique_ptr<SequentialFile> owned(file);
  valid_length_ = 0;
  damaged_ = false;
  flushed_ = false;
  has_older_logs_ = !memtable_->empty();
  numbering_.BeginLog(path);
  bool is_incomplete = false;
  status = ReplayFile(file, path, &is_incomplete);
  if (status.ok() && is_incomplete) incomplete_logs_.push_back(number);
  return status;
}

Status LogReplay::ReplayFile(SequentialFile* file, const std::string& path, bool* is_incomplete) {
  Logger* const info_log = context_.state->info_log();
  const bool paranoid = context_.state->options().paranoid_checks;
  DamageReporter reporter(info_log, path);
  // Checksums are verified even without paranoid_checks: a damaged batch must not become data.
  LogReader reader(file, &reporter, /*checksum=*/true);

  const SequenceNumber sequence_before = numbering_.last();
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    Status status = Apply(record);
    if (status.IsCorruption()) {
      reporter.Corruption(record.size(), status);
      status = Status::OK();
    }
    if (status.ok()) status = FlushIfLarger(context_.state->options().write_buffer_size);
    if (!status.ok()) return status;
    if (paranoid && !reporter.first_damage().ok()) break;
  }
  if (!reporter.read_error().ok()) return reporter.read_error();
  if (paranoid && !reporter.first_damage().ok()) return reporter.first_damage();

  valid_length_ = reader.ValidEnd();
  *is_incomplete = !reporter.first_damage().ok();
  damaged_ = *is_incomplete || reader.TailBytes() > 0;
  if (reader.TailBytes() > 0) {
    const bool is_only_unused = reader.tail() == LogReader::Tail::kComplete;
    Log(info_log, "%s: the last %llu bytes %s, as after a crash", path.c_str(),
        static_cast<unsigned long long>(reader.TailBytes()),
        is_only_unused ? "were not used" : "hold no whole record");
  }
  if (numbering_.renumbered() > 0) {
    Log(info_log,
        "%s: %llu records repeat sequence numbers, as where two copies of a directory were brought "
        "together; they are applied after what was there before",
        path.c_str(), static_cast<unsigned long long>(numbering_.renumbered()));
  }
  if (numbering_.skipped() > 0) {
    Log(info_log, "%s: %llu records are there twice; they are applied once", path.c_str(),
        static_cast<unsigned long long>(numbering_.skipped()));
  }
  Log(info_log, "%s: replayed writes #%llu to #%llu", path.c_str(),
      static_cast<unsigned long long>(sequence_before),
      static_cast<unsigned long long>(numbering_.last()));
  return Status::OK();
}

Status LogReplay::Apply(const Slice& record) {
  bool applies;
  SequenceNumber first;
  const Status status = numbering_.Number(record, &applies, &first);
  if (!status.ok() || !applies) return status;
  if (first == BatchSequence(record)) return InsertBatch(record, memtable_.get());
  std::string renumbered = record.ToString();
  SetBatchSequence(&renumbered, first);
  return InsertBatch(renumbered, memtable_.get());
}

Status LogReplay::FlushIfLarger(size_t limit) {
  if (memtable_->MemoryUsage() <= limit || memtable_->empty()) return Status::OK();
  const Status status = FlushJob(context_).FlushToLevel0(*memtable_, edit_);
  memtable_ = std::make_shared<MemTable>(&context_.state->comparator());
  flushed_ = true;
  return status;
}

Status LogReplay::FlushRest() {
  return FlushIfLarger(0);
}

bool LogReplay::LastLogIsReusable(uint64_t* length) const {
  *length = valid_length_;
  return !damaged_ && !flushed_ && !has_older_logs_;
}

}  // namespace leveldb
