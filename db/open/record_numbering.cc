#include "db/open/record_numbering.h"

#include <algorithm>
#include <cassert>
#include <memory>

#include "entry/batch_cursor.h"
#include "filelog/log_reader.h"
#include "util/crc32c.h"
#include "util/hash.h"

namespace leveldb {

namespace {

// Keeps the first read error. Damage was reported when the log was read before.
class FirstReadError final : public LogReporter {
 public:
  void Corruption(size_t, const Status& status) override {
    if (!status.IsCorruption() && status_.ok()) status_ = status;
  }
  const Status& status() const { return status_; }

 private:
  Status status_;
};

Status CheckRecord(const Slice& record) {
  if (record.size() < kBatchHeaderSize) return Status::Corruption("log record too small");
  BatchCursor cursor(record);
  while (cursor.Next()) continue;
  if (!cursor.status().ok()) return cursor.status();
  const uint32_t count = BatchCount(record);
  if (count > 0 && BatchSequence(record) > kMaxSequenceNumber - (count - 1)) {
    return Status::Corruption("sequence number out of range");
  }
  return Status::OK();
}

}  // namespace

RecordNumbering::RecordNumbering(Env* env, SequenceNumber base, ReadErrors read_errors)
    : env_(env), read_errors_(read_errors), last_(base) {}

void RecordNumbering::BeginLog(const std::string& path) {
  logs_.push_back(path);
  records_ = 0;
  renumbered_ = 0;
  skipped_ = 0;
}

Status RecordNumbering::Number(const Slice& record, bool* applies, SequenceNumber* first) {
  assert(!logs_.empty());
  *applies = false;
  const uint64_t before = records_++;
  Status status = CheckRecord(record);
  if (!status.ok() || BatchCount(record) == 0) return status;

  const SequenceNumber found = BatchSequence(record);
  const uint32_t count = BatchCount(record);
  const bool may_be_repeated = found <= last_found_;
  if (may_be_repeated && !has_index_) {
    for (size_t i = 0; i < logs_.size() && status.ok(); i++) {
      status = ReadAgain(logs_[i], i + 1 < logs_.size() ? UINT64_MAX : before);
    }
    if (!status.ok()) return status;
    has_index_ = true;
  }
  if (has_index_ && !index_.insert(DigestOf(record)).second) {
    skipped_++;
    return status;
  }
  last_found_ = std::max(last_found_, found + (count - 1));
  *first = found > last_ ? found : last_ + 1;
  if (*first > kMaxSequenceNumber - (count - 1)) {
    return Status::Corruption("no sequence numbers are left");
  }
  if (may_be_repeated) renumbered_++;
  last_ = *first + (count - 1);
  *applies = true;
  return status;
}

RecordNumbering::Digest RecordNumbering::DigestOf(const Slice& record) {
  return {BatchSequence(record), record.size(), crc32c::Value(record.data(), record.size()),
          Hash(record.data(), record.size(), 0)};
}

// Indexes the first `records` records of a log.
Status RecordNumbering::ReadAgain(const std::string& path, uint64_t records) {
  SequentialFile* opened = nullptr;
  const Status status = env_->NewSequentialFile(path, &opened);
  if (!status.ok()) return read_errors_ == ReadErrors::kPassOver ? Status::OK() : status;
  const std::unique_ptr<SequentialFile> file(opened);
  FirstReadError error;
  LogReader reader(file.get(), &error, /*checksum=*/true);
  Slice record;
  std::string scratch;
  for (; records > 0 && reader.ReadRecord(&record, &scratch); records--) {
    if (CheckRecord(record).ok() && BatchCount(record) > 0) index_.insert(DigestOf(record));
  }
  return read_errors_ == ReadErrors::kPassOver ? Status::OK() : error.status();
}

}  // namespace leveldb
