#include "testing/power_env.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>

namespace leveldb {
namespace testkit {

// The bytes of one file, and how many of them are on the medium. Files are only appended to.
class PowerEnv::File {
 public:
  void Append(const Slice& data, uint64_t change) {
    const std::lock_guard<std::mutex> guard(mutex_);
    bytes_.append(data.data(), data.size());
    unsynced_.push_back(Unsynced{change, bytes_.size()});
  }

  void Sync() {
    const std::lock_guard<std::mutex> guard(mutex_);
    synced_ = bytes_.size();
    unsynced_.clear();
  }

  size_t size() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return bytes_.size();
  }

  // Copies up to `n` bytes at `offset`. Returns how many.
  size_t Read(uint64_t offset, size_t n, char* target) const {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (offset >= bytes_.size()) {
      return 0;
    }
    n = std::min(n, bytes_.size() - static_cast<size_t>(offset));
    std::memcpy(target, bytes_.data() + offset, n);
    return n;
  }

  // Returns this file as it is found after a power cut; all of it is on the medium then. With
  // kInOrder, changes from number `lost_from` on are lost.
  FilePtr AfterPowerLoss(Loss loss, uint64_t lost_from, Dice* dice) const {
    const std::lock_guard<std::mutex> guard(mutex_);
    const FilePtr left = std::make_shared<File>();
    size_t kept = synced_;
    size_t torn = 0;
    switch (loss) {
      case Loss::kDropAll:
        break;
      case Loss::kInOrder:
        for (const Unsynced& append : unsynced_) {
          kept = append.change < lost_from ? append.end : kept;
        }
        break;
      case Loss::kTruncate:
        kept = dice->Between(synced_, bytes_.size());
        break;
      case Loss::kTear:
        kept = dice->Between(synced_, bytes_.size());
        torn = dice->OneIn(2) ? dice->Below(bytes_.size() - kept + 1) : 0;
        break;
      case Loss::kKeepAll:
        kept = bytes_.size();
        break;
    }
    left->bytes_ = bytes_.substr(0, kept);
    left->bytes_ += dice->OneIn(2) ? std::string(torn, '\0') : dice->Bytes(torn);
    left->synced_ = left->bytes_.size();
    return left;
  }

 private:
  struct Unsynced {
    uint64_t change;
    size_t end;  // the size of the file after it
  };

  mutable std::mutex mutex_;
  std::string bytes_;
  size_t synced_ = 0;
  std::vector<Unsynced> unsynced_;
};

class PowerEnv::Reader : public SequentialFile, public RandomAccessFile {
 public:
  explicit Reader(FilePtr file) : file_(std::move(file)) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    *result = Slice(scratch, file_->Read(offset_, n, scratch));
    offset_ += result->size();
    return Status::OK();
  }

  Status Skip(uint64_t n) override {
    offset_ += n;
    return Status::OK();
  }

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    *result = Slice(scratch, file_->Read(offset, n, scratch));
    return Status::OK();
  }

 private:
  const FilePtr file_;
  uint64_t offset_ = 0;
};

class PowerEnv::Writer : public WritableFile {
 public:
  Writer(PowerEnv* env, std::string name, FilePtr file)
      : env_(env), name_(std::move(name)), file_(std::move(file)) {}

  Status Append(const Slice& data) override {
    const uint64_t change = env_->BeforeChange();
    file_->Append(data, change);
    return Status::OK();
  }

  Status Sync() override {
    env_->Sync(name_, file_);
    return Status::OK();
  }

  Status Flush() override { return Status::OK(); }
  Status Close() override { return Status::OK(); }

 private:
  PowerEnv* const env_;
  const std::string name_;
  const FilePtr file_;
};

class PowerEnv::InfoLog : public Logger {
 public:
  explicit InfoLog(FilePtr file) : file_(std::move(file)) {}

  void Logv(const char* format, std::va_list arguments) override {
    char line[1000];
    std::vsnprintf(line, sizeof(line), format, arguments);
    file_->Append(std::string(line) + "\n", 0);
  }

 private:
  const FilePtr file_;
};

class PowerEnv::Lock : public FileLock {
 public:
  explicit Lock(std::string name) : name_(std::move(name)) {}
  const std::string& name() const { return name_; }

 private:
  const std::string name_;
};

PowerEnv::PowerEnv() : EnvWrapper(Env::Default()) {}

PowerEnv::~PowerEnv() = default;

std::unique_ptr<PowerEnv> PowerEnv::AfterPowerLoss(Loss loss, Dice* dice) const {
  const std::lock_guard<std::mutex> guard(mutex_);
  Names found = durable_names_;
  const uint64_t lost_from = changes_ - dice->Below(std::min<uint64_t>(changes_, 150) + 1);
  for (const PendingName& pending : pending_) {
    const bool happens = loss == Loss::kKeepAll ||
                         (loss == Loss::kInOrder && pending.change < lost_from) ||
                         ((loss == Loss::kTruncate || loss == Loss::kTear) && dice->OneIn(2));
    if (!happens) {
      continue;
    }
    if (pending.file == nullptr) {
      found.erase(pending.name);
    } else {
      found[pending.name] = pending.file;
    }
  }
  auto left = std::make_unique<PowerEnv>();
  for (const auto& [name, file] : found) {
    left->names_[name] = file->AfterPowerLoss(loss, lost_from, dice);
  }
  left->durable_names_ = left->names_;
  left->dirs_ = dirs_;
  return left;
}

void PowerEnv::SetChangeListener(std::function<void(uint64_t)> listener) {
  listener_ = std::move(listener);
}

uint64_t PowerEnv::changes() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return changes_;
}

std::string PowerEnv::Describe() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  std::string text;
  for (const auto& [name, file] : names_) {
    text += name + ": " + std::to_string(file->size()) + " bytes\n";
    if (name.find("/LOG") != std::string::npos) {
      std::string log(file->size(), '\0');
      file->Read(0, log.size(), log.data());
      text += log;
    }
  }
  return text;
}

void PowerEnv::IgnoreSyncsOf(const std::string& part) {
  ignored_parts_.push_back(part);
}

uint64_t PowerEnv::BeforeChange() {
  uint64_t number;
  {
    const std::lock_guard<std::mutex> guard(mutex_);
    number = changes_++;
  }
  if (listener_) {
    listener_(number);
  }
  return number;
}

std::string PowerEnv::DirOf(const std::string& name) {
  const size_t slash = name.rfind('/');
  return slash == std::string::npos ? "" : name.substr(0, slash);
}

PowerEnv::FilePtr PowerEnv::Find(const std::string& name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

void PowerEnv::SyncDir(const std::string& dir) {
  if (forgets_directory_syncs_) {
    return;
  }
  std::vector<PendingName> others;
  for (PendingName& pending : pending_) {
    if (DirOf(pending.name) != dir) {
      others.push_back(std::move(pending));
    } else if (pending.file == nullptr) {
      durable_names_.erase(pending.name);
    } else {
      durable_names_[pending.name] = pending.file;
    }
  }
  pending_ = std::move(others);
}

void PowerEnv::Sync(const std::string& name, const FilePtr& file) {
  BeforeChange();
  for (const std::string& part : ignored_parts_) {
    if (name.find(part) != std::string::npos) {
      return;
    }
  }
  file->Sync();
  const std::lock_guard<std::mutex> guard(mutex_);
  const bool is_new = std::any_of(pending_.begin(), pending_.end(),
                                  [&](const PendingName& pending) { return pending.file == file; });
  if (is_new) {
    SyncDir(DirOf(name));
  }
}

Status PowerEnv::NewSequentialFile(const std::string& name, SequentialFile** result) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const FilePtr file = Find(name);
  *result = file == nullptr ? nullptr : new Reader(file);
  return file == nullptr ? Status::NotFound(name, "No such file or directory") : Status::OK();
}

Status PowerEnv::NewRandomAccessFile(const std::string& name, RandomAccessFile** result) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const FilePtr file = Find(name);
  *result = file == nullptr ? nullptr : new Reader(file);
  return file == nullptr ? Status::NotFound(name, "No such file or directory") : Status::OK();
}

Status PowerEnv::Open(const std::string& name, bool truncate, WritableFile** result) {
  *result = nullptr;
  const uint64_t change = BeforeChange();
  const std::lock_guard<std::mutex> guard(mutex_);
  if (dirs_.count(DirOf(name)) == 0) {
    return Status::NotFound(name, "No such file or directory");
  }
  FilePtr file = truncate ? nullptr : Find(name);
  if (file == nullptr) {
    file = std::make_shared<File>();
    names_[name] = file;
    pending_.push_back(PendingName{name, file, change});
  }
  *result = new Writer(this, name, file);
  return Status::OK();
}

Status PowerEnv::NewWritableFile(const std::string& name, WritableFile** result) {
  return Open(name, true, result);
}

Status PowerEnv::NewAppendableFile(const std::string& name, WritableFile** result) {
  return Open(name, false, result);
}

bool PowerEnv::FileExists(const std::string& name) {
  const std::lock_guard<std::mutex> guard(mutex_);
  return Find(name) != nullptr || dirs_.count(name) != 0;
}

Status PowerEnv::GetChildren(const std::string& dir, std::vector<std::string>* result) {
  result->clear();
  const std::lock_guard<std::mutex> guard(mutex_);
  if (dirs_.count(dir) == 0) {
    return Status::NotFound(dir, "No such file or directory");
  }
  for (const auto& [name, file] : names_) {
    if (DirOf(name) == dir) {
      result->push_back(name.substr(dir.size() + 1));
    }
  }
  for (const std::string& inner : dirs_) {
    if (DirOf(inner) == dir && inner.size() > dir.size()) {
      result->push_back(inner.substr(dir.size() + 1));
    }
  }
  return Status::OK();
}

Status PowerEnv::RemoveFile(const std::string& name) {
  const uint64_t change = BeforeChange();
  const std::lock_guard<std::mutex> guard(mutex_);
  if (names_.erase(name) == 0) {
    return Status::NotFound(name, "No such file or directory");
  }
  pending_.push_back(PendingName{name, nullptr, change});
  return Status::OK();
}

Status PowerEnv::CreateDir(const std::string& dir) {
  BeforeChange();
  const std::lock_guard<std::mutex> guard(mutex_);
  return dirs_.insert(dir).second ? Status::OK() : Status::IOError(dir, "File exists");
}

Status PowerEnv::RemoveDir(const std::string& dir) {
  std::vector<std::string> children;
  const Status status = GetChildren(dir, &children);
  if (!status.ok()) {
    return status;
  }
  if (!children.empty()) {
    return Status::IOError(dir, "Directory not empty");
  }
  BeforeChange();
  const std::lock_guard<std::mutex> guard(mutex_);
  dirs_.erase(dir);
  return Status::OK();
}

Status PowerEnv::GetFileSize(const std::string& name, uint64_t* size) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const FilePtr file = Find(name);
  *size = file == nullptr ? 0 : file->size();
  return file == nullptr ? Status::NotFound(name, "No such file or directory") : Status::OK();
}

Status PowerEnv::RenameFile(const std::string& source, const std::string& target) {
  const uint64_t change = BeforeChange();
  const std::lock_guard<std::mutex> guard(mutex_);
  const FilePtr file = Find(source);
  if (file == nullptr) {
    return Status::NotFound(source, "No such file or directory");
  }
  names_.erase(source);
  names_[target] = file;
  if (forgets_directory_syncs_) {
    pending_.push_back(PendingName{target, file, change});
    pending_.push_back(PendingName{source, nullptr, change});
    return Status::OK();
  }
  // The rename is durable at once, with all that happened before in the target's directory.
  SyncDir(DirOf(target));
  durable_names_.erase(source);
  durable_names_[target] = file;
  return Status::OK();
}

Status PowerEnv::LockFile(const std::string& name, FileLock** lock) {
  *lock = nullptr;
  const std::lock_guard<std::mutex> guard(mutex_);
  if (dirs_.count(DirOf(name)) == 0) {
    return Status::NotFound(name, "No such file or directory");
  }
  if (!locks_.insert(name).second) {
    return Status::IOError("lock " + name, "already held by process");
  }
  if (Find(name) == nullptr) {
    names_[name] = std::make_shared<File>();
    pending_.push_back(PendingName{name, names_[name], changes_});
  }
  *lock = new Lock(name);
  return Status::OK();
}

Status PowerEnv::UnlockFile(FileLock* lock) {
  const std::unique_ptr<Lock> held(static_cast<Lock*>(lock));
  const std::lock_guard<std::mutex> guard(mutex_);
  locks_.erase(held->name());
  return Status::OK();
}

Status PowerEnv::NewLogger(const std::string& name, Logger** result) {
  const std::lock_guard<std::mutex> guard(mutex_);
  const FilePtr file = std::make_shared<File>();
  names_[name] = file;
  pending_.push_back(PendingName{name, file, changes_});
  *result = new InfoLog(file);
  return Status::OK();
}

}  // namespace testkit
}  // namespace leveldb
