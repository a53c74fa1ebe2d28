// The filter block: small filters that tell which data blocks cannot hold a key.
//
//   filter 0 | filter 1 | ... | offset of each filter (fixed32) | offset of that array (fixed32)
//   | shift (1 byte)
//
// Filter i covers the data blocks that begin at file offsets [i << shift, (i + 1) << shift). Two
// equal offsets are an empty filter.
//
// LevelDB builds filters with shift 11. With values of 1 KiB each then covers four keys or so, in
// 64 bits. The hash of LevelDB's Bloom filter agrees in its low bits for keys that differ in their
// last characters only, as neighbours do, and the remainder by 64 is these bits: of numbers in
// decimal digits that are not there, four out of five pass such a filter. Each costs a device read
// where data exceed memory. There, databases build filters over long ranges, which every LevelDB
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

  // The keys that follow belong to a data block at this offset; offsets never decrease.
  void StartBlock(uint64_t block_offset);

  // The bytes are copied.
  void AddKey(const Slice& key);

  // Returns the whole block; it stays as long as the builder.
  Slice Finish();

  // How long that will be, about: how long the policy makes the open filter is not known yet.
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

// Asks the filters of a table. The default lets every key pass. Safe to share.
class FilterBlock {
 public:
  FilterBlock() = default;

  // A block that cannot be understood lets every key pass. The bytes and `policy`, which must be
  // the one that the block was built with, must stay.
  FilterBlock(const FilterPolicy* policy, const Slice& contents);

  // Whether there is anything to ask.
  bool usable() const { return policy_ != nullptr; }

  // Asks for what KeyMayMatch reads for data block `block` of `blocks`, where that lies if all of
  // them and their filters are equally long. Does nothing where filters cover long ranges.
  void PrefetchFilter(uint64_t block, uint64_t blocks) const;

  // False only when no data block at this offset was built with `key`.
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
