// WriteBatch: updates that DB::Write applies together, all or none, in the order they were added.
//
//   leveldb::WriteBatch batch;
//   batch.Delete(old_key);
//   batch.Put(new_key, value);
//   leveldb::Status s = db->Write(leveldb::WriteOptions(), &batch);
//
// A later update of the same key wins. A batch may be written more than once.
//
// Thread-safety: const members may run concurrently; anything else needs exclusive access.

#ifndef LEVELDB_INCLUDE_WRITE_BATCH_H_
#define LEVELDB_INCLUDE_WRITE_BATCH_H_

#include <string>

#include "leveldb/export.h"
#include "leveldb/status.h"

namespace leveldb {

class Slice;

class LEVELDB_EXPORT WriteBatch {
 public:
  // Receives the updates of a batch, in order.
  class LEVELDB_EXPORT Handler {
   public:
    virtual ~Handler();
    virtual void Put(const Slice& key, const Slice& value) = 0;
    virtual void Delete(const Slice& key) = 0;
  };

  WriteBatch();

  WriteBatch(const WriteBatch&) = default;
  WriteBatch& operator=(const WriteBatch&) = default;

  ~WriteBatch();

  // Adds "key := value". The bytes are copied. With a key or a value of 4 GiB or more the batch
  // becomes one that DB::Write refuses with InvalidArgument, until Clear.
  void Put(const Slice& key, const Slice& value);

  // Adds "key is absent". Deleting an absent key is fine.
  void Delete(const Slice& key);

  // Forgets all updates.
  void Clear();

  // Bytes the batch takes in memory and, nearly, in the log.
  size_t ApproximateSize() const;

  // Adds the updates of source behind this batch's own, which source may be itself.
  void Append(const WriteBatch& source);

  // Calls handler for each update. Corruption when the batch's bytes are not well formed (updates
  // before the bad spot have then been handed over).
  Status Iterate(Handler* handler) const;

 private:
  friend class WriteBatchAccess;  // The store's own view of rep_.

  // Sequence number, count and updates, in the form of a log record.
  std::string rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_WRITE_BATCH_H_
