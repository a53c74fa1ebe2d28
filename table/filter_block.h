// The filter block: filters that tell which data blocks cannot hold a key.
//
//   filter 0 | filter 1 | ... | offset of each filter (fixed32) | offset of that array (fixed32)
//   | shift (1 byte)
//
// Filter i covers the data blocks that begin at file offsets [i << shift, (i + 1) << shift). Two
// equal offsets mean an empty filter.
//
// LevelDB builds filters with shift 11. With values of 1 KiB each filter then covers about four
// keys, in 64 bits. The hashes of LevelDB's Bloom filter agree in their low bits for keys that
// differ only in their last characters, as neighbours do, and the remainder modulo 64 consists of
// these bits: of absent keys that are decimal numbers, four out of five pass such a filter. Each of
// them costs a device read where data exceed memory. There, databases build filters over long
// ranges, which every LevelDB can read.
// reads.
#ifndef BUSHSTORE_TABLE_FILTER_BLOCK_H_
#define BUSHSTORE_TABLE_FILTER_BLOCK_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "leveldb/filter_policy.h"
#include "leveldb/slice.h"

namespace leveldb {

// Builds the filter block of a table: (StartBlock AddKey*)* Finish. Needs exclusive access.
class FilterBlockBuilder {
 public:
  static constexpr int kShortRanges = 11;  // LevelDB's
  static constexpr int kLongRanges = 22;   // a table of the usual size has one

  // `policy` is not owned and must outlive the builder. `shift` is one of the above.
  FilterBlockBuilder(const FilterPolicy* policy, int shift) : policy_(policy), shift_(shift) {}

  // Starts a data block at this offset, to which the keys that follow belong; offsets never
  // decrease.
  void StartBlock(uint64_t block_offset);

  // Adds a key; copies its bytes.
  void AddKey(const Slice& key);

  // Returns the whole block; it stays valid as long as the builder.
  Slice Finish();

  // Estimates the size of the block that Finish would return: the size that the policy makes the
  // open filter is not known yet.
  size_t CurrentSize() const;

 private:
  void CloseFilter();

  const FilterPolicy* const policy_;
  const int shift_;
  std::string keys_;  // of the open filter, one after the other
  std::vector<size_t> key_ends_;
  std::vector<Slice> slices_;  // kept for its memory
  std::string block_;          // the filters closed so far
  std::vector<uint32_t> offsets_;
};

// Reads the filters of a table. The default lets every key pass. Safe to share.
class FilterBlock {
 public:
  FilterBlock() = default;

  // Reads `contents`; lets every key pass if they are malformed. The bytes and `policy`, which must
  // be the one that the block was built with, must outlive the object.
  FilterBlock(const FilterPolicy* policy, const Slice& contents);

  // Returns whether there are filters.
  bool usable() const { return policy_ != nullptr; }

  // Prefetches what KeyMayMatch reads for data block `block` of `blocks`, on the assumption that
  // all of them and their filters are equally long. Does nothing where filters cover long ranges.
  void PrefetchFilter(uint64_t block, uint64_t blocks) const;

  // Returns false only if no data block at this offset was built with `key`.
  bool KeyMayMatch(uint64_t block_offset, const Slice& key) const;

 private:
  const FilterPolicy* policy_ = nullptr;
  const char* filters_ = nullptr;
  const char* offsets_ = nullptr;  // where the filters end and their offsets begin
  size_t count_ = 0;
  int shift_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_FILTER_BLOCK_H_
