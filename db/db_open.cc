// DB and PmemDB: the parts of the base classes that all implementations share, and the functions
// that open, drain and back up databases.
#include "db/db_open.h"

#include <memory>
#include <utility>

#include "db/db_impl.h"
#include "db/open/database_check.h"
#include "db/open/plain_copy.h"
#include "leveldb/db.h"
#include "leveldb/iterator.h"
#include "leveldb/write_batch.h"

namespace leveldb {

DB::~DB() = default;

PmemDB::~PmemDB() = default;

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

Status OpenDatabaseAs(const PmemRequest& request, const Options& options, const std::string& name,
                      PmemDB** dbptr) {
  *dbptr = nullptr;
  auto parts = std::make_unique<OpenParts>();
  const Status status = OpenDatabase(options, request, name, parts.get());
  if (!status.ok()) return status;
  DbState* const state = parts->state.get();
  *dbptr = new DbImpl(std::move(parts));
  state->work_signal->Raise();
  return status;
}

Status DB::Open(const Options& options, const std::string& name, DB** dbptr) {
  PmemDB* opened;
  const Status status =
      OpenDatabaseAs(ResolvePmem(options, /*caller=*/nullptr), options, name, &opened);
  *dbptr = opened;
  return status;
}

Status PmemOpen(const Options& options, const PmemOptions& pmem_options, const std::string& name,
                PmemDB** dbptr) {
  return OpenDatabaseAs(ResolvePmem(options, &pmem_options), options, name, dbptr);
}

namespace {

Options Existing(const Options& options) {
  Options existing = options;
  existing.create_if_missing = false;
  existing.error_if_exists = false;
  return existing;
}

PmemRequest AsItIs(const Options& options, const PmemOptions& pmem_options) {
  PmemRequest request = ResolvePmem(options, &pmem_options);
  request.convert = false;
  request.require_tier = false;
  return request;
}

// Opens an existing database without changing whether it has a tier.
Status OpenExisting(const std::string& name, const Options& options,
                    const PmemOptions& pmem_options, std::unique_ptr<PmemDB>* db) {
  const Options existing = Existing(options);
  const PmemRequest request = AsItIs(existing, pmem_options);
  PmemDB* opened;
  const Status status = OpenDatabaseAs(request, existing, name, &opened);
  db->reset(opened);
  return status;
}

}  // namespace

Status DrainDB(const std::string& name, const Options& options, const PmemOptions& pmem_options) {
  // A flush that the open starts must not fail because the pool, which is about to be emptied, is
  // full.
  PmemOptions spilling = pmem_options;
  spilling.spill = true;
  std::unique_ptr<PmemDB> db;
  const Status status = OpenExisting(name, options, spilling, &db);
  return status.ok() ? db->Drain() : status;
}

Status BackupDB(const std::string& name, const Options& options, const PmemOptions& pmem_options,
                const std::string& target) {
  std::unique_ptr<PmemDB> db;
  Status status = OpenExisting(name, options, pmem_options, &db);
  if (!status.ok()) return status;
  std::unique_ptr<PlainCopy> copy;
  status = PlainCopy::Create(options, target, &copy);
  if (!status.ok()) return status;
  ReadOptions read_options;
  read_options.verify_checksums = true;
  read_options.fill_cache = false;
  const std::unique_ptr<Iterator> entries(db->NewIterator(read_options));
  for (entries->SeekToFirst(); status.ok() && entries->Valid(); entries->Next()) {
    status = copy->Add(entries->key(), entries->value());
  }
  if (status.ok()) status = entries->status();
  return status.ok() ? copy->Finish() : status;
}

Status CheckDB(const std::string& name, const Options& options, const PmemOptions& pmem_options,
               std::string* report) {
  const Options existing = Existing(options);
  OpenParts parts;
  Status status = OpenDatabase(existing, AsItIs(existing, pmem_options), name, &parts);
  if (!status.ok()) return status;
  status = DatabaseCheck(&parts, report).Run();
  parts.scheduler->Close();
  return status;
}

}  // namespace leveldb
