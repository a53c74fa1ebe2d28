// TreeRecord: what the manifest stores about a tree: where its footer lies, the fields that prove
// that it is the right one, and the fields that a picker needs without reading the tree.
//
//   number        varint64           the tree's file number
//   footer offset varint64           pool offset of the footer (pmem/bptree/tree_meta)
//   footer bytes  varint32
//   footer crc    fixed32            CRC-32C of the footer
//   salt          fixed64            random; repeated in every extent of the tree
//   entries       varint64
//   leaf bytes    varint64           of persistent memory taken by leaves
//   user bytes    varint64           of keys and values, separated values included
//   smallest      length-prefixed    internal keys of the first
//   largest       length-prefixed    and of the last entry
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_RECORD_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_RECORD_H_

#include <cstdint>
#include <string>

#include "entry/internal_key.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

class SliceReader;

// A plain value.
struct TreeRecord {
  uint64_t number = 0;
  PoolOffset footer_offset = kNoPoolOffset;
  uint32_t footer_bytes = 0;
  uint32_t footer_crc = 0;
  uint64_t salt = 0;
  uint64_t entries = 0;
  uint64_t leaf_bytes = 0;
  uint64_t user_bytes = 0;
  InternalKey smallest;
  InternalKey largest;

  // Appends the encoded fields to *dst. REQUIRES: the keys are set.
  void EncodeTo(std::string* dst) const;

  // Reads the fields from *reader and advances it past them. Returns false if the bytes are not a
  // valid record; the contents are then unspecified.
  bool DecodeFrom(SliceReader* reader);

  // Returns "#12 [smallest .. largest] 34 entries", for logs and messages.
  std::string DebugString() const;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_RECORD_H_
