#include "testing/fault_env.h"

namespace leveldb {
namespace testkit {

const char* CallName(Call call) {
  static const char* const kNames[kCallKinds] = {
      "Create", "Append", "Flush", "Sync",      "Close", "OpenToRead", "Read",     "Rename",
      "Remove", "List",   "Size",  "CreateDir", "Lock",  "Unlock",     "NewLogger"};
  return kNames[static_cast<int>(call)];
}

class FaultEnv::SequentialReader : public SequentialFile {
 public:
  SequentialReader(FaultEnv* env, std::string name, SequentialFile* target)
      : env_(env), name_(std::move(name)), target_(target) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    const Status fault = env_->Check(Call::kRead, name_);
    return fault.ok() ? target_->Read(n, result, scratch) : fault;
  }

  Status Skip(uint64_t n) override { return target_->Skip(n); }

 private:
  FaultEnv* const env_;
  const std::string name_;
  const std::unique_ptr<SequentialFile> target_;
};

class FaultEnv::RandomReader : public RandomAccessFile {
 public:
  RandomReader(FaultEnv* env, std::string name, RandomAccessFile* target)
      : env_(env), name_(std::move(name)), target_(target) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    const Status fault = env_->Check(Call::kRead, name_);
    return fault.ok() ? target_->Read(offset, n, result, scratch) : fault;
  }

 private:
  FaultEnv* const env_;
  const std::string name_;
  const std::unique_ptr<RandomAccessFile> target_;
};

class FaultEnv::Writer : public WritableFile {
 public:
  Writer(FaultEnv* env, std::string name, WritableFile* target)
      : env_(env), name_(std::move(name)), target_(target) {}

  Status Append(const Slice& data) override {
    const Status fault = env_->Check(Call::kAppend, name_);
    if (fault.ok()) {
      return target_->Append(data);
    }
    if (env_->half_written()) {
      const Status half = target_->Append(Slice(data.data(), data.size() / 2));
      return half.ok() ? fault : half;
    }
    return fault;
  }

  Status Flush() override {
    const Status fault = env_->Check(Call::kFlush, name_);
    return fault.ok() ? target_->Flush() : fault;
  }

  Status Sync() override {
    const Status fault = env_->Check(Call::kSync, name_);
    return fault.ok() ? target_->Sync() : fault;
  }

  Status Close() override {
    const Status fault = env_->Check(Call::kClose, name_);
    const Status closed = target_->Close();
    return fault.ok() ? closed : fault;
  }

 private:
  FaultEnv* const env_;
  const std::string name_;
  const std::unique_ptr<WritableFile> target_;
};

void FaultEnv::Inject(const Fault& fault) {
  const std::lock_guard<std::mutex> guard(mutex_);
  fault_ = fault;
  armed_ = true;
  calls_ = {};
  failures_ = 0;
}

void FaultEnv::Heal() {
  const std::lock_guard<std::mutex> guard(mutex_);
  armed_ = false;
  calls_ = {};
  failures_ = 0;
}

void FaultEnv::Pause() {
  const std::lock_guard<std::mutex> guard(mutex_);
  paused_ = true;
}

void FaultEnv::Resume() {
  const std::lock_guard<std::mutex> guard(mutex_);
  paused_ = false;
}

uint64_t FaultEnv::calls(Call call) const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return calls_[static_cast<size_t>(call)];
}

uint64_t FaultEnv::failures() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return failures_;
}

bool FaultEnv::half_written() const {
  const std::lock_guard<std::mutex> guard(mutex_);
  return fault_.half_written;
}

Status FaultEnv::Check(Call call, const std::string& name) {
  if (listener_) {
    listener_(call);
  }
  const std::lock_guard<std::mutex> guard(mutex_);
  const bool counts = !armed_ || name.find(fault_.only_names_with) != std::string::npos;
  if (!counts) {
    return Status::OK();
  }
  const uint64_t number = ++calls_[static_cast<size_t>(call)];
  if (!armed_ || paused_ || call != fault_.call) {
    return Status::OK();
  }
  if (number == fault_.at || (fault_.lasting && number > fault_.at)) {
    ++failures_;
    return Status::IOError(name, fault_.text);
  }
  return Status::OK();
}

Status FaultEnv::NewSequentialFile(const std::string& name, SequentialFile** result) {
  *result = nullptr;
  Status status = Check(Call::kOpenToRead, name);
  if (status.ok()) {
    status = target()->NewSequentialFile(name, result);
  }
  if (status.ok()) {
    *result = new SequentialReader(this, name, *result);
  }
  return status;
}

Status FaultEnv::NewRandomAccessFile(const std::string& name, RandomAccessFile** result) {
  *result = nullptr;
  Status status = Check(Call::kOpenToRead, name);
  if (status.ok()) {
    status = target()->NewRandomAccessFile(name, result);
  }
  if (status.ok()) {
    *result = new RandomReader(this, name, *result);
  }
  return status;
}

Status FaultEnv::NewWritableFile(const std::string& name, WritableFile** result) {
  *result = nullptr;
  Status status = Check(Call::kCreate, name);
  if (status.ok()) {
    status = target()->NewWritableFile(name, result);
  }
  if (status.ok()) {
    *result = new Writer(this, name, *result);
  }
  return status;
}

Status FaultEnv::NewAppendableFile(const std::string& name, WritableFile** result) {
  *result = nullptr;
  Status status = Check(Call::kCreate, name);
  if (status.ok()) {
    status = target()->NewAppendableFile(name, result);
  }
  if (status.ok()) {
    *result = new Writer(this, name, *result);
  }
  return status;
}

Status FaultEnv::GetChildren(const std::string& dir, std::vector<std::string>* result) {
  const Status fault = Check(Call::kList, dir);
  return fault.ok() ? target()->GetChildren(dir, result) : fault;
}

Status FaultEnv::RemoveFile(const std::string& name) {
  const Status fault = Check(Call::kRemove, name);
  return fault.ok() ? target()->RemoveFile(name) : fault;
}

Status FaultEnv::CreateDir(const std::string& dir) {
  const Status fault = Check(Call::kCreateDir, dir);
  return fault.ok() ? target()->CreateDir(dir) : fault;
}

Status FaultEnv::GetFileSize(const std::string& name, uint64_t* size) {
  const Status fault = Check(Call::kSize, name);
  return fault.ok() ? target()->GetFileSize(name, size) : fault;
}

Status FaultEnv::RenameFile(const std::string& source, const std::string& target_name) {
  const Status fault = Check(Call::kRename, source);
  return fault.ok() ? target()->RenameFile(source, target_name) : fault;
}

Status FaultEnv::LockFile(const std::string& name, FileLock** lock) {
  *lock = nullptr;
  const Status fault = Check(Call::kLock, name);
  return fault.ok() ? target()->LockFile(name, lock) : fault;
}

Status FaultEnv::UnlockFile(FileLock* lock) {
  // The lock is released in any case; only the answer is an error.
  const Status fault = Check(Call::kUnlock, "");
  const Status unlocked = target()->UnlockFile(lock);
  return fault.ok() ? unlocked : fault;
}

Status FaultEnv::NewLogger(const std::string& name, Logger** result) {
  *result = nullptr;
  const Status fault = Check(Call::kNewLogger, name);
  return fault.ok() ? target()->NewLogger(name, result) : fault;
}

}  // namespace testkit
}  // namespace leveldb
