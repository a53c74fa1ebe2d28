#include "testing/history.h"

#include <cstdlib>
#include <map>

namespace leveldb {
namespace testkit {

const char kProgressKey[] = "~progress";

namespace {

constexpr uint64_t kKeys = 150;
constexpr uint64_t kEditsPerBatchMax = 6;
constexpr char kMarker[] = "~batch/";

}  // namespace

History::History(uint64_t seed, size_t value_size_max, const std::string& prefix)
    : dice_(seed), value_size_max_(value_size_max), prefix_(prefix) {}

void History::Extend() {
  std::vector<Edit> batch;
  const uint64_t number = size() + 1;
  const uint64_t edits = dice_.Below(kEditsPerBatchMax + 1);
  for (uint64_t i = 0; i < edits; ++i) {
    Edit edit;
    edit.key = prefix_ + "key" + std::to_string(dice_.Below(kKeys));
    if (!dice_.OneIn(5)) {
      const size_t length = dice_.Below(value_size_max_ + 1);
      edit.value =
          std::to_string(number) + (dice_.OneIn(2) ? dice_.Bytes(length) : dice_.Text(length));
    }
    batch.push_back(edit);
  }
  batch.push_back(Edit{Marker(number), ""});
  batch.push_back(Edit{prefix_ + kProgressKey, std::to_string(number)});
  batches_.push_back(batch);
}

void History::ExtendTo(uint64_t count) {
  while (size() < count) {
    Extend();
  }
}

WriteBatch History::Batch(uint64_t number) const {
  WriteBatch batch;
  for (const Edit& edit : batches_[number - 1]) {
    if (edit.value.has_value()) {
      batch.Put(edit.key, *edit.value);
    } else {
      batch.Delete(edit.key);
    }
  }
  return batch;
}

uint64_t History::UserBytes(uint64_t number) const {
  uint64_t bytes = 0;
  for (const Edit& edit : batches_[number - 1]) {
    bytes += edit.key.size() + (edit.value.has_value() ? edit.value->size() : 0);
  }
  return bytes;
}

std::string History::Marker(uint64_t number) const {
  return prefix_ + kMarker + std::to_string(number);
}

void History::KeepOnly(const std::set<uint64_t>& present) {
  CutTo(present.empty() ? 0 : *present.rbegin());
  for (uint64_t number = 1; number <= size(); ++number) {
    if (present.count(number) == 0) {
      lost_.insert(number);
    }
  }
  lost_.erase(lost_.upper_bound(size()), lost_.end());
}

Contents History::StateAfter(uint64_t count) const {
  std::set<uint64_t> numbers;
  for (uint64_t number = 1; number <= count; ++number) {
    if (lost_.count(number) == 0) {
      numbers.insert(numbers.end(), number);
    }
  }
  return StateOf(numbers);
}

Contents History::StateOf(const std::set<uint64_t>& numbers) const {
  std::map<std::string, std::string> state;
  for (const uint64_t number : numbers) {
    for (const Edit& edit : batches_[number - 1]) {
      if (edit.value.has_value()) {
        state[edit.key] = *edit.value;
      } else {
        state.erase(edit.key);
      }
    }
  }
  return Contents(state.begin(), state.end());
}

Status History::FindBatches(DB* db, uint64_t certain, std::set<uint64_t>* present) const {
  present->clear();
  Contents all;
  const Status status = ReadContents(db, &all);
  if (!status.ok()) {
    return status;
  }
  Contents found;
  const std::string marker = prefix_ + kMarker;
  for (const auto& entry : all) {
    if (Slice(entry.first).starts_with(prefix_)) {
      found.push_back(entry);
    }
    if (Slice(entry.first).starts_with(marker)) {
      const uint64_t number = std::strtoull(entry.first.c_str() + marker.size(), nullptr, 10);
      if (number > size() || lost_.count(number) != 0) {
        return Status::Corruption("a batch that cannot be there", entry.first);
      }
      present->insert(number);
    }
  }
  for (uint64_t number = 1; number <= certain; ++number) {
    if (lost_.count(number) == 0 && present->count(number) == 0) {
      return Status::Corruption("a batch is missing", Marker(number));
    }
  }
  const Contents expected = StateOf(*present);
  for (size_t i = 0; i < expected.size() || i < found.size(); ++i) {
    const bool same = i < expected.size() && i < found.size() && expected[i] == found[i];
    if (!same) {
      const std::string key = i < expected.size() ? expected[i].first : found[i].first;
      return Status::Corruption("not what the batches that are there leave, near", key);
    }
  }
  return Status::OK();
}

Status History::Check(DB* db, uint64_t* count) const {
  *count = 0;
  std::set<uint64_t> present;
  Status status = FindBatches(db, 0, &present);
  if (status.ok() && !present.empty()) {
    *count = *present.rbegin();
    for (uint64_t number = 1; number < *count && status.ok(); ++number) {
      if (lost_.count(number) == 0 && present.count(number) == 0) {
        status = Status::Corruption("a batch is missing before the latest", Marker(number));
      }
    }
  }
  return status;
}

}  // namespace testkit
}  // namespace leveldb
