// An Env that opens a database without writing to it.
#ifndef BUSHSTORE_TOOLS_READ_ONLY_ENV_H_
#define BUSHSTORE_TOOLS_READ_ONLY_ENV_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "leveldb/env.h"

namespace leveldb {

// Keeps in memory what an open writes to one directory (tables made from logs, a new manifest);
// these files hide files of the same names, and nothing is created, changed or removed on disk.
// Once CURRENT has been written, background jobs get an IOError when they create a file. Calls for
// files outside the directory are forwarded to the base. Thread-safe.
class ReadOnlyEnv final : public EnvWrapper {
 public:
  // `base` must outlive this object.
  ReadOnlyEnv(Env* base, std::string directory);

  Status NewSequentialFile(const std::string& name, SequentialFile** result) override;
  Status NewRandomAccessFile(const std::string& name, RandomAccessFile** result) override;
  Status NewWritableFile(const std::string& name, WritableFile** result) override;
  Status NewAppendableFile(const std::string& name, WritableFile** result) override;
  bool FileExists(const std::string& name) override;
  Status GetChildren(const std::string& directory, std::vector<std::string>* names) override;
  Status RemoveFile(const std::string& name) override;
  Status CreateDir(const std::string& name) override;
  Status RemoveDir(const std::string& name) override;
  Status GetFileSize(const std::string& name, uint64_t* size) override;
  Status RenameFile(const std::string& from, const std::string& to) override;
  Status LockFile(const std::string& name, FileLock** lock) override;
  Status UnlockFile(FileLock* lock) override;
  Status NewLogger(const std::string& name, Logger** result) override;

 private:
  bool IsInside(const std::string& name) const;
  bool IsHidden(const std::string& name);

  const std::string directory_;
  const std::unique_ptr<Env> memory_;
  std::atomic<bool> refuses_{false};
  std::mutex mutex_;
  std::set<std::string> hidden_;  // files of the base that were removed or renamed
};

// Returns whether a directory exists and this process may not write to it.
bool IsReadOnlyDirectory(const std::string& directory);

}  // namespace leveldb

#endif  // BUSHSTORE_TOOLS_READ_ONLY_ENV_H_
