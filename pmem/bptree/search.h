// Searches within one leaf.
#ifndef BUSHSTORE_PMEM_BPTREE_SEARCH_H_
#define BUSHSTORE_PMEM_BPTREE_SEARCH_H_

#include <cstddef>
#include <cstdint>

#include "entry/internal_key.h"
#include "leveldb/slice.h"
#include "pmem/bptree/node_layout.h"

namespace leveldb {

// Sets *index to the first entry at or after the internal key of this user key and trailer, or to
// leaf.count() if there is none. Returns false if the search met a malformed entry.
bool FindInLeaf(const LeafView& leaf, const InternalKeyComparator& comparator,
                const Slice& user_key, uint64_t trailer, size_t* index);

// Finds the newest version of the user key with a sequence at or before `sequence`, by fingerprints
// where the leaf has them and keys are bytewise. `hash` is HashKey64 of the user key. Sets *found,
// and *entry if there is one. Returns false if the search met a malformed entry.
bool FindVersionInLeaf(const LeafView& leaf, const InternalKeyComparator& comparator,
                       const Slice& user_key, SequenceNumber sequence, uint64_t hash, bool* found,
                       LeafEntry* entry);

// Returns a mask whose bit i is set if p[i] is `byte`, for 16 bytes.
uint32_t MatchingBytes(const char* p, uint8_t byte);
// Does the same without processor-specific instructions.
uint32_t MatchingBytesPortable(const char* p, uint8_t byte);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_SEARCH_H_
