#include "testing/model.h"

#include <utility>

namespace leveldb {
namespace testkit {

void Model::Add(const std::string& key, std::optional<std::string> value) {
  versions_[key].push_back(Entry{++sequence_, key, std::move(value)});
}

const Model::Entry* Model::Visible(const std::vector<Entry>& versions, uint64_t sequence) {
  for (auto entry = versions.rbegin(); entry != versions.rend(); ++entry) {
    if (entry->sequence <= sequence) {
      return entry->value.has_value() ? &*entry : nullptr;
    }
  }
  return nullptr;
}

const std::string* Model::Get(const std::string& key, uint64_t sequence) const {
  const auto found = versions_.find(key);
  if (found == versions_.end()) {
    return nullptr;
  }
  const Entry* const entry = Visible(found->second, sequence);
  return entry == nullptr ? nullptr : &*entry->value;
}

Contents Model::All(uint64_t sequence) const {
  Contents contents;
  Cursor cursor(this, sequence);
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    contents.emplace_back(cursor.key(), cursor.value());
  }
  return contents;
}

void Model::Prune(uint64_t oldest_needed) {
  for (auto& [key, entries] : versions_) {
    size_t hidden = 0;
    while (hidden + 1 < entries.size() && entries[hidden + 1].sequence <= oldest_needed) {
      ++hidden;
    }
    entries.erase(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(hidden));
  }
}

void Model::Cursor::SeekToFirst() {
  place_ = model_->versions_.begin();
  SkipForward();
}

void Model::Cursor::SeekToLast() {
  place_ = model_->versions_.end();
  StepBack();
}

void Model::Cursor::Seek(const std::string& target) {
  place_ = model_->versions_.lower_bound(target);
  SkipForward();
}

void Model::Cursor::Next() {
  ++place_;
  SkipForward();
}

void Model::Cursor::Prev() {
  StepBack();
}

void Model::Cursor::SkipForward() {
  while (Valid() && Visible(place_->second, sequence_) == nullptr) {
    ++place_;
  }
}

void Model::Cursor::StepBack() {
  while (place_ != model_->versions_.begin()) {
    --place_;
    if (Visible(place_->second, sequence_) != nullptr) {
      return;
    }
  }
  place_ = model_->versions_.end();
}

}  // namespace testkit
}  // namespace leveldb
