#include "db/open/unapplied_log.h"

#include <memory>

#include "entry/batch_cursor.h"
#include "filelog/log_reader.h"

namespace leveldb {

namespace {

class ReadErrors final : public LogReporter {
 public:
  void Corruption(size_t, const Status& status) override { any_ |= !status.IsCorruption(); }
  bool any() const { return any_; }

 private:
  bool any_ = false;
};

}  // namespace

bool IsUnappliedLog(Env* env, const std::string& path, SequenceNumber last_sequence) {
  SequentialFile* opened = nullptr;
  if (!env->NewSequentialFile(path, &opened).ok()) return true;
  const std::unique_ptr<SequentialFile> file(opened);
  ReadErrors errors;
  LogReader reader(file.get(), &errors, /*checksum=*/true);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    if (record.size() < kBatchHeaderSize || BatchCount(record) == 0) continue;
    const SequenceNumber first = BatchSequence(record);
    if (first > kMaxSequenceNumber) continue;
    if (first + (BatchCount(record) - 1) > last_sequence) return true;
  }
  return errors.any();
}

}  // namespace leveldb
