#include "table/block_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "util/coding.h"
#include "util/key_bytes.h"

namespace leveldb {

BlockBuilder::BlockBuilder(int restart_interval) {
  set_restart_interval(restart_interval);
  Reset();
}

void BlockBuilder::set_restart_interval(int restart_interval) {
  restart_interval_ = static_cast<uint32_t>(std::max(restart_interval, 1));
}

void BlockBuilder::Reset() {
  buffer_.clear();
  restarts_.assign(1, 0);
  entries_since_restart_ = 0;
  last_key_.clear();
}

void BlockBuilder::Add(const Slice& key, const Slice& value) {
  size_t shared = 0;
  if (entries_since_restart_ < restart_interval_) {
    const size_t n = std::min(last_key_.size(), key.size());
    shared = CommonPrefixLength(last_key_.data(), key.data(), n);
  } else {
    assert(buffer_.size() <= std::numeric_limits<uint32_t>::max());
    restarts_.push_back(static_cast<uint32_t>(buffer_.size()));
    entries_since_restart_ = 0;
  }
  entries_since_restart_++;

  const char* const unshared = key.data() + shared;
  const size_t unshared_size = key.size() - shared;
  char* p = buffer_.Reserve(3 * kMaxVarint32Length + unshared_size + value.size());
  p = StoreVarint32(p, static_cast<uint32_t>(shared));
  p = StoreVarint32(p, static_cast<uint32_t>(unshared_size));
  p = StoreVarint32(p, static_cast<uint32_t>(value.size()));
  if (unshared_size > 0) memcpy(p, unshared, unshared_size);
  p += unshared_size;
  if (!value.empty()) memcpy(p, value.data(), value.size());
  p += value.size();
  buffer_.SetSize(static_cast<size_t>(p - buffer_.data()));

  last_key_.SetSize(shared);
  last_key_.Append(unshared, unshared_size);
}

ByteBuffer* BlockBuilder::Finish(size_t slack) {
  char* p = buffer_.Reserve(4 * restarts_.size() + 4 + slack);
  for (const uint32_t restart : restarts_) {
    StoreFixed32(p, restart);
    p += 4;
  }
  StoreFixed32(p, static_cast<uint32_t>(restarts_.size()));
  buffer_.SetSize(static_cast<size_t>(p + 4 - buffer_.data()));
  return &buffer_;
}

}  // namespace leveldb
