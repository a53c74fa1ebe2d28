// ScratchPool: a small pool in memory for a unit test, with its extents; removed with the object.
#ifndef BUSHSTORE_TESTING_SCRATCH_POOL_H_
#define BUSHSTORE_TESTING_SCRATCH_POOL_H_

#include <memory>
#include <string>

#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

class ScratchPool {
 public:
  // Creates a directory pool that begins with 64 MiB or `bytes`, whichever is less. Ends the
  // program on errors.
  explicit ScratchPool(uint64_t bytes = 64 << 20, uint64_t extent_size = 64 << 10,
                       PersistFactory persist_factory = {});

  Pool* pool() const { return pool_.get(); }
  Extents* extents() const { return extents_.get(); }
  const std::string& path() const { return options_.path; }
  std::string directory() const { return dir_.path(); }
  // The options that Reopen uses. May be changed before Reopen.
  PoolOptions* options() { return &options_; }

  // Closes the pool, which must not be used afterwards.
  void Close();
  // Opens the pool, after closing it if it is open, with all extents free.
  Status Reopen();

 private:
  const TempDir dir_;
  PoolOptions options_;
  std::unique_ptr<Pool> pool_;
  std::unique_ptr<Extents> extents_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_SCRATCH_POOL_H_
