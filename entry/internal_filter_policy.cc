#include "entry/internal_filter_policy.h"

#include <vector>

#include "entry/internal_key.h"

namespace leveldb {

const char* InternalFilterPolicy::Name() const {
  return user_policy_->Name();
}

void InternalFilterPolicy::CreateFilter(const Slice* keys, int n, std::string* dst) const {
  std::vector<Slice> user_keys(n);
  for (int i = 0; i < n; i++) user_keys[i] = ExtractUserKey(keys[i]);
  user_policy_->CreateFilter(user_keys.data(), n, dst);
}

bool InternalFilterPolicy::KeyMayMatch(const Slice& internal_key, const Slice& filter) const {
  return user_policy_->KeyMayMatch(ExtractUserKey(internal_key), filter);
}

}  // namespace leveldb
