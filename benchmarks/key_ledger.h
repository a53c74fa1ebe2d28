// KeyLedger records what db_bench knows about each key of its database: never written or deleted,
// written by which phase, or nothing. It takes one byte per key.
//
// The ledger of a database is kept in a file inside its directory (kLedgerFileName, a name that the
// library ignores), so that a later run with --use_existing_db knows the keys. It is removed before
// the first write and written again at a clean end: a run that was killed leaves none, and the next
// one then knows nothing, which is safe.
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

  // Keeps track of the keys 0 to keys - 1, all of them `entry` at first. Other keys always have
  // `entry`; with keys = 0 and kUnknown the ledger knows nothing and costs nothing.
  KeyLedger(uint64_t keys, Entry entry);

  uint64_t keys() const { return keys_; }

  // Thread-safe. A writer calls Set after the store has acknowledged the write, so a thread whose
  // Get() returns the new entry must find the new value in the store.
  Entry Get(uint64_t key) const {
    return key < keys_ ? entries_[key].load(std::memory_order_acquire) : others_;
  }
  // Prefetches the line that Get(key) reads.
  void Prefetch(uint64_t key) const {
    if (key < keys_) PrefetchLine(&entries_[key]);
  }
  // Prefetches the line that Set(key) writes: without it, the next operation's fence or lock would
  // wait for the line, and the wait would be counted as the store's.
  void PrefetchToSet(uint64_t key) const {
    if (key < keys_) PrefetchLineToWrite(&entries_[key]);
  }
  void Set(uint64_t key, Entry entry) {
    if (key < keys_) entries_[key].store(entry, std::memory_order_release);
  }

  // Written describes all keys that a phase has written: `entry`, for the first `count` of `order`.
  struct Written {
    KeyOrder order;
    uint64_t count;
    Entry entry;
  };
  // Records these writes, for phases whose keys are not read meanwhile. A Set for each key as it is
  // written would cost a cache miss and space in the cache, which would be counted as the store's
  // time.
  void Enter(Written written) {
    for (; written.count > 0; --written.count) Set(written.order.Next(), written.entry);
  }

  // Returns the lowest key in [begin, end) that must be in the store; `end` if there is none.
  uint64_t FirstPresent(uint64_t begin, uint64_t end) const;

  // Sets every key, the untracked ones included. No other thread may use the ledger at the same
  // time.
  void Reset(Entry entry);

  // Begins the next writing phase and returns its generation. No other thread may use the ledger at
  // the same time.
  Generation NextGeneration();

  // Writes the ledger to `path`. Returns an error as text, or "" on success.
  std::string Save(const std::string& path, uint64_t key_prefix) const;

  // Loads a saved ledger. No other thread may use the ledger at the same time. Returns "" on
  // success, or if the file does not exist, which leaves the ledger unchanged. Otherwise returns an
  // error as text: the file is damaged, or its keys have another prefix than `key_prefix`.
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
