#include "db/jobs/input_walk.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Returns the entries as they are, in order or not.
class ListIterator final : public Iterator {
 public:
  explicit ListIterator(std::vector<std::string> keys) : keys_(std::move(keys)) {}

  bool Valid() const override { return at_ < keys_.size(); }
  void SeekToFirst() override { at_ = 0; }
  void SeekToLast() override { at_ = keys_.size() - 1; }
  void Seek(const Slice&) override { at_ = keys_.size(); }
  void Next() override { at_++; }
  void Prev() override { at_--; }
  Slice key() const override { return keys_[at_]; }
  Slice value() const override { return "value"; }
  Status status() const override { return Status::OK(); }

 private:
  const std::vector<std::string> keys_;
  size_t at_ = 0;
};

template <bool checks_order>
class ListOutput {
 public:
  static constexpr bool kChecksOrder = checks_order;

  Status Add(const Slice& key, const Slice& value) {
    added += ExtractUserKey(key).ToString() + " ";
    last_key_ = key.ToString();
    return Status::OK();
  }
  Slice last_key() const { return last_key_; }
  Status status() const { return Status::OK(); }

  std::string added;

 private:
  std::string last_key_;
};

class InputWalkTest : public testing::Test {
 protected:
  InputWalkTest() {
    Options options;
    options.env = env_.get();
    state_ = std::make_unique<DbState>(std::make_unique<const ResolvedOptions>("/db", options));
  }

  // Walks through entries such as "a5", which is a put of a at sequence 5.
  template <class Output>
  Status Walk(const std::vector<std::string>& entries, Output* output) {
    std::vector<std::string> keys;
    for (const std::string& entry : entries) {
      const InternalKey key(entry.substr(0, 1), std::stoul(entry.substr(1)), kTypeValue);
      keys.push_back(key.Encode().ToString());
    }
    ListIterator input(keys);
    VisibilityRule rule(&state_->comparator(), /*smallest_snapshot=*/100, nullptr);
    return WalkInput(
        state_.get(), &input, &rule, [this](uint64_t walked) { looks_.push_back(walked); }, output);
  }

  const std::unique_ptr<Env> env_{NewMemEnv(Env::Default())};
  std::unique_ptr<DbState> state_;
  std::vector<uint64_t> looks_;
};

TEST_F(InputWalkTest, WhatIsInOrderAndNotDroppedIsHandedOn) {
  ListOutput<false> output;
  EXPECT_TRUE(Walk({"a9", "a5", "b3", "c4", "c1"}, &output).ok());
  EXPECT_EQ("a b c ", output.added);
}

TEST_F(InputWalkTest, WhatIsOutOfOrderEndsTheWalk) {
  ListOutput<false> output;
  EXPECT_TRUE(Walk({"a9", "c4", "b3", "d1"}, &output).IsCorruption());
  EXPECT_EQ("a c ", output.added);
}

// An output that checks the order itself does not see the dropped entries.
TEST_F(InputWalkTest, WhatIsOutOfOrderIsNotDropped) {
  ListOutput<true> output;
  EXPECT_TRUE(Walk({"a5", "a9", "b3"}, &output).IsCorruption());
  EXPECT_EQ("a ", output.added);
}

// The count includes dropped entries.
TEST_F(InputWalkTest, ALookIsToldHowFarTheWalkHasCome) {
  std::vector<std::string> versions;
  for (int sequence = 1000; sequence > 0; sequence--) {
    versions.push_back("a" + std::to_string(sequence));
  }
  ListOutput<false> output;
  EXPECT_TRUE(Walk(versions, &output).ok());
  ASSERT_GE(looks_.size(), 2u);
  EXPECT_LT(looks_.front(), 500u);
  EXPECT_GT(looks_.back(), 500u);
  EXPECT_LT(looks_.back(), versions.size());
}

}  // namespace
}  // namespace leveldb
