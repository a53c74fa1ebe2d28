// What db_bench knows about each key of its database: never written or deleted, written by which
// phase, or nothing. One byte a key.
//
// The ledger of a database is kept in a file inside its directory (kLedgerFileName, a name that
// the library ignores), so that a later run with --use_existing_db knows the keys. It is removed
// before the first write and written again at a clean end: a run that was killed leaves none, and
// the next one then knows nothing, which is safe.
#ifndef BUSHSTORE_BENCHMARKS_KEY_LEDGER_H_
#define BUSHSTORE_BENCHMARKS_KEY_LEDGER_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "benchmarks/key_order.h"
#include "benchmarks/value_codec.h"
#include "util/prefetch.h"

namespace leveldb::bench {

inline constexpr char kLedgerFileName[] = "db_bench.keys";

class KeyLedger {
 public:
  // A key's entry: kAbsent, kUnknown, or the generation (1 to kGenerationMax) of its value.
  using Entry = uint8_t;
  static constexpr Entry kAbsent = 0;
  static constexpr Generation kGenerationMax = 254;
  static constexpr Entry kUnknown = 255;

  // Keeps track of the keys 0 to keys - 1, all of them `entry` at first. Other keys are `entry` for
  // good; with keys = 0 and kUnknown it is a ledger that knows nothing and costs nothing.
  KeyLedger(uint64_t keys, Entry entry);

  uint64_t keys() const { return keys_; }

  // Thread-safe. A writer calls Set after the store has acknowledged the write, so a thread that
  // Get()s the new entry may demand the new value from the store.
  Entry Get(uint64_t key) const {
    return key < keys_ ? entries_[key].load(std::memory_order_acquire) : others_;
  }
  // Has the processor fetch what Get(key) will look at.
  void Prefetch(uint64_t key) const {
    if (key < keys_) PrefetchLine(&entries_[key]);
  }
  // The same for what Set(key) will change: left to Set alone, the next operation's fence or lock
  // waits for it, and the store is blamed.
  void PrefetchToSet(uint64_t key) const {
    if (key < keys_) PrefetchLineToWrite(&entries_[key]);
  }
  void Set(uint64_t key, Entry entry) {
    if (key < keys_) entries_[key].store(entry, std::memory_order_release);
  }

  // What a phase has done to all the keys that it wrote: `entry`, for the first `count` of `order`.
  struct Written {
    KeyOrder order;
    uint64_t count;
    Entry entry;
  };
  // Enters that, for phases whose keys are not asked about meanwhile. Calling Set for each of them
  // as it is written costs a cache miss and room in the cache, which the store would be blamed for.
  void Enter(Written written) {
    for (; written.count > 0; --written.count) Set(written.order.Next(), written.entry);
  }

  // The lowest key in [begin, end) that must be in the store; `end` when there is none.
  uint64_t FirstPresent(uint64_t begin, uint64_t end) const;

  // Sets every key, the untracked ones included. No other thread may use the ledger meanwhile.
  void Reset(Entry entry);

  // Begins the next writing phase and returns its generation; the same restriction.
  Generation NextGeneration();

  // Writes the ledger to `path`. Returns what went wrong in words, or "" on success.
  std::string Save(const std::string& path, uint64_t key_prefix) const;

  // Takes over a saved ledger; the restriction of Reset(). Returns "" on success or when no such
  // file exists, which leaves the ledger as it was. What goes wrong is returned in words: the file
  // is damaged, or its keys have another prefix than `key_prefix`.
  std::string Load(const std::string& path, uint64_t key_prefix);

 private:
  using Entries = std::unique_ptr<std::atomic<Entry>[]>;

  uint64_t keys_;
  Entry others_;
  Generation generation_ = 0;
  Entries entries_;
};

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_KEY_LEDGER_H_
