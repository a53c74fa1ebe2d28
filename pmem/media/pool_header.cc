#include "pmem/media/pool_header.h"

#include <cstdint>
#include <cstring>

#include "util/coding.h"

namespace leveldb {

namespace {

constexpr char kSignature[] = "PMEMOBJ";
constexpr size_t kCompatibleAt = 12;
constexpr size_t kIncompatibleAt = 16;
constexpr size_t kHeaderSumAt = PoolHeader::kBytes - sizeof(uint64_t);
constexpr size_t kShortSumEnd = 2048;

constexpr uint32_t kRefusesBadBlocks = 1;
constexpr uint32_t kHasShortSum = 2;
constexpr uint32_t kHasShutdownState = 4;

// Returns the sum that a header has with these features, instead of those that it names.
uint64_t SumWith(const std::string& header, uint32_t compatible, uint32_t incompatible) {
  const size_t end = (incompatible & kHasShortSum) != 0 ? kShortSumEnd : kHeaderSumAt;
  uint32_t low = 0;
  uint32_t high = 0;
  for (size_t at = 0; at < PoolHeader::kBytes; at += sizeof(uint32_t)) {
    uint32_t word = at < end ? LoadFixed32(header.data() + at) : 0;
    if (at == kCompatibleAt) word = compatible;
    if (at == kIncompatibleAt) word = incompatible;
    low += word;
    high += low;
  }
  return uint64_t{high} << 32 | low;
}

}  // namespace

// The two words of features and the sum reach the medium one by one and in any order. So after a
// power failure the sum is that of the old features or of the new ones, with any mixture of feature
// words.
std::string PoolHeader::WithoutRefusals(const std::string& header) {
  if (header.size() != kBytes || memcmp(header.data(), kSignature, sizeof(kSignature)) != 0) {
    return "";
  }
  const uint32_t compatible = LoadFixed32(header.data() + kCompatibleAt) & ~kRefusesBadBlocks;
  const uint32_t incompatible = LoadFixed32(header.data() + kIncompatibleAt) & ~kHasShutdownState;
  const uint64_t sum = LoadFixed64(header.data() + kHeaderSumAt);
  bool is_sound = false;
  for (const uint32_t refuses : {uint32_t{0}, kRefusesBadBlocks}) {
    for (const uint32_t state : {uint32_t{0}, kHasShutdownState}) {
      is_sound |= SumWith(header, compatible | refuses, incompatible | state) == sum;
    }
  }
  if (!is_sound) return "";
  std::string changed = header;
  StoreFixed32(changed.data() + kCompatibleAt, compatible);
  StoreFixed32(changed.data() + kIncompatibleAt, incompatible);
  StoreFixed64(changed.data() + kHeaderSumAt, SumWith(header, compatible, incompatible));
  return changed == header ? "" : changed;
}

Status PoolHeader::TurnOffRefusals() const {
  if (file_->bytes() < kBytes) return Status::OK();
  std::string header(kBytes, '\0');
  size_t filled;
  Status s = file_->Read(0, kBytes, header.data(), &filled);
  if (!s.ok() || filled < kBytes) return s;
  const std::string changed = WithoutRefusals(header);
  return changed.empty() ? s : file_->Write(0, changed.data(), changed.size());
}

}  // namespace leveldb
