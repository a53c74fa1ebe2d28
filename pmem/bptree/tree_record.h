// What the manifest says of a tree: where its fence block lies, what proves that it is the right
// one, and what a picker wants to know without looking into it.
//
//   number        varint64           the tree's file number
//   fence place   varint64           of the first byte of the fence block (pmem/bptree/tree_meta)
//   fence bytes   varint32
//   fence crc     fixed32            CRC-32C of the fence block
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

  // Reads the fields from *reader and leaves it behind them. Returns false for bytes that no tree's
  // record consists of; the contents are then unspecified.
  bool DecodeFrom(SliceReader* reader);

  // "#12 [smallest..largest] entries", for logs and messages.
  std::string DebugString() const;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_RECORD_H_
