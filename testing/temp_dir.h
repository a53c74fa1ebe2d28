// Places on the real file system for tests that need real files.

#ifndef BUSHSTORE_TESTING_TEMP_DIR_H_
#define BUSHSTORE_TESTING_TEMP_DIR_H_

#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

// A new empty directory, removed with everything in it when the object goes.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

// The following stop the test program with a message when the file system refuses.
std::string ReadFile(const std::string& path);
void WriteFile(const std::string& path, const std::string& contents);
// Copies a tree; `target` must not exist or must be an empty directory.
void CopyDir(const std::string& source, const std::string& target);
void RemoveDir(const std::string& path);
// Names of the regular files in a directory, sorted.
std::vector<std::string> FileNames(const std::string& dir);
// Those names that end with `suffix`.
std::vector<std::string> FileNamesEnding(const std::string& dir, const std::string& suffix);

// The path of something in the repository's testing folder, such as "golden/db0".
std::string TestData(const std::string& relative_path);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_TEMP_DIR_H_
