// ExpectedState: records what a store should hold, in a file that outlives the process.
//
// Keys belong to threads; only the owner of a key writes it. Each thread numbers its operations. An
// operation is recorded in the file before the store is called, and its outcome as soon as the call
// returns; so after a kill the file says which operations were acknowledged, which failed, and
// which were in progress.
//
//   header      numbers of threads and keys
//   per thread  base, begun and returned: operation numbers; the journal's length
//   per key     the version that counts from before the journal; the newest change in the journal
//   journal     per thread: the operations since `base`, with what had returned to each thread when
//               it began; and the changes of each, chained by key
//
// After a crash the store holds, for each thread, what its operations up to some number leave
// (comparison.h). When that has been checked, Settle makes it the new base and clears the journal.

#ifndef BUSHSTORE_TESTING_STRESS_EXPECTED_STATE_H_
#define BUSHSTORE_TESTING_STRESS_EXPECTED_STATE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

constexpr uint32_t kStressThreadsMax = 16;
constexpr uint32_t kAbsent = ~uint32_t{0};

// An operation number for each thread.
using Moment = std::array<uint64_t, kStressThreadsMax>;

// The operations that a store or a view of it may contain: those up to `low` are in it, those after
// `high` are not. Those in between are in it up to some number, or, with holes, any of them.
struct Bounds {
  Moment low = {};
  Moment high = {};
  bool has_holes = false;
};

// The content of a key: the operation that wrote it and the size of the value, kAbsent if there is
// none.
struct KeyState {
  uint64_t number = 0;
  uint32_t size = kAbsent;
  bool failed = false;  // the operation returned an error: it may or may not have happened
};

// One change of an operation. There is only one for each key, the last.
struct KeyChange {
  uint32_t key;
  uint32_t size;  // kAbsent: deleted
};

// A method about a thread's own operations may be called by that thread only. The others are
// thread-safe except Settle.
class ExpectedState {
 public:
  // Creates a new file. Ends the program on errors. REQUIRES: threads <= kStressThreadsMax.
  ExpectedState(const std::string& path, uint32_t threads, uint32_t keys_per_thread);
  ~ExpectedState();
  ExpectedState(const ExpectedState&) = delete;
  ExpectedState& operator=(const ExpectedState&) = delete;

  uint32_t threads() const { return threads_; }
  uint32_t keys_per_thread() const { return keys_per_thread_; }
  uint32_t keys() const { return threads_ * keys_per_thread_; }
  uint32_t OwnerOf(uint32_t key) const { return key / keys_per_thread_; }

  // Returns whether the journal has room for another operation of this many changes.
  bool HasRoom(uint32_t thread, size_t changes) const;
  // Records an operation before the store is called; `bytes` is the size of its keys and values.
  // Returns its number.
  uint64_t Begin(uint32_t thread, const std::vector<KeyChange>& changes, uint64_t bytes);
  // Returns the number that Begin will return next.
  uint64_t NextNumber(uint32_t thread) const;
  // Records that the call of the store has returned.
  void End(uint32_t thread, bool ok);

  // Return the last operation of each thread that has begun, or has returned.
  Moment Begun() const;
  Moment Returned() const;

  // Return, for an operation in the journal, its bytes, whether it failed, which operations had
  // returned when it began, and what it changes.
  uint64_t BytesOf(uint32_t thread, uint64_t number) const;
  bool HasFailed(uint32_t thread, uint64_t number) const;
  Moment Before(uint32_t thread, uint64_t number) const;
  std::vector<KeyChange> ChangesOf(uint32_t thread, uint64_t number) const;
  // Returns the number of the operation before the first in the journal.
  uint64_t BaseOf(uint32_t thread) const;

  // Returns what the key has held, newest first, as written by operations up to `until`; the last
  // element is what it held before the journal.
  std::vector<KeyState> Versions(uint32_t key, uint64_t until) const;

  // Makes `found`, by key, the new base: no other version may return.
  void Settle(const std::vector<KeyState>& found);

 private:
  struct Thread;
  struct Key;
  struct Operation;
  struct Change;

  Thread* thread_at(uint32_t thread) const;
  Key* key_at(uint32_t key) const;
  Operation* operation_at(uint32_t thread, uint64_t number) const;
  Change* change_at(uint32_t thread, uint64_t index) const;

  const uint32_t threads_;
  const uint32_t keys_per_thread_;
  char* memory_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_EXPECTED_STATE_H_
