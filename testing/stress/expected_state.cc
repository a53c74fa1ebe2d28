#include "testing/stress/expected_state.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstdlib>

namespace leveldb {
namespace testkit {

namespace {

constexpr uint64_t kOperationsMax = 1 << 14;  // in the journal of a thread
constexpr uint64_t kChangesMax = 1 << 16;
constexpr size_t kHeaderBytes = 4096;

enum Outcome : uint32_t { kUnderWay, kDone, kFailed };

}  // namespace

// Fields that are written while others read are atomic; the file is all zeros at first, as are
// they.
struct ExpectedState::Thread {
  uint64_t base;
  std::atomic<uint64_t> begun;
  std::atomic<uint64_t> returned;
  uint64_t changes;  // in the journal
};

struct ExpectedState::Key {
  uint64_t base_number;
  uint32_t base_size;
  std::atomic<uint32_t> newest;  // 1 + index of the newest change in the owner's journal; 0: none
};

struct ExpectedState::Operation {
  std::atomic<uint32_t> outcome;
  uint32_t count;
  uint64_t first_change;
  uint64_t bytes;
  Moment before;
};

struct ExpectedState::Change {
  uint64_t number;
  uint32_t key;
  uint32_t size;
  uint32_t older;  // 1 + index of the change of the same key before it; 0: none
};

ExpectedState::ExpectedState(const std::string& path, uint32_t threads, uint32_t keys_per_thread)
    : threads_(threads), keys_per_thread_(keys_per_thread) {
  assert(threads <= kStressThreadsMax);
  bytes_ = kHeaderBytes + sizeof(Key) * keys() +
           threads * (sizeof(Operation) * kOperationsMax + sizeof(Change) * kChangesMax);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes_)) != 0) {
    std::perror(path.c_str());
    std::exit(2);
  }
  void* const memory = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) {
    std::perror(path.c_str());
    std::exit(2);
  }
  memory_ = static_cast<char*>(memory);
  for (uint32_t key = 0; key < keys(); ++key) {
    key_at(key)->base_size = kAbsent;
  }
}

ExpectedState::~ExpectedState() {
  ::munmap(memory_, bytes_);
}

ExpectedState::Thread* ExpectedState::thread_at(uint32_t thread) const {
  static_assert(sizeof(Thread) * kStressThreadsMax <= kHeaderBytes);
  return reinterpret_cast<Thread*>(memory_) + thread;
}

ExpectedState::Key* ExpectedState::key_at(uint32_t key) const {
  return reinterpret_cast<Key*>(memory_ + kHeaderBytes) + key;
}

ExpectedState::Operation* ExpectedState::operation_at(uint32_t thread, uint64_t number) const {
  char* const all = memory_ + kHeaderBytes + sizeof(Key) * keys();
  const uint64_t index = number - thread_at(thread)->base - 1;
  assert(index < kOperationsMax);
  return reinterpret_cast<Operation*>(all) + thread * kOperationsMax + index;
}

ExpectedState::Change* ExpectedState::change_at(uint32_t thread, uint64_t index) const {
  char* const all =
      memory_ + kHeaderBytes + sizeof(Key) * keys() + threads_ * sizeof(Operation) * kOperationsMax;
  assert(index < kChangesMax);
  return reinterpret_cast<Change*>(all) + thread * kChangesMax + index;
}

bool ExpectedState::HasRoom(uint32_t thread, size_t changes) const {
  const Thread* const own = thread_at(thread);
  return own->begun.load() - own->base < kOperationsMax && own->changes + changes <= kChangesMax;
}

uint64_t ExpectedState::NextNumber(uint32_t thread) const {
  return thread_at(thread)->begun.load() + 1;
}

uint64_t ExpectedState::Begin(uint32_t thread, const std::vector<KeyChange>& changes,
                              uint64_t bytes) {
  assert(HasRoom(thread, changes.size()));
  Thread* const own = thread_at(thread);
  const uint64_t number = NextNumber(thread);
  Operation* const operation = operation_at(thread, number);
  operation->outcome = kUnderWay;
  operation->count = static_cast<uint32_t>(changes.size());
  operation->first_change = own->changes;
  operation->bytes = bytes;
  operation->before = Returned();
  for (const KeyChange& change : changes) {
    assert(OwnerOf(change.key) == thread);
    Key* const key = key_at(change.key);
    Change* const noted = change_at(thread, own->changes++);
    *noted = Change{number, change.key, change.size, key->newest.load()};
    key->newest = static_cast<uint32_t>(own->changes);
  }
  own->begun = number;
  return number;
}

void ExpectedState::End(uint32_t thread, bool ok) {
  Thread* const own = thread_at(thread);
  const uint64_t number = own->begun.load();
  operation_at(thread, number)->outcome = ok ? kDone : kFailed;
  own->returned = number;
}

Moment ExpectedState::Begun() const {
  Moment moment = {};
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    moment[thread] = thread_at(thread)->begun.load();
  }
  return moment;
}

Moment ExpectedState::Returned() const {
  Moment moment = {};
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    moment[thread] = thread_at(thread)->returned.load();
  }
  return moment;
}

uint64_t ExpectedState::BytesOf(uint32_t thread, uint64_t number) const {
  return operation_at(thread, number)->bytes;
}

bool ExpectedState::HasFailed(uint32_t thread, uint64_t number) const {
  return operation_at(thread, number)->outcome.load() == kFailed;
}

Moment ExpectedState::Before(uint32_t thread, uint64_t number) const {
  return operation_at(thread, number)->before;
}

std::vector<KeyChange> ExpectedState::ChangesOf(uint32_t thread, uint64_t number) const {
  const Operation* const operation = operation_at(thread, number);
  std::vector<KeyChange> changes;
  for (uint32_t i = 0; i < operation->count; ++i) {
    const Change* const change = change_at(thread, operation->first_change + i);
    changes.push_back(KeyChange{change->key, change->size});
  }
  return changes;
}

uint64_t ExpectedState::BaseOf(uint32_t thread) const {
  return thread_at(thread)->base;
}

std::vector<KeyState> ExpectedState::Versions(uint32_t key, uint64_t until) const {
  const uint32_t owner = OwnerOf(key);
  const Key* const known = key_at(key);
  std::vector<KeyState> versions;
  for (uint32_t next = known->newest.load(); next != 0;) {
    const Change* const change = change_at(owner, next - 1);
    if (change->number <= until) {
      versions.push_back(KeyState{change->number, change->size, HasFailed(owner, change->number)});
    }
    next = change->older;
  }
  versions.push_back(KeyState{known->base_number, known->base_size, false});
  return versions;
}

void ExpectedState::Settle(const std::vector<KeyState>& found) {
  for (uint32_t key = 0; key < keys(); ++key) {
    Key* const known = key_at(key);
    known->base_number = found[key].number;
    known->base_size = found[key].size;
    known->newest = 0;
  }
  for (uint32_t thread = 0; thread < threads_; ++thread) {
    Thread* const own = thread_at(thread);
    own->base = own->begun.load();
    own->returned = own->base;
    own->changes = 0;
  }
}

}  // namespace testkit
}  // namespace leveldb
