// KeyDirectory: makes searches of the restart points of a block that stays in memory fast.
//
// A binary search in the block itself costs two cache misses and a comparison at each step. The
// keys of one index block are close together, though: after their common prefix, the next eight
// bytes mostly distinguish them. The directory holds these as numbers in a plain array, and the
// block is read only for keys whose numbers are equal.
//
// Every sixteenth number is also kept in an array of its own. A search compares these numbers, and
// then all sixteen of the group found, without branches on the outcomes, so that their cache misses
// overlap. Meanwhile it prefetches the restart points of that group, and the entry at the position
// that it would have if all entries had the same size.
//
// The last key of an index is left out: it is shortened to come after all keys, so it often shares
// no prefix with the others.
#ifndef BUSHSTORE_TABLE_KEY_DIRECTORY_H_
#define BUSHSTORE_TABLE_KEY_DIRECTORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "iterator/key_order.h"
#include "leveldb/slice.h"
#include "table/block.h"

namespace leveldb {

// Safe to share once built.
class KeyDirectory {
 public:
  // Is empty: Find searches the block.
  KeyDirectory() = default;

  // Builds the directory of `block`, whose bytes must stay valid. It stays empty if keys are not
  // ordered by their bytes, or the block is malformed.
  void Build(const Block& block, const KeyOrder& order);

  // Does the same as FindRestart over all restart points of the block that the directory was built
  // for.
  bool Find(const Block& block, const KeyOrder& order, const Slice& target, uint32_t* found) const;

  // Returns the memory used besides the block, in bytes.
  size_t MemoryUsage() const {
    return (words_.capacity() + samples_.capacity()) * sizeof(uint64_t);
  }

 private:
  size_t FirstAtOrAfter(uint64_t word, size_t start) const;
  uint64_t WordOf(const char* body, size_t body_size) const;

  Slice prefix_;                   // shared by the bodies of all keys but the last
  std::vector<uint64_t> words_;    // the eight bytes after that, of all keys but the last
  std::vector<uint64_t> samples_;  // the last of each whole group of words
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_KEY_DIRECTORY_H_
