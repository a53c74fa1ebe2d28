#include "testing/vm/numbered_writes.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "testing/dice.h"

namespace leveldb {
namespace testkit {

NumberedWrites::NumberedWrites(uint64_t seed, int thread)
    : seed_(Dice(seed + static_cast<uint64_t>(thread)).Next()),
      prefix_(std::string(1, static_cast<char>('a' + thread)) + "/"),
      found_(kKeys, 0) {}

// A key is at most once in a write, so that a key and a number determine a value.
std::vector<NumberedWrites::Edit> NumberedWrites::Edits(uint64_t number) const {
  Dice dice(seed_ ^ Dice(number).Next());
  const uint64_t count = dice.OneIn(8) ? dice.Between(2, 12) : 1;
  std::vector<Edit> edits;
  uint32_t key = static_cast<uint32_t>(dice.Below(kKeys));
  for (uint64_t i = 0; i < count; ++i) {
    Edit edit;
    edit.key = key;
    edit.is_put = !dice.OneIn(6);
    const uint64_t kind = dice.Below(20);
    edit.value_size = static_cast<uint32_t>(kind < 12   ? dice.Between(20, 200)
                                            : kind < 19 ? dice.Between(300, 3000)
                                                        : dice.Between(4000, 20000));
    edits.push_back(edit);
    key = (key + 1 + static_cast<uint32_t>(dice.Below(kKeys / 16))) % kKeys;
  }
  return edits;
}

std::string NumberedWrites::Key(uint32_t key) const {
  char digits[16];
  std::snprintf(digits, sizeof(digits), "%05u", key);
  return prefix_ + digits;
}

std::string NumberedWrites::Value(uint64_t number, const Edit& edit) const {
  Dice dice(seed_ + number * kKeys + edit.key);
  return std::to_string(number) + " " + dice.Text(edit.value_size);
}

WriteBatch NumberedWrites::Batch(uint64_t number) const {
  WriteBatch batch;
  for (const Edit& edit : Edits(number)) {
    if (edit.is_put) {
      batch.Put(Key(edit.key), Value(number, edit));
    } else {
      batch.Delete(Key(edit.key));
    }
  }
  return batch;
}

bool NumberedWrites::IsOwnKey(const std::string& key) const {
  return key.compare(0, prefix_.size(), prefix_) == 0;
}

std::string NumberedWrites::Found(const std::string& key, const std::string& value,
                                  uint64_t begun) {
  const uint64_t index = std::strtoull(key.c_str() + prefix_.size(), nullptr, 10);
  if (index >= kKeys || key != Key(static_cast<uint32_t>(index))) {
    return "wrong: the key " + key + " was never written";
  }
  const uint64_t number = std::strtoull(value.c_str(), nullptr, 10);
  if (number < 1 || number > begun) {
    return "wrong: the value of " + key + " is of no write that was begun: " + value.substr(0, 40);
  }
  for (const Edit& edit : Edits(number)) {
    if (edit.key == index && edit.is_put) {
      found_[index] = number;
      return value == Value(number, edit) ? ""
                                          : "wrong: the value of " + key + " is not what write " +
                                                std::to_string(number) + " put";
    }
  }
  return "wrong: write " + std::to_string(number) + " has not put " + key;
}

bool NumberedWrites::FindNumber(uint64_t durable, uint64_t begun, uint64_t* number,
                                std::string* report) const {
  State state(kKeys, 0);
  State at_durable;
  uint32_t differences = 0;
  for (const uint64_t found : found_) {
    differences += found != 0 ? 1 : 0;
  }
  bool is_found = false;
  for (uint64_t n = 0; n <= begun; ++n) {
    if (n > 0) {
      for (const Edit& edit : Edits(n)) {
        const uint64_t before = state[edit.key];
        const uint64_t after = edit.is_put ? n : 0;
        differences -= before != found_[edit.key] ? 1 : 0;
        differences += after != found_[edit.key] ? 1 : 0;
        state[edit.key] = after;
      }
    }
    if (n == durable) {
      at_durable = state;
    }
    if (n >= durable && differences == 0) {
      *number = n;
      is_found = true;
    }
  }
  if (!is_found) {
    ReportDifferences(at_durable, durable, report);
  }
  return is_found;
}

void NumberedWrites::ReportDifferences(const State& expected, uint64_t durable,
                                       std::string* report) const {
  constexpr int kLinesMax = 8;
  int lines = 0;
  for (uint32_t key = 0; key < kKeys && lines < kLinesMax; ++key) {
    const uint64_t found = found_[key];
    if (found == expected[key] || found > durable) {
      continue;  // as expected, or from a later write
    }
    ++lines;
    *report += (found != 0 && found < expected[key] ? "lost: " : "wrong: ") + Key(key) +
               " holds write " + std::to_string(found) + ", and write " +
               std::to_string(expected[key]) + " was acknowledged as durable (0: none)\n";
  }
  if (lines == 0) {
    *report += "wrong: the keys of " + prefix_ +
               " hold no prefix of the writes; later writes are there without earlier ones\n";
  }
}

}  // namespace testkit
}  // namespace leveldb
