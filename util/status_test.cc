#include "leveldb/status.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace leveldb {
namespace {

TEST(StatusTest, OkIsOk) {
  const Status s;
  EXPECT_TRUE(s.ok());
  EXPECT_FALSE(s.IsNotFound());
  EXPECT_EQ(s.ToString(), "OK");
  EXPECT_TRUE(Status::OK().ok());
}

TEST(StatusTest, KindsAndTexts) {
  EXPECT_TRUE(Status::NotFound("k").IsNotFound());
  EXPECT_TRUE(Status::Corruption("k").IsCorruption());
  EXPECT_TRUE(Status::NotSupported("k").IsNotSupportedError());
  EXPECT_TRUE(Status::InvalidArgument("k").IsInvalidArgument());
  EXPECT_TRUE(Status::IOError("k").IsIOError());
  EXPECT_FALSE(Status::IOError("k").IsCorruption());
  EXPECT_FALSE(Status::IOError("k").ok());
  EXPECT_EQ(Status::NotFound("k").ToString(), "NotFound: k");
  EXPECT_EQ(Status::Corruption("a", "b").ToString(), "Corruption: a: b");
  EXPECT_EQ(Status::NotSupported("").ToString(), "Not implemented: ");
  EXPECT_EQ(Status::InvalidArgument("k").ToString(), "Invalid argument: k");
  EXPECT_EQ(Status::IOError("/f", "No space").ToString(), "IO error: /f: No space");
  EXPECT_EQ(Status::IOError(Slice("a\0b", 3)).ToString(), std::string("IO error: a\0b", 13));
}

TEST(StatusTest, CopiesAreIndependent) {
  Status original = Status::NotFound("key");
  Status copy = original;
  original = Status::OK();
  EXPECT_EQ(copy.ToString(), "NotFound: key");
  const Status& same = copy;
  copy = same;
  EXPECT_EQ(copy.ToString(), "NotFound: key");
  copy = Status();
  EXPECT_TRUE(copy.ok());
}

TEST(StatusTest, MovesHandOver) {
  Status original = Status::IOError("disk");
  Status moved = std::move(original);
  EXPECT_EQ(moved.ToString(), "IO error: disk");
  Status assigned = Status::Corruption("old");
  assigned = std::move(moved);
  EXPECT_EQ(assigned.ToString(), "IO error: disk");
  Status& self = assigned;
  assigned = std::move(self);
  EXPECT_EQ(assigned.ToString(), "IO error: disk");
}

}  // namespace
}  // namespace leveldb
