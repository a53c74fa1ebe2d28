// KeyDirectory: makes searching the restart points of a block that stays in memory fast.
//
// A binary search in the block itself jumps about and pays two cache misses and a comparison at
// each step. The keys of one index block are close together, though: behind what they all begin
// with, the next eight bytes mostly tell them apart. The directory holds these as numbers, one
// after the other in a plain array, and the block is looked at only for keys whose numbers are
// equal.
//
// Every sixteenth number is kept once more, in an array of its own. Those and then the sixteen it
// leads to are compared all, not one after the other's outcome, so that their cache misses overlap.
// What the block holds for those sixteen, and the entry where it would lie if all entries were of
// one size, are asked for meanwhile.
//
// The last key of an index is left out. It is shortened to come after everything, so it often
// shares nothing with the others.
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
  // Empty: Find searches the block.
  KeyDirectory() = default;

  // Builds the directory of `block`, whose bytes must stay. It stays empty when keys are not
  // ordered by their bytes, or the block is malformed.
  void Build(const Block& block, const KeyOrder& order);

  // FindRestart over all restart points of the block, which must be the one built for.
  bool Find(const Block& block, const KeyOrder& order, const Slice& target, uint32_t* found) const;

  // Bytes of memory that it holds beside the block.
  size_t MemoryUsage() const {
    return (words_.capacity() + samples_.capacity()) * sizeof(uint64_t);
  }

 private:
  size_t FirstAtOrAfter(uint64_t word, size_t start) const;
  uint64_t WordOf(const char* body, size_t body_size) const;

  Slice prefix_;                   // what the bodies of all keys but the last begin with
  std::vector<uint64_t> words_;    // the eight bytes after that, of all keys but the last
  std::vector<uint64_t> samples_;  // the last of each whole group of words
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_KEY_DIRECTORY_H_
