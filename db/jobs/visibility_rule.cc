#include "db/jobs/visibility_rule.h"

#include "util/copy_short.h"

namespace leveldb {

bool VisibilityRule::ShouldDrop(const Slice& internal_key) {
  ParsedKey key;
  if (!ParseInternalKey(internal_key, &key)) {
    has_user_key_ = false;
    return false;
  }
  if (!has_user_key_ || comparator_->CompareUserKeys(key.user_key, user_key_) != 0) {
    AssignShort(&user_key_, key.user_key.data(), key.user_key.size());
    has_user_key_ = true;
    newer_sequence_ = kMaxSequenceNumber;
  }
  const bool shadowed = newer_sequence_ <= smallest_snapshot_;
  newer_sequence_ = key.sequence;
  if (shadowed) return true;
  return key.type == kTypeDeletion && key.sequence <= smallest_snapshot_ &&
         base_level_check_ != nullptr && !base_level_check_->MayContain(key.user_key);
}

}  // namespace leveldb
