// Adapts a filter policy for user keys to internal keys.
#ifndef BUSHSTORE_ENTRY_INTERNAL_FILTER_POLICY_H_
#define BUSHSTORE_ENTRY_INTERNAL_FILTER_POLICY_H_

#include "leveldb/filter_policy.h"

namespace leveldb {

// Strips the trailers and forwards; keeps the name of the user's policy, which is stored in tables.
class InternalFilterPolicy final : public FilterPolicy {
 public:
  // `user_policy` is not owned and must outlive this object.
  explicit InternalFilterPolicy(const FilterPolicy* user_policy) : user_policy_(user_policy) {}

  const char* Name() const override;
  void CreateFilter(const Slice* keys, int n, std::string* dst) const override;
  bool KeyMayMatch(const Slice& internal_key, const Slice& filter) const override;

 private:
  const FilterPolicy* const user_policy_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_ENTRY_INTERNAL_FILTER_POLICY_H_
