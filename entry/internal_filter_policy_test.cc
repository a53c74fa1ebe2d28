#include "entry/internal_filter_policy.h"

#include <gtest/gtest.h>

#include <memory>

#include "entry/internal_key.h"

namespace leveldb {
namespace {

TEST(InternalFilterPolicyTest, FiltersOnUserKeysUnderTheUsersName) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  const InternalFilterPolicy policy(bloom.get());
  EXPECT_STREQ(bloom->Name(), policy.Name());

  const InternalKey first("one", 10, kTypeValue);
  const InternalKey second("two", 11, kTypeDeletion);
  const Slice keys[] = {first.Encode(), second.Encode()};
  std::string internal_filter;
  policy.CreateFilter(keys, 2, &internal_filter);

  const Slice user_keys[] = {"one", "two"};
  std::string user_filter;
  bloom->CreateFilter(user_keys, 2, &user_filter);
  EXPECT_EQ(user_filter, internal_filter);

  EXPECT_TRUE(policy.KeyMayMatch(InternalKey("one", 99, kSeekType).Encode(), internal_filter));
  EXPECT_TRUE(policy.KeyMayMatch(InternalKey("two", 1, kSeekType).Encode(), internal_filter));
  EXPECT_FALSE(policy.KeyMayMatch(InternalKey("three", 99, kSeekType).Encode(), internal_filter));
}

}  // namespace
}  // namespace leveldb
