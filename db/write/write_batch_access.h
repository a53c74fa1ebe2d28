// WriteBatchAccess gives the store access to the bytes of a WriteBatch (their format:
// entry/batch_cursor.h).
#ifndef BUSHSTORE_DB_WRITE_WRITE_BATCH_ACCESS_H_
#define BUSHSTORE_DB_WRITE_WRITE_BATCH_ACCESS_H_

#include <string>

#include "entry/batch_cursor.h"
#include "leveldb/write_batch.h"

namespace leveldb {

class WriteBatchAccess {
 public:
  static Slice Bytes(const WriteBatch& batch) { return batch.rep_; }
  static uint32_t Count(const WriteBatch& batch) { return BatchCount(batch.rep_); }
  static void SetSequence(WriteBatch* batch, SequenceNumber sequence) {
    SetBatchSequence(&batch->rep_, sequence);
  }

  // Sets the batch to the given bytes. REQUIRES: at least kBatchHeaderSize of them.
  static void SetBytes(WriteBatch* batch, const Slice& bytes) {
    batch->rep_.assign(bytes.data(), bytes.size());
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_WRITE_BATCH_ACCESS_H_
