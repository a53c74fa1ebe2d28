// LeafBuilder: collects entries in order and puts a leaf together (node_layout.h).
#ifndef BUSHSTORE_PMEM_BPTREE_LEAF_BUILDER_H_
#define BUSHSTORE_PMEM_BPTREE_LEAF_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "pmem/bptree/node_layout.h"

namespace leveldb {

// Builds one leaf after the other. Used by one thread.
class LeafBuilder {
 public:
  // With bytewise keys, leaves have a prefix and fingerprints.
  explicit LeafBuilder(bool is_bytewise) : is_bytewise_(is_bytewise) {}

  bool empty() const { return entries_.empty(); }
  size_t count() const { return entries_.size(); }

  // Return the user key of the first and of the last entry. REQUIRES: !empty().
  Slice first_user_key() const { return KeyOf(entries_.front()); }
  Slice last_user_key() const { return KeyOf(entries_.back()); }

  // Adds an entry after all others. Returns false, without side effects, if the leaf would then
  // take more than `budget` bytes. The first entry is always added. `hash` is HashKey64 of the user
  // key if keys are bytewise.
  // REQUIRES: the value of a tombstone is empty, that of a reference has 16 bytes.
  bool Add(const ParsedKey& key, const Slice& value, uint64_t hash, size_t budget);

  // Returns the complete leaf, except for the checksum in its first four bytes, which the caller
  // fills in. The size is a multiple of kLeafUnit, and the bytes stay valid until the next call;
  // *used is set to the size without padding. Entries can then be added to the next leaf. REQUIRES:
  // !empty().
  Slice Finish(size_t* used);

 private:
  struct Entry {
    uint64_t sequence;
    size_t key_begin;  // in bytes_; the value follows the key
    uint32_t key_size;
    uint32_t value_size;
    ValueType type;
    uint8_t fingerprint;
  };

  // The quantities that determine the size of the leaf.
  struct Sums {
    size_t prefix_length = 0;
    uint64_t smallest_sequence = ~uint64_t{0};
    uint64_t largest_sequence = 0;
    uint64_t key_bytes = 0;
    uint64_t other_bytes = 0;  // values and lengths
  };

  Slice KeyOf(const Entry& entry) const {
    return Slice(bytes_.data() + entry.key_begin, entry.key_size);
  }
  void Count(const ParsedKey& key, const Slice& value, Sums* sums) const;
  uint64_t SizeOf(const Sums& sums, size_t count) const;
  char* StoreEntry(const Entry& entry, size_t trailer_width, char* p) const;

  const bool is_bytewise_;
  std::vector<Entry> entries_;
  std::vector<char> bytes_;  // keys and values, up to bytes_end_
  size_t bytes_end_ = 0;
  Sums sums_;
  std::vector<char> leaf_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_LEAF_BUILDER_H_
