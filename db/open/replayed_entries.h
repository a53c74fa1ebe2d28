// The entries of all logs that are replayed, in the order in which they were written, until they
// are put into a memtable in the order of their keys.
//
//   entries -> digests of their keys -> sorted byte by byte (a radix sort; LSD, as in Knuth's third
//     volume, 5.2.5) -> keys with one digest compared -> into a memtable; of many, half of them
//     into each of its parts
//
// A memtable takes entries in their order several times as fast as in any other.
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

  // Both slices have to stay until Fill is done.
  void Add(SequenceNumber sequence, ValueType type, const Slice& key, const Slice& value);

  // Gives up all but the first `size`. REQUIRES: there are so many.
  void Truncate(size_t size);

  // The places of entries, of which the first one's is 0, in the order of internal keys.
  std::vector<uint32_t> Order(const InternalKeyComparator& comparator) const;

  // Puts all of them into *memtable, which is empty and nobody else's yet. If there are many, and
  // the machine has more than one processor, a second thread fills the second part meanwhile.
  void Fill(MemTable* memtable) const;

  // The same where the caller decides that. If the system has no thread to give, one part is used.
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

  // In pieces, so that what is there stays where it is when more comes.
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
