// Collects the entries of all replayed logs, in the order in which they were written, and then puts
// them into a memtable in the order of their keys.
//
//   entries -> digests of their keys -> sorted byte by byte (a radix sort; LSD, as in Knuth's third
//     volume, 5.2.5) -> keys with equal digests compared -> into a memtable; if there are many,
//     half of them into each of its parts
//
// A memtable takes entries in sorted order several times as fast as in any other order.
#ifndef BUSHSTORE_DB_OPEN_REPLAYED_ENTRIES_H_
#define BUSHSTORE_DB_OPEN_REPLAYED_ENTRIES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "db/mem/memtable.h"
#include "entry/internal_key.h"
#include "leveldb/slice.h"

namespace leveldb {

// Used by one thread.
class ReplayedEntries {
 public:
  size_t size() const { return digests_.size(); }
  bool empty() const { return digests_.empty(); }

  // Adds an entry. Both slices must stay valid until Fill returns.
  void Add(SequenceNumber sequence, ValueType type, const Slice& key, const Slice& value);

  // Drops all but the first `size` entries. REQUIRES: there are at least that many.
  void Truncate(size_t size);

  // Returns the indexes of the entries, beginning at 0, in the order of internal keys.
  std::vector<uint32_t> Order(const InternalKeyComparator& comparator) const;

  // Puts all entries into *memtable, which must be empty and not shared yet. If there are many, and
  // the machine has more than one processor, a second thread fills the second part concurrently.
  void Fill(MemTable* memtable) const;

  // Like the above, but the caller decides about the thread. If the system cannot start a thread,
  // one part is used.
  void Fill(bool with_thread, MemTable* memtable) const;

 private:
  struct alignas(32) Entry {
    uint64_t trailer;
    const char* key;
    const char* value;
    uint32_t key_size;
    uint32_t value_size;

    Slice Key() const { return Slice(key, key_size); }
    Slice Value() const { return Slice(value, value_size); }
  };

  // Allocated in pieces, so that existing entries stay where they are when more are added.
  static constexpr size_t kPieceEntries = 1 << 15;
  using Piece = std::unique_ptr<Entry[]>;

  const Entry& At(size_t index) const {
    return pieces_[index / kPieceEntries][index % kPieceEntries];
  }
  std::vector<uint32_t> OrderOfBytes() const;
  void FillPart(const std::vector<uint32_t>& order, size_t begin, size_t end, size_t part,
                MemTable* memtable) const;

  std::vector<Piece> pieces_;
  size_t shared_prefix_ = 0;  // bytes that the keys of all entries begin with
  // Digests of the bytes after that prefix, or, before digests_[digested_], after a longer one.
  std::vector<uint64_t> digests_;
  size_t digested_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_REPLAYED_ENTRIES_H_
