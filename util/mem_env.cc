// The memory Env keeps its files in memory.
//
// One map from names to contents is guarded by one mutex; each file has a mutex of its own for its
// bytes. Names are compared after repeated and trailing slashes have been dropped. Directories need
// not be created: a file implies the directories of its name.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "port/mutex.h"
#include "port/thread_annotations.h"
#include "util/file_logger.h"
#include "util/mem_file.h"

namespace leveldb {

namespace {

std::string Normalized(const std::string& path) {
  std::string result;
  for (const char c : path) {
    if (c != '/' || result.empty() || result.back() != '/') result.push_back(c);
  }
  if (result.size() > 1 && result.back() == '/') result.pop_back();
  return result;
}

Status Missing(const std::string& name) {
  return Status::NotFound(name, "No such file or directory");
}

class MemFileLock final : public FileLock {
 public:
  explicit MemFileLock(const std::string& name) : fname(name) {}

  const std::string fname;  // Normalized.
};

class MemEnv final : public EnvWrapper {
 public:
  explicit MemEnv(Env* base_env) : EnvWrapper(base_env) {}

  Status NewSequentialFile(const std::string& fname, SequentialFile** result) override {
    const std::shared_ptr<MemFile> file = Find(fname);
    *result = file == nullptr ? nullptr : NewMemSequentialFile(file);
    return file == nullptr ? Missing(fname) : Status::OK();
  }

  Status NewRandomAccessFile(const std::string& fname, RandomAccessFile** result) override {
    const std::shared_ptr<MemFile> file = Find(fname);
    *result = file == nullptr ? nullptr : NewMemRandomAccessFile(file);
    return file == nullptr ? Missing(fname) : Status::OK();
  }

  Status NewWritableFile(const std::string& fname, WritableFile** result) override {
    const std::shared_ptr<MemFile> file = FindOrMake(fname);
    file->Truncate();
    *result = NewMemWritableFile(file);
    return Status::OK();
  }

  Status NewAppendableFile(const std::string& fname, WritableFile** result) override {
    *result = NewMemWritableFile(FindOrMake(fname));
    return Status::OK();
  }

  bool FileExists(const std::string& fname) override {
    const std::string name = Normalized(fname);
    MutexLock lock(&mutex_);
    return files_.count(name) != 0 || IsDirectory(name);
  }

  Status GetChildren(const std::string& dir, std::vector<std::string>* result) override {
    MutexLock lock(&mutex_);
    const std::set<std::string> names = NamesIn(Normalized(dir));
    result->assign(names.begin(), names.end());
    return Status::OK();
  }

  Status RemoveFile(const std::string& fname) override {
    MutexLock lock(&mutex_);
    return files_.erase(Normalized(fname)) != 0 ? Status::OK() : Missing(fname);
  }

  Status CreateDir(const std::string& dirname) override {
    MutexLock lock(&mutex_);
    const bool is_new = directories_.insert(Normalized(dirname)).second;
    return is_new ? Status::OK() : Status::IOError(dirname, "File exists");
  }

  Status RemoveDir(const std::string& dirname) override {
    const std::string name = Normalized(dirname);
    MutexLock lock(&mutex_);
    if (!NamesIn(name).empty()) return Status::IOError(dirname, "Directory not empty");
    return directories_.erase(name) != 0 ? Status::OK() : Missing(dirname);
  }

  Status GetFileSize(const std::string& fname, uint64_t* file_size) override {
    const std::shared_ptr<MemFile> file = Find(fname);
    *file_size = file == nullptr ? 0 : file->size();
    return file == nullptr ? Missing(fname) : Status::OK();
  }

  Status RenameFile(const std::string& src, const std::string& target) override {
    const std::string from = Normalized(src);
    const std::string to = Normalized(target);
    MutexLock lock(&mutex_);
    const auto found = files_.find(from);
    if (found == files_.end()) return Missing(src);
    if (from == to) return Status::OK();
    files_[to] = std::move(found->second);
    files_.erase(found);
    return Status::OK();
  }

  Status LockFile(const std::string& fname, FileLock** lock) override {
    *lock = nullptr;
    const std::string name = Normalized(fname);
    FindOrMake(fname);
    MutexLock guard(&mutex_);
    if (!locked_.insert(name).second) {
      return Status::IOError("lock " + fname, "already held by process");
    }
    *lock = new MemFileLock(name);
    return Status::OK();
  }

  Status UnlockFile(FileLock* lock) override {
    const std::unique_ptr<MemFileLock> held(static_cast<MemFileLock*>(lock));
    MutexLock guard(&mutex_);
    locked_.erase(held->fname);
    return Status::OK();
  }

  Status NewLogger(const std::string& fname, Logger** result) override {
    WritableFile* file;
    const Status s = NewWritableFile(fname, &file);
    *result = s.ok() ? new FileLogger(std::unique_ptr<WritableFile>(file)) : nullptr;
    return s;
  }

 private:
  // Returns the file, or null.
  std::shared_ptr<MemFile> Find(const std::string& fname) {
    MutexLock lock(&mutex_);
    const auto found = files_.find(Normalized(fname));
    return found == files_.end() ? nullptr : found->second;
  }

  std::shared_ptr<MemFile> FindOrMake(const std::string& fname) {
    MutexLock lock(&mutex_);
    std::shared_ptr<MemFile>& file = files_[Normalized(fname)];
    if (file == nullptr) file = std::make_shared<MemFile>();
    return file;
  }

  // Returns the names of files and directories directly in directory dir; dir is normalized.
  std::set<std::string> NamesIn(const std::string& dir) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    const std::string prefix = dir == "/" ? dir : dir + "/";
    std::set<std::string> names;
    const auto add = [&prefix, &names](const std::string& path) {
      if (path.size() <= prefix.size() || path.compare(0, prefix.size(), prefix) != 0) return false;
      names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
      return true;
    };
    for (auto f = files_.upper_bound(prefix); f != files_.end() && add(f->first); ++f) {
    }
    for (auto d = directories_.upper_bound(prefix); d != directories_.end() && add(*d); ++d) {
    }
    return names;
  }

  bool IsDirectory(const std::string& name) EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    return directories_.count(name) != 0 || !NamesIn(name).empty();
  }

  Mutex mutex_;
  std::map<std::string, std::shared_ptr<MemFile>> files_ GUARDED_BY(mutex_);
  std::set<std::string> directories_ GUARDED_BY(mutex_);
  std::set<std::string> locked_ GUARDED_BY(mutex_);
};

}  // namespace

Env* NewMemEnv(Env* base_env) {
  return new MemEnv(base_env);
}

}  // namespace leveldb
