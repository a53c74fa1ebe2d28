#include "db/jobs/table_entry.h"

#include "entry/internal_key.h"
#include "entry/value_ref.h"
#include "pmem/value/value_reader.h"
#include "util/text.h"

namespace leveldb {

Status TableEntry::Set(const Slice& key, const Slice& value) {
  key_ = key;
  value_ = value;
  ParsedKey parsed;
  if (!ParseInternalKey(key, &parsed)) {
    return Status::Corruption("not an internal key", Escaped(key));
  }
  if (parsed.type != kTypeValueRef) return Status::OK();
  ValueRef reference;
  if (pool_ == nullptr || !DecodeValueRef(value, &reference)) {
    return Status::Corruption("a reference that leads nowhere", Escaped(key));
  }
  key_bytes_.clear();
  AppendInternalKey(&key_bytes_, parsed.user_key, parsed.sequence, kTypeValue);
  key_ = key_bytes_;
  return ReadValueInPlace(*pool_, reference, /*verify_checksum=*/true, &value_, &value_bytes_);
}

}  // namespace leveldb
