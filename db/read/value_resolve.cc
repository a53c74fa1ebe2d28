#include "db/read/value_resolve.h"

#include "entry/value_ref.h"
#include "pmem/media/pool.h"
#include "pmem/value/value_reader.h"

namespace leveldb {

namespace {

Status BadReference() {
  return Status::Corruption("malformed reference to a value in persistent memory");
}

}  // namespace

Status ValueResolver::CheckPool() const {
  return pool_ == nullptr ? Status::OK() : pool_->CheckWhole();
}

Status ValueResolver::Copy(ValueType type, const Slice& content, std::string* value) const {
  if (type != kTypeValueRef) {
    value->assign(content.data(), content.size());
    return Status::OK();
  }
  ValueRef reference;
  if (pool_ == nullptr || !DecodeValueRef(content, &reference)) return BadReference();
  return ReadValue(*pool_, reference, verify_checksums_, value);
}

Status ValueResolver::View(ValueType type, const Slice& content, Slice* value,
                           std::string* scratch) const {
  if (type != kTypeValueRef) {
    *value = content;
    return Status::OK();
  }
  ValueRef reference;
  if (pool_ == nullptr || !DecodeValueRef(content, &reference)) return BadReference();
  return ReadValueInPlace(*pool_, reference, verify_checksums_, value, scratch);
}

}  // namespace leveldb
