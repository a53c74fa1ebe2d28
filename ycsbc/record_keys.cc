#include "ycsbc/record_keys.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "util/text.h"
#include "ycsbc/mix64.h"

namespace leveldb::ycsbc {

namespace {

constexpr char kPrefix[] = "user";
constexpr size_t kPrefixSize = sizeof(kPrefix) - 1;
constexpr uint64_t kDigitsMax = 19;  // of numbers below 2^63

uint64_t CountDigits(uint64_t number) {
  uint64_t digits = 1;
  for (; number >= 10; number /= 10) ++digits;
  return digits;
}

}  // namespace

uint64_t RecordKeys::NumberOf(uint64_t record) const {
  assert(record <= kMix63Mask);
  return hashed_ ? Mix63(record) : record;
}

void RecordKeys::Format(uint64_t record, std::string* key) const {
  const uint64_t number = NumberOf(record);
  const uint64_t digits = CountDigits(number);
  key->assign(kPrefix, kPrefixSize);
  if (digits < zero_padding_) key->append(zero_padding_ - digits, '0');
  AppendNumber(key, number);
}

std::string RecordKeys::KeyOf(uint64_t record) const {
  std::string key;
  Format(record, &key);
  return key;
}

bool RecordKeys::Parse(const Slice& key, uint64_t* record) const {
  Slice rest = key;
  if (!rest.starts_with(kPrefix)) return false;
  rest.remove_prefix(kPrefixSize);
  const uint64_t width = rest.size();
  uint64_t number = 0;
  if (!ConsumeDecimal(&rest, &number) || !rest.empty() || number > kMix63Mask) return false;
  if (width != std::max(zero_padding_, CountDigits(number))) return false;
  *record = hashed_ ? Unmix63(number) : number;
  return true;
}

RecordKeys::SortKey RecordKeys::SortKeyOf(uint64_t record) const {
  const uint64_t number = NumberOf(record);
  const uint64_t width = std::max(zero_padding_, CountDigits(number));
  uint64_t digits = number;
  for (uint64_t i = width; i < kDigitsMax; ++i) digits *= 10;
  return {digits, width};
}

}  // namespace leveldb::ycsbc
