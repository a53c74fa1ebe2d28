#include "db/write/value_separator.h"

#include "entry/batch_cursor.h"

namespace leveldb {

namespace {

// Calls put(key, value) and remove(key) for each of the writer's entries, as long as put returns
// true. Returns Corruption if the writer's batch is malformed.
template <class Put, class Remove>
Status ForEachEntry(const Writer& writer, const Put& put, const Remove& remove) {
  if (writer.kind == Writer::kPut) {
    put(writer.key, writer.value);
    return Status::OK();
  }
  if (writer.kind == Writer::kDelete) {
    remove(writer.key);
    return Status::OK();
  }
  BatchCursor cursor(WriteBatchAccess::Bytes(*writer.batch));
  while (cursor.Next()) {
    if (cursor.type() == kTypeDeletion) {
      remove(cursor.key());
    } else if (!put(cursor.key(), cursor.value())) {
      return Status::OK();
    }
  }
  return cursor.status();
}

}  // namespace

Status ValueSeparator::Put(const Slice& key, const Slice& value, CompactBatchBuilder* batch,
                           std::vector<PoolOffset>* opened) {
  if (!IsLarge(value)) {
    batch->Put(key, value);
    return Status::OK();
  }
  ValueRef reference;
  const Status status = values_->Append(value, &reference, opened);
  if (status.ok()) batch->Put(key, reference);
  return status;
}

Status ValueSeparator::Separate(const Writer& writer, CompactBatchBuilder* batch,
                                std::vector<PoolOffset>* opened) {
  Status status;
  const auto put = [&](const Slice& key, const Slice& value) {
    status = Put(key, value, batch, opened);
    return status.ok();
  };
  const Status read = ForEachEntry(writer, put, [&](const Slice& key) { batch->Delete(key); });
  return status.ok() ? read : status;
}

bool ValueSeparator::PlanPut(const Slice& key, const Slice& value, CompactBatchBuilder* batch) {
  if (!IsLarge(value)) {
    batch->Put(key, value);
    return true;
  }
  ValueRef reference;
  if (!values_->Assign(value, &reference)) return false;
  planned_.push_back({reference, value, batch->Put(key, reference)});
  return true;
}

bool ValueSeparator::Plan(const Writer& writer, CompactBatchBuilder* batch) {
  bool fits = true;
  const auto put = [&](const Slice& key, const Slice& value) {
    return fits = PlanPut(key, value, batch);
  };
  const Status read = ForEachEntry(writer, put, [&](const Slice& key) { batch->Delete(key); });
  return fits && read.ok();
}

void ValueSeparator::StorePlanned(CompactBatchBuilder* batch) {
  for (PlannedValue& planned : planned_) {
    values_->Store(planned.value, &planned.reference);
    batch->SetReference(planned.spot, planned.reference);
  }
  planned_.clear();
}

}  // namespace leveldb
