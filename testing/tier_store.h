// TierStore: a database with the persistent-memory tier in temporary directories, for integration
// tests.
//
// The directories of the database and of its pool are next to each other, so that both can be kept,
// as a kill at that moment would leave them, and restored later.
//
// If BUSHSTORE_TEST_POOL in the environment names a DAX device, pools that would be in memory are
// on that device, one after the other. Such a test must run by itself, and cannot keep anything.

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
  // Blanks a device that is named in the environment; the pool then has all of its bytes.
  explicit TierStore(uint64_t pool_bytes = kSmallPool, Medium medium = Medium::kMemory);

  // Blanks a device again.
  ~TierStore();

  TierStore(const TierStore&) = delete;
  TierStore& operator=(const TierStore&) = delete;

  // The options that it is opened with. At first a small write buffer, and a pool in pools().
  Options options;
  PmemOptions pmem;

  std::string path() const { return dir_ / "db"; }
  std::string pools() const { return dir_ / "pools"; }
  const TempDir& dir() const { return dir_; }

  // Opens the database, after closing it if it is open.
  Status Open();
  // Opens the database by DB::Open, like a program that does not know the tier.
  Status OpenPlainly();
  void Close() { db_.reset(); }
  DB* db() const { return db_.get(); }
  // REQUIRES: opened by Open().
  PmemDB* pmem_db() const { return static_cast<PmemDB*>(db_.get()); }

  // Writes the next `batches` batches of the history.
  Status Write(History* history, uint64_t batches, bool sync = false);
  // Returns OK if the database is at the last batch of the history.
  Status CheckAt(const History& history);
  // Makes a tree from the memtable, unless that is empty. REQUIRES: keys are below 0xff.
  void Flush();
  // Returns the number at the beginning of the property leveldb.pmem.<name>.
  uint64_t Metric(const std::string& name);

  // Closes the database and reads everything in it, down to the last reference.
  Status Check();
  // Returns the files that hold the pools, sorted by path.
  std::vector<std::string> PoolFiles() const;
  // Returns the names in the directory of the pools, concatenated; nothing on a blank device.
  std::string PoolNames() const;

  // Copies files and pools as they are now, under a name. REQUIRES: nothing is being written.
  void Keep(const std::string& name);
  // Closes the database and replaces its files and pools with those kept under the name.
  void BringBack(const std::string& name);

 private:
  std::string Manifest() const;
  void UseDevice(const std::string& device);

  const TempDir dir_;
  std::string device_;
  std::unique_ptr<DB> db_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TIER_STORE_H_
