// FaultEnv: an Env whose calls can be made to fail: the n-th call of a kind, once or from then on.
//
// It wraps any other Env. A call that fails does not reach the target, except that half of a
// failing Append may be written, as on a full disk, and that a failing Close still closes.

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
  kRead,        // of either kind of file
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
  bool lasting = false;                     // later calls fail, too
  bool half_written = false;                // a failing Append writes half of its data
  std::string text = "Input/output error";  // the message of the error
  std::string only_names_with;              // only files whose name contains this
};

// Thread-safe.
class FaultEnv : public EnvWrapper {
 public:
  // `target` must outlive this object and every file opened through it.
  explicit FaultEnv(Env* target) : EnvWrapper(target) {}

  // Replaces the previous fault, and starts counting anew.
  void Inject(const Fault& fault);
  // Removes the fault: calls succeed again.
  void Heal();
  // Between Pause and Resume no call fails, but calls are counted.
  void Pause();
  void Resume();

  // Sets a function that is called before each call, by the thread that makes the call. REQUIRES:
  // no call is running.
  void SetListener(std::function<void(Call)> listener) { listener_ = std::move(listener); }

  // Returns the calls of a kind since the last Inject or Heal, and how many calls failed.
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

  // Counts the call. Returns an error if it must fail.
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
