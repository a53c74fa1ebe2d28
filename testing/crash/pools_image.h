// PoolsImage: the files of a directory of pools at one moment, without their zeros.

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
  // Makes the image of an empty directory.
  PoolsImage() = default;
  // Makes the image of open pools after a power cut.
  explicit PoolsImage(const PmemImages& images);
  // Reads the files of a directory. REQUIRES: no pool in it is open.
  explicit PoolsImage(const std::string& directory);

  // Replaces the directory with one that holds these files.
  void WriteTo(const std::string& directory) const;

  // The contents of the files, by name within the directory.
  std::map<std::string, SparseBytes>* files() { return &files_; }

 private:
  std::map<std::string, SparseBytes> files_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CRASH_POOLS_IMAGE_H_
