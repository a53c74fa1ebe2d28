#include "table/block_handle.h"

#include <cassert>

namespace leveldb {

bool BlockHandle::ConsumeFrom(Slice* input) {
  const char* const limit = input->data() + input->size();
  uint64_t read_offset;
  uint64_t read_size;
  const char* p = LoadVarint64(input->data(), limit, &read_offset);
  if (p == nullptr) return false;
  p = LoadVarint64(p, limit, &read_size);
  if (p == nullptr) return false;
  offset = read_offset;
  size = read_size;
  *input = Slice(p, static_cast<size_t>(limit - p));
  return true;
}

void Footer::AppendTo(std::string* dst) const {
  const size_t start = dst->size();
  metaindex.AppendTo(dst);
  index.AppendTo(dst);
  dst->resize(start + 2 * BlockHandle::kMaxEncodedSize);
  AppendFixed64(dst, kMagic);
  assert(dst->size() == start + kSize);
}

Status Footer::DecodeFrom(const Slice& bytes) {
  assert(bytes.size() == kSize);
  if (LoadFixed64(bytes.data() + kSize - 8) != kMagic) {
    return Status::Corruption("not a table file (bad magic number in the footer)");
  }
  Slice handles(bytes.data(), kSize - 8);
  if (!metaindex.ConsumeFrom(&handles) || !index.ConsumeFrom(&handles)) {
    return Status::Corruption("bad block handle in the table's footer");
  }
  return Status::OK();
}

}  // namespace leveldb
