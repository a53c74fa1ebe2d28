#include "db/mem/batch_insert.h"

#include "entry/batch_cursor.h"

namespace leveldb {

Status InsertBatch(const Slice& batch, MemTable* memtable) {
  BatchCursor cursor(batch);
  if (!cursor.status().ok()) return cursor.status();
  SequenceNumber sequence = BatchSequence(batch);
  while (cursor.Next()) {
    if (sequence > kMaxSequenceNumber) return Status::Corruption("sequence number out of range");
    memtable->Add(sequence++, cursor.type(), cursor.key(), cursor.value());
  }
  return cursor.status();
}

}  // namespace leveldb
