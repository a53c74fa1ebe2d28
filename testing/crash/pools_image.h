// The files of a directory of pools at one moment, kept without their zeros.

#ifndef BUSHSTORE_TESTING_CRASH_POOLS_IMAGE_H_
#define BUSHSTORE_TESTING_CRASH_POOLS_IMAGE_H_

#include <map>
#include <string>

#include "testing/pmem_sim.h"
#include "testing/sparse_bytes.h"

namespace leveldb {
namespace testkit {

class PoolsImage {
 public:
  // Nothing: an empty directory.
  PoolsImage() = default;
  // What a power cut leaves of pools that are open.
  explicit PoolsImage(const PmemImages& images);
  // What is in a directory now, in which nobody has a pool open.
  explicit PoolsImage(const std::string& directory);

  // Makes the directory anew, with these files in it.
  void WriteTo(const std::string& directory) const;

  // By name within the directory.
  std::map<std::string, SparseBytes>* files() { return &files_; }

 private:
  std::map<std::string, SparseBytes> files_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CRASH_POOLS_IMAGE_H_
