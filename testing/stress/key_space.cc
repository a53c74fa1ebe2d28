#include "testing/stress/key_space.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "testing/comparators.h"
#include "testing/dice.h"

namespace leveldb {
namespace testkit {

namespace {

std::string Lowered(std::string text) {
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

// Draws a prefix and appends the number, which makes the key different from all others.
std::string DrawKey(Dice* dice, uint32_t number) {
  char digits[16];
  std::snprintf(digits, sizeof(digits), "%06u", number);
  switch (dice->Below(5)) {
    case 0:
      return digits;
    case 1:
      return "common/prefix/of/many/" + std::string(digits);
    case 2:
      return dice->Bytes(dice->Below(8)) + digits;
    case 3:
      return dice->Text(dice->Between(1, 40)) + digits;
    default:
      return std::string(dice->Below(200), 'p') + digits;
  }
}

}  // namespace

const Comparator* ComparatorOf(KeyOrder order) {
  switch (order) {
    case KeyOrder::kReverse:
      return ReverseComparator();
    case KeyOrder::kCaseInsensitive:
      return CaseInsensitiveComparator();
    case KeyOrder::kBytewise:
      break;
  }
  return BytewiseComparator();
}

KeySpace::KeySpace(uint64_t seed, uint32_t count, KeyOrder order) : order_(order) {
  Dice dice(seed);
  for (uint32_t key = 0; key < count; ++key) {
    std::string spelling = DrawKey(&dice, key);
    if (order == KeyOrder::kCaseInsensitive) {
      spelling = Lowered(std::move(spelling));
    }
    numbers_[spelling] = key;
    spellings_.push_back(std::move(spelling));
    ordered_.push_back(key);
  }
  std::sort(ordered_.begin(), ordered_.end(), [this](uint32_t a, uint32_t b) {
    return comparator()->Compare(spellings_[a], spellings_[b]) < 0;
  });
  ranks_.resize(count);
  for (uint32_t rank = 0; rank < count; ++rank) {
    ranks_[ordered_[rank]] = rank;
  }
}

std::string KeySpace::Spell(uint32_t key, uint64_t variant) const {
  std::string spelling = spellings_[key];
  if (order_ == KeyOrder::kCaseInsensitive) {
    for (size_t i = 0; i < spelling.size(); ++i) {
      const bool raised = (variant >> (i % 64) & 1) != 0;
      if (raised && spelling[i] >= 'a' && spelling[i] <= 'z') {
        spelling[i] = static_cast<char>(spelling[i] - 'a' + 'A');
      }
    }
  }
  return spelling;
}

bool KeySpace::Find(const Slice& bytes, uint32_t* key) const {
  std::string spelling = bytes.ToString();
  if (order_ == KeyOrder::kCaseInsensitive) {
    spelling = Lowered(std::move(spelling));
  }
  const auto found = numbers_.find(spelling);
  if (found == numbers_.end()) {
    return false;
  }
  *key = found->second;
  return true;
}

std::string MakeValue(uint32_t key, uint64_t number, uint32_t size) {
  std::string value(kValueSizeMin, '\0');
  std::memcpy(value.data(), &number, sizeof(number));
  std::memcpy(value.data() + sizeof(number), &key, sizeof(key));
  // Writes eight bytes at a time, since values are made again to be compared. Half of them
  // compress.
  Dice dice(number * 0x10001 + key);
  const bool compresses = dice.OneIn(2);
  uint64_t word = dice.Next();
  value.resize(size);
  for (size_t at = kValueSizeMin; at < size; at += sizeof(word)) {
    std::memcpy(value.data() + at, &word, std::min(sizeof(word), size - at));
    word = compresses && at % 64 != 0 ? word : dice.Next();
  }
  return value;
}

bool ReadValue(uint32_t key, const Slice& value, uint64_t* number) {
  if (value.size() < kValueSizeMin) {
    return false;
  }
  std::memcpy(number, value.data(), sizeof(*number));
  return value == MakeValue(key, *number, static_cast<uint32_t>(value.size()));
}

}  // namespace testkit
}  // namespace leveldb
