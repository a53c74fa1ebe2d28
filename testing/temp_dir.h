// Temporary directories and files on the real file system.

#ifndef BUSHSTORE_TESTING_TEMP_DIR_H_
#define BUSHSTORE_TESTING_TEMP_DIR_H_

#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

enum class Medium {
  kAny,     // memory if there is plenty, since the tests sync a lot; TMPDIR overrides it
  kMemory,  // TMPDIR if it is persistent memory; else a tmpfs if there is one with room; else kAny
  kDisk,    // no tmpfs, if there is any other directory to write to
};

// A new empty directory. The destructor removes it with everything in it.
class TempDir {
 public:
  explicit TempDir(Medium medium = Medium::kAny);
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// Returns whether a path is on a tmpfs.
bool IsInMemory(const std::string& path);

// Returns whether new files in a directory are on persistent memory: they can be mapped with
// MAP_SYNC.
bool IsPersistentMemory(const std::string& directory);

// Copies a tree: copies what links refer to, and keeps holes. Returns false on errors, also if a
// file is removed during the copy. `target` must not exist or must be an empty directory.
bool TryCopyDir(const std::string& source, const std::string& target);

// Returns whether every file in the tree `a` has the same bytes as that of the same name in `b`.
bool SameFiles(const std::string& a, const std::string& b);

// Returns false if the file cannot be read.
bool TryReadFile(const std::string& path, std::string* contents);

// The following functions end the test program with a message if the file system reports an error.
std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& contents);
// Like TryCopyDir.
void CopyDir(const std::string& source, const std::string& target);
void RemoveDir(const std::string& path);
// Returns the sorted names of the regular files in a directory.
std::vector<std::string> FileNames(const std::string& dir);
// Returns those names that end with `suffix`.
std::vector<std::string> FileNamesEnding(const std::string& dir, const std::string& suffix);

// Returns the path of a file in the repository's testing folder, such as "golden/db0".
std::string TestData(const std::string& relative_path);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TEMP_DIR_H_
