// The permutation of a node of the memtable's index tells which of its 15 slots are visible, and in
// which order, in one word that can be stored atomically.
//
//   nibble 0      the number of visible slots: the first ones, since slots are filled in order
//   nibble 1 + r  the slot of rank r
#ifndef BUSHSTORE_DB_MEM_PERMUTATION_H_
#define BUSHSTORE_DB_MEM_PERMUTATION_H_

#include <cassert>
#include <cstdint>

namespace leveldb {

constexpr uint64_t kEmptyPermutation = 0;

inline int CountOf(uint64_t permutation) {
  return static_cast<int>(permutation & 0xf);
}

inline int SlotOf(uint64_t permutation, int rank) {
  assert(rank >= 0 && rank < CountOf(permutation));
  return static_cast<int>((permutation >> (4 * (rank + 1))) & 0xf);
}

// Returns the slot of that rank plus one; 0 for rank -1.
inline int SlotBehind(uint64_t permutation, int rank) {
  assert(rank >= -1 && rank < CountOf(permutation));
  const uint64_t one_more_each = (permutation & ~uint64_t{0xf}) + 0x1111111111111110;
  return static_cast<int>((one_more_each >> (4 * (rank + 1))) & 0xf);
}

// Returns the permutation with the next free slot visible at `rank`. REQUIRES: there is one.
inline uint64_t WithNextSlotAt(uint64_t permutation, int rank) {
  const uint64_t count = permutation & 0xf;
  assert(count < 15);
  const int shift = 4 * (rank + 1);
  const uint64_t below = permutation & ((uint64_t{1} << shift) - 1);
  const uint64_t above = shift < 60 ? (permutation >> shift) << (shift + 4) : 0;
  return (below | (count << shift) | above) + 1;
}

// Returns a permutation in which the first `count` slots are visible in the order in which they
// were filled.
inline uint64_t PermutationInOrder(int count) {
  constexpr uint64_t kInOrder = 0xedcba98765432100;
  const uint64_t shown = ~uint64_t{0} >> (60 - 4 * count);
  return (kInOrder & shown) + static_cast<uint64_t>(count);
}

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_PERMUTATION_H_
