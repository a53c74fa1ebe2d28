// ExpectedState: what a store should hold, in a file outside it that outlives the process.
//
// Keys belong to threads; the owner of a key alone writes it. Each thread numbers its operations.
// An operation is noted in the file before the store hears of it, and its outcome as soon as the
// store has answered; so after a kill the file knows what was acknowledged, what failed, and what
// was under way.
//
//   header      numbers of threads and keys
//   per thread  base, begun and returned: operation numbers; the journal's length
//   per key     the version that counts from before the journal; the newest change in the journal
//   journal     per thread: the operations since `base`, with what each thread had got back from
//               the store when it began; and the changes of each, chained by key
//
// The store holds, after a crash, for each thread what its operations up to some number leave
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

// For each thread the number of an operation.
using Moment = std::array<uint64_t, kStressThreadsMax>;

// The operations that a store or a view of it may show: those up to `low` are in it, those after
// `high` are not. Those between are there up to some number; with holes, any of them are.
struct Bounds {
  Moment low = {};
  Moment high = {};
  bool has_holes = false;
};

// What a key holds: the operation that wrote it and the value's size, kAbsent for nothing.
struct KeyState {
  uint64_t number = 0;
  uint32_t size = kAbsent;
  bool failed = false;  // the operation returned an error: it may be there or not
};

// One change of an operation. Of several to one key the last counts, so there is only one.
struct KeyChange {
  uint32_t key;
  uint32_t size;  // kAbsent: deleted
};

// The methods about a thread's own operations are for that thread alone; the others are thread-safe
// but for Settle.
class ExpectedState {
 public:
  // A new file. REQUIRES: threads <= kStressThreadsMax. Ends the program if that cannot be made.
  ExpectedState(const std::string& path, uint32_t threads, uint32_t keys_per_thread);
  ~ExpectedState();
  ExpectedState(const ExpectedState&) = delete;
  ExpectedState& operator=(const ExpectedState&) = delete;

  uint32_t threads() const { return threads_; }
  uint32_t keys_per_thread() const { return keys_per_thread_; }
  uint32_t keys() const { return threads_ * keys_per_thread_; }
  uint32_t OwnerOf(uint32_t key) const { return key / keys_per_thread_; }

  // Whether the journal takes another operation of this many changes.
  bool HasRoom(uint32_t thread, size_t changes) const;
  // An operation is about to be given to the store; `bytes` are those of its keys and values.
  // Returns its number.
  uint64_t Begin(uint32_t thread, const std::vector<KeyChange>& changes, uint64_t bytes);
  // The number that Begin will return next.
  uint64_t NextNumber(uint32_t thread) const;
  // The store has answered.
  void End(uint32_t thread, bool ok);

  // The last operation of each thread that has been begun, or returned.
  Moment Begun() const;
  Moment Returned() const;

  // About an operation in the journal: its bytes, whether it failed, what had returned when it
  // began, and what it changes.
  uint64_t BytesOf(uint32_t thread, uint64_t number) const;
  bool HasFailed(uint32_t thread, uint64_t number) const;
  Moment Before(uint32_t thread, uint64_t number) const;
  std::vector<KeyChange> ChangesOf(uint32_t thread, uint64_t number) const;
  // The operation before the first in the journal.
  uint64_t BaseOf(uint32_t thread) const;

  // What the key has held since, newest first, by operations up to `until`; the last is what it
  // held before the journal.
  std::vector<KeyState> Versions(uint32_t key, uint64_t until) const;

  // What was found, by key, counts from now on, and nothing else ever comes back.
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
