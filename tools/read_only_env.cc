#include "tools/read_only_env.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <utility>

#include "leveldb/helpers/memenv.h"

namespace leveldb {

namespace {

// Keeps other processes from writing, if the lock file exists and can be read.
class SharedLock final : public FileLock {
 public:
  explicit SharedLock(int fd) : fd_(fd) {}
  ~SharedLock() override {
    if (fd_ >= 0) close(fd_);
  }

 private:
  const int fd_;
};

class SilentLogger final : public Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

Status ReadOnly(const std::string& name) {
  return Status::IOError(name, "the database was opened read-only");
}

}  // namespace

bool IsReadOnlyDirectory(const std::string& directory) {
  return access(directory.c_str(), W_OK) != 0 &&
         (errno == EROFS || errno == EACCES || errno == EPERM);
}

ReadOnlyEnv::ReadOnlyEnv(Env* base, std::string directory)
    : EnvWrapper(base), directory_(std::move(directory)), memory_(NewMemEnv(base)) {}

bool ReadOnlyEnv::IsInside(const std::string& name) const {
  return name.size() > directory_.size() && name.compare(0, directory_.size(), directory_) == 0 &&
         (directory_.back() == '/' || name[directory_.size()] == '/');
}

bool ReadOnlyEnv::IsHidden(const std::string& name) {
  const std::lock_guard<std::mutex> guard(mutex_);
  return hidden_.count(name) > 0;
}

Status ReadOnlyEnv::NewSequentialFile(const std::string& name, SequentialFile** result) {
  if (IsInside(name) && memory_->FileExists(name)) return memory_->NewSequentialFile(name, result);
  if (IsInside(name) && IsHidden(name)) return Status::NotFound(name, "was removed");
  return target()->NewSequentialFile(name, result);
}

Status ReadOnlyEnv::NewRandomAccessFile(const std::string& name, RandomAccessFile** result) {
  if (IsInside(name) && memory_->FileExists(name)) {
    return memory_->NewRandomAccessFile(name, result);
  }
  if (IsInside(name) && IsHidden(name)) return Status::NotFound(name, "was removed");
  return target()->NewRandomAccessFile(name, result);
}

Status ReadOnlyEnv::NewWritableFile(const std::string& name, WritableFile** result) {
  if (!IsInside(name)) return target()->NewWritableFile(name, result);
  *result = nullptr;
  return refuses_ ? ReadOnly(name) : memory_->NewWritableFile(name, result);
}

// Existing files must not be changed.
Status ReadOnlyEnv::NewAppendableFile(const std::string& name, WritableFile** result) {
  if (!IsInside(name)) return target()->NewAppendableFile(name, result);
  *result = nullptr;
  return Status::NotSupported(name, "the database was opened read-only");
}

bool ReadOnlyEnv::FileExists(const std::string& name) {
  if (!IsInside(name)) return target()->FileExists(name);
  return memory_->FileExists(name) || (!IsHidden(name) && target()->FileExists(name));
}

Status ReadOnlyEnv::GetChildren(const std::string& directory, std::vector<std::string>* names) {
  const Status status = target()->GetChildren(directory, names);
  if (directory != directory_ && !IsInside(directory)) return status;
  if (status.IsNotFound() && IsInside(directory)) {
    names->clear();  // exists only in memory, if at all
  } else if (!status.ok()) {
    return status;
  }
  names->erase(
      std::remove_if(names->begin(), names->end(),
                     [&](const std::string& name) { return IsHidden(directory + "/" + name); }),
      names->end());
  std::vector<std::string> written;
  const Status listed = memory_->GetChildren(directory, &written);
  if (!listed.ok() && !listed.IsNotFound()) return listed;
  for (std::string& name : written) {
    if (std::find(names->begin(), names->end(), name) == names->end()) {
      names->push_back(std::move(name));
    }
  }
  return Status::OK();
}

Status ReadOnlyEnv::RemoveFile(const std::string& name) {
  if (!IsInside(name)) return target()->RemoveFile(name);
  if (!FileExists(name)) return Status::NotFound(name, "No such file or directory");
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    hidden_.insert(name);
  }
  return memory_->FileExists(name) ? memory_->RemoveFile(name) : Status::OK();
}

Status ReadOnlyEnv::CreateDir(const std::string& name) {
  return name == directory_ || IsInside(name) ? Status::OK() : target()->CreateDir(name);
}

Status ReadOnlyEnv::RemoveDir(const std::string& name) {
  return name == directory_ || IsInside(name) ? ReadOnly(name) : target()->RemoveDir(name);
}

Status ReadOnlyEnv::GetFileSize(const std::string& name, uint64_t* size) {
  if (IsInside(name) && memory_->FileExists(name)) return memory_->GetFileSize(name, size);
  if (IsInside(name) && IsHidden(name)) return Status::NotFound(name, "was removed");
  return target()->GetFileSize(name, size);
}

Status ReadOnlyEnv::RenameFile(const std::string& from, const std::string& to) {
  if (!IsInside(from) || !IsInside(to)) return target()->RenameFile(from, to);
  if (memory_->FileExists(from)) {
    const Status renamed = memory_->RenameFile(from, to);
    if (renamed.ok() && to == directory_ + "/CURRENT") refuses_ = true;
    return renamed;
  }
  if (refuses_) return ReadOnly(to);
  std::string contents;
  Status status = ReadFileToString(this, from, &contents);
  if (status.ok()) status = WriteStringToFile(memory_.get(), contents, to);
  const std::lock_guard<std::mutex> guard(mutex_);
  if (status.ok()) hidden_.insert(from);
  return status;
}

Status ReadOnlyEnv::LockFile(const std::string& name, FileLock** lock) {
  if (!IsInside(name)) return target()->LockFile(name, lock);
  *lock = nullptr;
  const int fd = open(name.c_str(), O_RDONLY | O_CLOEXEC);
  struct flock wanted {};
  wanted.l_type = F_RDLCK;
  wanted.l_whence = SEEK_SET;
  if (fd >= 0 && fcntl(fd, F_SETLK, &wanted) != 0 && (errno == EAGAIN || errno == EACCES)) {
    close(fd);
    return Status::IOError("lock " + name, "another process has the database open: close it first");
  }
  *lock = new SharedLock(fd);
  return Status::OK();
}

Status ReadOnlyEnv::UnlockFile(FileLock* lock) {
  if (dynamic_cast<SharedLock*>(lock) == nullptr) return target()->UnlockFile(lock);
  delete lock;
  return Status::OK();
}

Status ReadOnlyEnv::NewLogger(const std::string& name, Logger** result) {
  if (!IsInside(name)) return target()->NewLogger(name, result);
  *result = new SilentLogger;
  return Status::OK();
}

}  // namespace leveldb
