// Image: the bytes of a database's directory and of its pool at one moment.

#ifndef BUSHSTORE_TESTING_CORRUPTION_IMAGE_H_
#define BUSHSTORE_TESTING_CORRUPTION_IMAGE_H_

#include <map>
#include <string>

namespace leveldb {
namespace testkit {

// The paths of a database and of its pool, which is one file. They never change, because the file
// PMEM names the pool by its path.
struct ImagePlace {
  std::string root;  // removed and created again by Restore

  std::string db() const { return root + "/db"; }
  std::string pools() const { return root + "/pools"; }
  std::string pool() const { return pools() + "/pool"; }
};

using Image = std::map<std::string, std::string>;  // bytes by path

// Reads all files except LOG and LOCK, which say nothing about the data.
Image TakeImage(const ImagePlace& place);

// Replaces what is at `place` with the image.
void Restore(const ImagePlace& place, const Image& image);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_IMAGE_H_
