#include "table/filter_block.h"

#include <cassert>

#include "util/coding.h"
#include "util/prefetch.h"

namespace leveldb {

namespace {

// The distance by which filters and their offsets may lie from where they are expected.
constexpr size_t kFilterSlack = 32;

}  // namespace

void FilterBlockBuilder::StartBlock(uint64_t block_offset) {
  const uint64_t range = block_offset >> shift_;
  assert(range >= offsets_.size());
  while (offsets_.size() < range) CloseFilter();
}

void FilterBlockBuilder::AddKey(const Slice& key) {
  keys_.append(key.data(), key.size());
  key_ends_.push_back(keys_.size());
}

Slice FilterBlockBuilder::Finish() {
  if (!key_ends_.empty()) CloseFilter();
  const uint32_t array_offset = static_cast<uint32_t>(block_.size());
  for (const uint32_t offset : offsets_) AppendFixed32(&block_, offset);
  AppendFixed32(&block_, array_offset);
  block_.push_back(static_cast<char>(shift_));
  return block_;
}

size_t FilterBlockBuilder::CurrentSize() const {
  constexpr size_t kBytesPerKey = 2;
  const size_t open_filter = kBytesPerKey * (key_ends_.size() + 1) + sizeof(uint32_t);
  return block_.size() + open_filter + sizeof(uint32_t) * (offsets_.size() + 1) + 1;
}

// Ends the filter of the current range, which is empty if no key was added.
void FilterBlockBuilder::CloseFilter() {
  offsets_.push_back(static_cast<uint32_t>(block_.size()));
  if (key_ends_.empty()) return;
  slices_.clear();
  size_t start = 0;
  for (const size_t end : key_ends_) {
    slices_.emplace_back(keys_.data() + start, end - start);
    start = end;
  }
  policy_->CreateFilter(slices_.data(), static_cast<int>(slices_.size()), &block_);
  keys_.clear();
  key_ends_.clear();
}

FilterBlock::FilterBlock(const FilterPolicy* policy, const Slice& contents) {
  const size_t size = contents.size();
  if (size < 5) return;
  const int shift = static_cast<uint8_t>(contents[size - 1]);
  const uint32_t array_offset = LoadFixed32(contents.data() + size - 5);
  if (shift >= 64 || array_offset > size - 5) return;
  policy_ = policy;
  filters_ = contents.data();
  offsets_ = contents.data() + array_offset;
  count_ = (size - 5 - array_offset) / 4;
  shift_ = shift;
}

void FilterBlock::PrefetchFilter(uint64_t block, uint64_t blocks) const {
  const bool has_filter_per_block = shift_ == FilterBlockBuilder::kShortRanges;
  if (policy_ == nullptr || !has_filter_per_block || block > blocks || blocks == 0) return;
  const size_t filters_size = static_cast<size_t>(offsets_ - filters_);
  const size_t offsets_size = 4 * count_;
  PrefetchAround(offsets_, offsets_size, offsets_size * block / blocks, kFilterSlack);
  PrefetchAround(filters_, filters_size, filters_size * block / blocks, kFilterSlack);
}

bool FilterBlock::KeyMayMatch(uint64_t block_offset, const Slice& key) const {
  if (policy_ == nullptr) return true;
  const uint64_t i = block_offset >> shift_;
  if (i >= count_) return true;
  // The last filter ends at the offset of the array, which is stored directly after the array.
  const uint32_t start = LoadFixed32(offsets_ + 4 * i);
  const uint32_t end = LoadFixed32(offsets_ + 4 * i + 4);
  if (start > end || end > static_cast<size_t>(offsets_ - filters_)) return true;
  return policy_->KeyMayMatch(key, Slice(filters_ + start, end - start));
}

}  // namespace leveldb
