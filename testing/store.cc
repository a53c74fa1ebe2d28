#include "testing/store.h"

#include "leveldb/pmem.h"

namespace leveldb {
namespace testkit {

Status OpenPlainly(const Options& options, const std::string& path, std::unique_ptr<DB>* db) {
  db->reset();
  DB* opened = nullptr;
  const Status status = DB::Open(options, path, &opened);
  db->reset(opened);
  return status;
}

Status OpenStore(const OptionSet& set, const std::string& path, std::unique_ptr<DB>* db) {
  if (!set.pmem.has_value()) return OpenPlainly(set.options, path, db);
  db->reset();
  PmemDB* opened = nullptr;
  const Status status = PmemOpen(set.options, *set.pmem, path, &opened);
  db->reset(opened);
  return status;
}

Status CheckStore(const OptionSet& set, const std::string& path) {
  if (!set.pmem.has_value()) {
    return Status::OK();
  }
  std::string report;
  const Status status = CheckDB(path, set.options, *set.pmem, &report);
  return status.ok() ? status : Status::Corruption(status.ToString(), report);
}

}  // namespace testkit
}  // namespace leveldb
