#include "db/open/entry_sorter.h"

#include <algorithm>

#include "db/open/salvage_output.h"

namespace leveldb {

Status EntrySorter::Add(const Slice& key, const Slice& value) {
  entries_.emplace_back(key.ToString(), value.ToString());
  bytes_ += key.size() + value.size() + sizeof(entries_[0]);
  return bytes_ >= context_->options().write_buffer_size ? Flush() : Status::OK();
}

Status EntrySorter::Flush() {
  status_ = WriteSorted();
  return status_;
}

Status EntrySorter::WriteSorted() {
  const InternalKeyComparator& comparator = context_->comparator();
  std::stable_sort(entries_.begin(), entries_.end(), [&comparator](const auto& a, const auto& b) {
    return comparator.Compare(a.first, b.first) < 0;
  });
  SalvageOutput output(context_, tables_);
  for (const auto& [key, value] : entries_) {
    const Status status = output.Add(key, value);
    if (!status.ok()) return status;
  }
  entries_.clear();
  bytes_ = 0;
  return output.Finish();
}

}  // namespace leveldb
