#include "db/write/value_separator.h"

#include "entry/batch_cursor.h"

namespace leveldb {

Status ValueSeparator::Put(const Slice& key, const Slice& value, CompactBatchBuilder* batch,
                           std::vector<Place>* opened) {
  if (value.size() < smallest_bytes_) {
    batch->Put(key, value);
    return Status::OK();
  }
  ValueRef reference;
  const Status status = values_->Append(value, &reference, opened);
  if (status.ok()) batch->Put(key, reference);
  return status;
}

Status ValueSeparator::Separate(const Writer& writer, CompactBatchBuilder* batch,
                                std::vector<Place>* opened) {
  if (writer.kind == Writer::kPut) return Put(writer.key, writer.value, batch, opened);
  if (writer.kind == Writer::kDelete) {
    batch->Delete(writer.key);
    return Status::OK();
  }
  BatchCursor cursor(WriteBatchAccess::Bytes(*writer.batch));
  while (cursor.Next()) {
    if (cursor.type() == kTypeDeletion) {
      batch->Delete(cursor.key());
      continue;
    }
    const Status status = Put(cursor.key(), cursor.value(), batch, opened);
    if (!status.ok()) return status;
  }
  return cursor.status();
}

}  // namespace leveldb
