#include "testing/history.h"

#include <cstdlib>
#include <map>

namespace leveldb {
namespace testkit {

const char kProgressKey[] = "~progress";

namespace {

constexpr uint64_t kKeys = 150;
constexpr uint64_t kEditsPerBatchMax = 6;

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

Contents History::StateAfter(uint64_t count) const {
  std::map<std::string, std::string> state;
  for (uint64_t i = 0; i < count; ++i) {
    for (const Edit& edit : batches_[i]) {
      if (edit.value.has_value()) {
        state[edit.key] = *edit.value;
      } else {
        state.erase(edit.key);
      }
    }
  }
  return Contents(state.begin(), state.end());
}

Status History::Check(DB* db, uint64_t* count) const {
  *count = 0;
  Contents all;
  const Status status = ReadContents(db, &all);
  if (!status.ok()) {
    return status;
  }
  Contents found;
  for (const auto& entry : all) {
    if (Slice(entry.first).starts_with(prefix_)) {
      found.push_back(entry);
      if (entry.first == prefix_ + kProgressKey) {
        *count = std::strtoull(entry.second.c_str(), nullptr, 10);
      }
    }
  }
  if (*count > size()) {
    return Status::Corruption("the database is at a batch never written", std::to_string(*count));
  }
  const Contents expected = StateAfter(*count);
  for (size_t i = 0; i < expected.size() || i < found.size(); ++i) {
    const bool same = i < expected.size() && i < found.size() && expected[i] == found[i];
    if (!same) {
      const std::string key = i < expected.size() ? expected[i].first : found[i].first;
      return Status::Corruption("not the state after batch " + std::to_string(*count) + ", near",
                                key);
    }
  }
  return Status::OK();
}

}  // namespace testkit
}  // namespace leveldb
