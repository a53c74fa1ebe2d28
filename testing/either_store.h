// EitherStore: a fixture for integration tests that are the same with the tier and without. Its
// parameter says whether the database of its TierStore has a pool.
#ifndef BUSHSTORE_TESTING_EITHER_STORE_H_
#define BUSHSTORE_TESTING_EITHER_STORE_H_

#include <gtest/gtest.h>

#include <string>

#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {

class EitherStore : public ::testing::TestWithParam<bool> {
 protected:
  static bool HasTier() { return GetParam(); }

  Status Open() { return HasTier() ? store_.Open() : store_.OpenPlainly(); }
  DB* db() const { return store_.db(); }

  TierStore store_;
};

inline std::string EitherName(const ::testing::TestParamInfo<bool>& tested) {
  return tested.param ? "Tier" : "Plain";
}

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_EITHER_STORE_H_
