#include "testing/corruption/writings.h"

#include <cstdlib>

#include "testing/dice.h"

namespace leveldb {
namespace testkit {

std::string Writings::ValueOf(const std::string& key, uint64_t sequence, size_t size) {
  std::string value = key + "@" + std::to_string(sequence) + ":";
  Dice dice(sequence);
  // Half of the values compress.
  value += sequence % 2 == 0 ? dice.Text(size) : dice.Bytes(size);
  return value;
}

void Writings::Put(const std::string& key, size_t size, WriteBatch* batch) {
  keys_[key][++last_sequence_] = Version{false, size};
  batch->Put(key, ValueOf(key, last_sequence_, size));
}

void Writings::Delete(const std::string& key, WriteBatch* batch) {
  keys_[key][++last_sequence_] = Version{true, 0};
  batch->Delete(key);
}

uint64_t Writings::Newest(const std::string& key) const {
  const auto found = keys_.find(key);
  return found == keys_.end() ? 0 : found->second.rbegin()->first;
}

bool Writings::Has(const std::string& key, uint64_t sequence) const {
  const auto found = keys_.find(key);
  return found != keys_.end() && found->second.count(sequence) > 0;
}

bool Writings::IsAbsent(const std::string& key, uint64_t sequence) const {
  return sequence == 0 || keys_.at(key).at(sequence).is_delete;
}

uint64_t Writings::SequenceOf(const std::string& key, const std::string& value) const {
  const std::string begin = key + "@";
  if (value.compare(0, begin.size(), begin) != 0) {
    return 0;
  }
  const uint64_t sequence = std::strtoull(value.c_str() + begin.size(), nullptr, 10);
  if (!Has(key, sequence)) {
    return 0;
  }
  const Version& version = keys_.at(key).at(sequence);
  const bool is_right = !version.is_delete && value == ValueOf(key, sequence, version.size);
  return is_right ? sequence : 0;
}

}  // namespace testkit
}  // namespace leveldb
