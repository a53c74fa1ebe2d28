// FaultEnv: an Env whose calls can be made to fail, at the n-th of a kind, once or from then on.
//
// It stands before any other Env. Nothing reaches the target of a call that fails, except that
// half of a failing Append may be written, as on a disk that is full, and that a failing Close
// still closes.

#ifndef BUSHSTORE_TESTING_FAULT_ENV_H_
#define BUSHSTORE_TESTING_FAULT_ENV_H_

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/env.h"

namespace leveldb {
namespace testkit {

// The kinds of calls that are counted and can fail.
enum class Call {
  kCreate,  // NewWritableFile and NewAppendableFile
  kAppend,
  kFlush,
  kSync,
  kClose,
  kOpenToRead,  // NewSequentialFile and NewRandomAccessFile
  kRead,        // of either
  kRename,
  kRemove,
  kList,  // GetChildren
  kSize,  // GetFileSize
  kCreateDir,
  kLock,
  kUnlock,
  kNewLogger,
};
constexpr int kCallKinds = static_cast<int>(Call::kNewLogger) + 1;
const char* CallName(Call call);

struct Fault {
  Call call = Call::kAppend;
  uint64_t at = 1;                          // the first call that fails, counted from now
  bool lasting = false;                     // later ones fail, too
  bool half_written = false;                // of a failing Append
  std::string text = "Input/output error";  // what the error says
  std::string only_names_with;              // only files whose name contains this
};

// Thread-safe.
class FaultEnv : public EnvWrapper {
 public:
  // `target` must outlive this object and every file opened through it.
  explicit FaultEnv(Env* target) : EnvWrapper(target) {}

  // Puts a fault in place of the previous one, and starts counting anew.
  void Inject(const Fault& fault);
  // No call fails any more.
  void Heal();
  // In between no call fails; counting goes on.
  void Pause();
  void Resume();

  // Called before each call, by the thread that makes it. Set it while nothing is running.
  void SetListener(std::function<void(Call)> listener) { listener_ = std::move(listener); }

  // Calls of a kind since the last Inject or Heal, and how many of them failed.
  uint64_t calls(Call call) const;
  uint64_t failures() const;

  Status NewSequentialFile(const std::string& name, SequentialFile** result) override;
  Status NewRandomAccessFile(const std::string& name, RandomAccessFile** result) override;
  Status NewWritableFile(const std::string& name, WritableFile** result) override;
  Status NewAppendableFile(const std::string& name, WritableFile** result) override;
  Status GetChildren(const std::string& dir, std::vector<std::string>* result) override;
  Status RemoveFile(const std::string& name) override;
  Status CreateDir(const std::string& dir) override;
  Status GetFileSize(const std::string& name, uint64_t* size) override;
  Status RenameFile(const std::string& source, const std::string& target) override;
  Status LockFile(const std::string& name, FileLock** lock) override;
  Status UnlockFile(FileLock* lock) override;
  Status NewLogger(const std::string& name, Logger** result) override;

 private:
  class SequentialReader;
  class RandomReader;
  class Writer;

  // Counts the call; an error if it is to fail.
  Status Check(Call call, const std::string& name);
  bool half_written() const;

  mutable std::mutex mutex_;
  bool armed_ = false;
  bool paused_ = false;
  Fault fault_;
  std::array<uint64_t, kCallKinds> calls_ = {};
  uint64_t failures_ = 0;
  std::function<void(Call)> listener_;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_FAULT_ENV_H_
