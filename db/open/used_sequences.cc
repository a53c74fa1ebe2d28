#include "db/open/used_sequences.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace leveldb {

bool UsedSequences::AreFree(SequenceNumber first, SequenceNumber last) const {
  const auto behind = ranges_.upper_bound(last);
  return behind == ranges_.begin() || std::prev(behind)->second < first;
}

bool UsedSequences::Fit(SequenceNumber first, uint32_t count) const {
  return count <= kMaxSequenceNumber - std::max(first, last_);
}

SequenceNumber UsedSequences::Take(SequenceNumber first, uint32_t count) {
  assert(count > 0);
  assert(Fit(first, count));
  if (!AreFree(first, first + count - 1)) first = last_ + 1;
  SequenceNumber last = first + count - 1;
  last_ = std::max(last_, last);
  const auto behind = ranges_.lower_bound(first);
  const auto joined = behind != ranges_.end() && behind->first == last + 1 ? behind : ranges_.end();
  if (joined != ranges_.end()) {
    last = joined->second;
    ranges_.erase(joined);
  }
  const auto after = ranges_.upper_bound(first);
  if (after != ranges_.begin() && std::prev(after)->second + 1 == first) {
    std::prev(after)->second = last;
  } else {
    ranges_[first] = last;
  }
  return first;
}

}  // namespace leveldb
