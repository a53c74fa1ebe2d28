// TierStore: a database with the persistent-memory tier in a place of its own, for the stories.
//
// The directory of the database and the directory of its pool stand side by side, so that both can
// be kept, as a kill at that moment would leave them, and brought back later.
//
// With BUSHSTORE_TEST_POOL in the environment, a DAX device, pools that would be in memory are on
// that device, one after the other. Such a test runs alone, and cannot keep anything.

#ifndef BUSHSTORE_TESTING_TIER_STORE_H_
#define BUSHSTORE_TESTING_TIER_STORE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/pmem.h"
#include "testing/history.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

constexpr uint64_t kTinyPool = 8 << 20;
constexpr uint64_t kSmallPool = 64 << 20;

class TierStore {
 public:
  // A device that is named in the environment is blanked; its pool has all of its bytes.
  explicit TierStore(uint64_t pool_bytes = kSmallPool, Medium medium = Medium::kMemory);

  // Leaves a device blank.
  ~TierStore();

  TierStore(const TierStore&) = delete;
  TierStore& operator=(const TierStore&) = delete;

  // What it is opened with. At first a small write buffer, and a pool in pools().
  Options options;
  PmemOptions pmem;

  std::string path() const { return dir_ / "db"; }
  std::string pools() const { return dir_ / "pools"; }
  const TempDir& dir() const { return dir_; }

  // Opens the database, after closing it if it is open.
  Status Open();
  // The same by DB::Open, as a program does that knows nothing of the tier.
  Status OpenPlainly();
  void Close() { db_.reset(); }
  DB* db() const { return db_.get(); }
  // REQUIRES: opened by Open().
  PmemDB* pmem_db() const { return static_cast<PmemDB*>(db_.get()); }

  // Writes `batches` more of the history.
  Status Write(History* history, uint64_t batches, bool sync = false);
  // OK if the database is at the last batch of the history.
  Status CheckAt(const History& history);
  // Makes a tree of what is in the memtable, if that is not empty. Keys must be below 0xff.
  void Flush();
  // The number that a property leveldb.pmem.<name> begins with.
  uint64_t Metric(const std::string& name);

  // Closes the database and reads everything in it, down to the last reference.
  Status Check();
  // The files that hold the pools, sorted by path.
  std::vector<std::string> PoolFiles() const;
  // What there is in the place of the pools, one name after the other; nothing on a blank device.
  std::string PoolNames() const;

  // Copies files and pools as they are now, under a name. Nothing may be written meanwhile.
  void Keep(const std::string& name);
  // Closes the database and puts what was kept in the place of what is there.
  void BringBack(const std::string& name);

 private:
  std::string Manifest() const;
  void UseDevice(const std::string& device);
  void BlankDevice();

  const TempDir dir_;
  std::string device_;
  std::unique_ptr<DB> db_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TIER_STORE_H_
