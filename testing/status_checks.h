// Checks on Status that print its text on failure.

#ifndef BUSHSTORE_TESTING_STATUS_CHECKS_H_
#define BUSHSTORE_TESTING_STATUS_CHECKS_H_

#include <gtest/gtest.h>

#include "leveldb/status.h"

namespace leveldb {
namespace testkit {

inline ::testing::AssertionResult IsOk(const Status& status) {
  if (status.ok()) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << status.ToString();
}

// Checks that the status is an error whose text contains `part`.
inline ::testing::AssertionResult Says(const Status& status, const std::string& part) {
  if (!status.ok() && status.ToString().find(part) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure()
         << "\"" << status.ToString() << "\" does not say \"" << part << "\"";
}

}  // namespace testkit
}  // namespace leveldb

#define ASSERT_OK(expression) ASSERT_TRUE(::leveldb::testkit::IsOk(expression))
#define EXPECT_OK(expression) EXPECT_TRUE(::leveldb::testkit::IsOk(expression))

#endif  // BUSHSTORE_TESTING_STATUS_CHECKS_H_
