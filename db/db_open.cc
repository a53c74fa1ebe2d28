// DB: what the base class does for every implementation, and the way in.
#include <memory>
#include <utility>

#include "db/db_impl.h"
#include "leveldb/db.h"
#include "leveldb/write_batch.h"

namespace leveldb {

DB::~DB() = default;

Status DB::Put(const WriteOptions& options, const Slice& key, const Slice& value) {
  WriteBatch batch;
  batch.Put(key, value);
  return Write(options, &batch);
}

Status DB::Delete(const WriteOptions& options, const Slice& key) {
  WriteBatch batch;
  batch.Delete(key);
  return Write(options, &batch);
}

Status DB::Open(const Options& options, const std::string& name, DB** dbptr) {
  *dbptr = nullptr;
  auto parts = std::make_unique<OpenParts>();
  const Status status = OpenDatabase(options, name, parts.get());
  if (!status.ok()) return status;
  DbState* const state = parts->state.get();
  *dbptr = new DbImpl(std::move(parts));
  state->work_signal->Raise();
  return status;
}

}  // namespace leveldb
