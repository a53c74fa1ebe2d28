// WriteBatch: a list of updates that DB::Write applies atomically, in the order they were added.
//
//   leveldb::WriteBatch batch;
//   batch.Delete(old_key);
//   batch.Put(new_key, value);
//   leveldb::Status s = db->Write(leveldb::WriteOptions(), &batch);
//
// A later update of a key overrides an earlier one. A batch may be written more than once.
//
// Thread-safety: const members may run concurrently; any other call requires external
// synchronization.

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

  // Adds an update that sets key to value. The bytes are copied. If the key or the value has 4 GiB
  // or more, DB::Write refuses the batch with InvalidArgument until Clear is called.
  void Put(const Slice& key, const Slice& value);

  // Adds an update that removes key. The key need not exist.
  void Delete(const Slice& key);

  // Removes all updates.
  void Clear();

  // Returns the number of bytes that the batch uses in memory and approximately in the log.
  size_t ApproximateSize() const;

  // Appends the updates of source to this batch. source may be this batch.
  void Append(const WriteBatch& source);

  // Calls handler for each update. Returns Corruption if the batch is malformed; the updates before
  // the malformed one have then been passed to the handler.
  Status Iterate(Handler* handler) const;

 private:
  friend class WriteBatchAccess;  // Gives the store's own code access to rep_.

  // The sequence number, the count and the updates, in the format of a log record.
  std::string rep_;
};

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_WRITE_BATCH_H_
