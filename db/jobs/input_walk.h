// Walks through the merged inputs of a job, entry by entry.
#ifndef BUSHSTORE_DB_JOBS_INPUT_WALK_H_
#define BUSHSTORE_DB_JOBS_INPUT_WALK_H_

#include <cstddef>
#include <cstdint>
#include <thread>

#include "db/jobs/visibility_rule.h"
#include "db/state/db_state.h"
#include "leveldb/iterator.h"
#include "leveldb/status.h"
#include "util/text.h"

namespace leveldb {

// Returns the error with which a job stops when the database closes.
inline Status ClosingError() {
  return Status::IOError("job stopped", "the database is closing");
}

// Tells a walk when it has processed so many bytes that it should check for other work.
class WalkInterval {
 public:
  // Counts one more entry. Returns whether a check is due.
  bool IsDue(const Slice& key, const Slice& value) {
    since_look_ += kBytesPerEntry + key.size() + value.size();
    if (since_look_ < kBytesBetweenLooks) return false;
    since_look_ = 0;
    return true;
  }

 private:
  static constexpr size_t kBytesBetweenLooks = size_t{64} << 10;
  static constexpr size_t kBytesPerEntry = 256;  // it costs time even if it is empty

  size_t since_look_ = 0;
};

// Hands every entry of `input` that `visibility_rule` does not leave out (null: all) to `output`,
// which must have
//
//   Status Add(const Slice& key, const Slice& value);
//   Slice last_key() const;     // of the entry added last; empty before the first
//   Status status() const;      // the first error of its writes, as early as it is known
//   kChecksOrder                // whether Add refuses a key that is not after all keys added
//
// Calls `yield` periodically with the number of entries walked so far; `yield` may run a flush.
// Yields its processor to writers when one of them holds up the others. Returns early on an error,
// or when the database is closing.
//
// The check of the order detects damage that no checksum reveals: the cache may hold a block that
// was read without verification. If such keys were written, the result would be a table or a tree
// in which keys cannot be found.
template <typename Yield, typename Output>
Status WalkInput(DbState* state, Iterator* input, VisibilityRule* visibility_rule,
                 const Yield& yield, Output* output) {
  WalkInterval interval;
  uint64_t entries = 0;
  for (input->SeekToFirst(); input->Valid(); input->Next(), entries++) {
    const Slice key = input->key();
    const Slice value = input->value();
    if (interval.IsDue(key, value)) {
      if (state->closing.load(std::memory_order_acquire)) return ClosingError();
      const Status status = output->status();
      if (!status.ok()) return status;
      yield(entries);
      if (state->pressure.waiting.for_turns.load(std::memory_order_relaxed) > 0) {
        std::this_thread::yield();
      }
    }
    const bool is_dropped = visibility_rule != nullptr && visibility_rule->ShouldDrop(key);
    if (is_dropped || !Output::kChecksOrder) {
      const Slice last_key = output->last_key();
      if (!last_key.empty() && state->comparator().Compare(key, last_key) <= 0) {
        return Status::Corruption("inputs of a job are out of order at",
                                  Escaped(ExtractUserKey(key)));
      }
    }
    if (is_dropped) continue;
    const Status status = output->Add(key, value);
    if (!status.ok()) return status;
  }
  return input->status();
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_JOBS_INPUT_WALK_H_
