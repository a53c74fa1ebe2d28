#include "iterator/merging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "iterator/iterator_check.h"
#include "leveldb/comparator.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Orders keys by bytes, descending, so that no bytewise shortcut applies. Counts comparisons.
class ReverseComparator final : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override {
    calls++;
    return b.compare(a);
  }
  const char* Name() const override { return "test.Reverse"; }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {}
  void FindShortSuccessor(std::string* key) const override {}

  mutable int calls = 0;
};

std::string RandomKey(Random* random) {
  return NumberToString(random->Uniform(300));
}

// Children with random entries, and all entries in the expected order.
struct Family {
  std::vector<Entries> children;
  Entries all;
};

Family RandomFamily(size_t child_count, const Comparator* comparator, Random* random) {
  Family family;
  std::vector<std::pair<std::string, std::pair<size_t, std::string>>> tagged;
  for (size_t child = 0; child < child_count; child++) {
    Entries entries;
    const size_t count = random->OneIn(4) ? 0 : random->Uniform(60);
    for (size_t i = 0; i < count; i++) entries.emplace_back(RandomKey(random), "");
    const auto before = [&](const auto& a, const auto& b) {
      return comparator->Compare(a.first, b.first) < 0;
    };
    std::sort(entries.begin(), entries.end(), before);
    entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
    for (auto& [key, value] : entries) {
      value = key + "/" + NumberToString(child);
      tagged.push_back({key, {child, value}});
    }
    family.children.push_back(std::move(entries));
  }
  std::sort(tagged.begin(), tagged.end(), [&](const auto& a, const auto& b) {
    const int order = comparator->Compare(a.first, b.first);
    return order < 0 || (order == 0 && a.second.first < b.second.first);
  });
  for (const auto& [key, value] : tagged) family.all.emplace_back(key, value.second);
  return family;
}

// Passes every other child as prefetchable.
std::unique_ptr<Iterator> Merge(const std::vector<Entries>& children,
                                const Comparator* comparator) {
  std::vector<InternalIterator*> iterators;
  std::vector<PrefetchableIterator*> prefetchable;
  for (const Entries& child : children) {
    EntriesIterator* const iterator = new EntriesIterator(child, comparator);
    if (iterators.size() % 2 == 1) prefetchable.push_back(iterator);
    iterators.push_back(iterator);
  }
  return std::unique_ptr<Iterator>(
      NewMergingIterator(comparator, std::move(iterators), std::move(prefetchable)));
}

TEST(MergingIterator, ShowsTheUnionInEveryDirection) {
  const ReverseComparator reverse;
  const Comparator* const comparators[] = {BytewiseComparator(), &reverse};
  for (uint64_t seed = 1; seed <= 40; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const Comparator* const comparator = comparators[seed % 2];
    const Family family = RandomFamily(random.Uniform(9), comparator, &random);
    const std::unique_ptr<Iterator> merged = Merge(family.children, comparator);
    WalkAtRandom(merged.get(), family.all, comparator, 500, &random,
                 [&] { return RandomKey(&random); });
    if (HasFatalFailure()) return;
  }
}

TEST(MergingIterator, EqualKeysComeNewestFirst) {
  const std::vector<Entries> children = {
      {{"b", "newest"}}, {{"a", "x"}, {"b", "newer"}}, {{"b", "old"}, {"c", "y"}}};
  const std::unique_ptr<Iterator> merged = Merge(children, BytewiseComparator());
  std::string forward;
  for (merged->SeekToFirst(); merged->Valid(); merged->Next()) {
    forward += merged->value().ToString() + " ";
  }
  EXPECT_EQ(forward, "x newest newer old y ");
  std::string backward;
  for (merged->SeekToLast(); merged->Valid(); merged->Prev()) {
    backward += merged->value().ToString() + " ";
  }
  EXPECT_EQ(backward, "y old newer newest x ");
  merged->Seek("b");
  EXPECT_EQ(merged->value().ToString(), "newest");
}

TEST(MergingIterator, NothingToMerge) {
  const std::unique_ptr<Iterator> merged = Merge({}, BytewiseComparator());
  merged->SeekToFirst();
  EXPECT_FALSE(merged->Valid());
  EXPECT_TRUE(merged->status().ok());
}

TEST(MergingIterator, AnOnlyChildIsReturnedAsItIs) {
  InternalIterator* const child = new EntriesIterator({{"a", "1"}}, BytewiseComparator());
  const std::unique_ptr<Iterator> merged(NewMergingIterator(BytewiseComparator(), {child}));
  EXPECT_EQ(merged.get(), child);
}

// Records whether the other child's PrefetchSeek had been called before this one's Seek.
class Watcher final : public InternalIteratorBase<Watcher, PrefetchableIterator> {
 public:
  explicit Watcher(const EntriesIterator* other) : other_(other) {}

  bool Valid() const override { return false; }
  void SeekToFirst() override {}
  void SeekToLast() override {}
  void PrefetchSeek(const Slice& target) override {}
  void Seek(const Slice& target) override { other_had_begun = other_->has_begun(); }
  void Next() override {}
  void Prev() override {}
  Slice key() const override { return Slice(); }
  Slice value() const override { return Slice(); }
  Status status() const override { return Status::OK(); }

  bool other_had_begun = false;

 private:
  const EntriesIterator* const other_;
};

TEST(MergingIterator, BeginsAllSeeksBeforeTheFirstIsMade) {
  EntriesIterator* const last = new EntriesIterator({{"a", "1"}, {"c", "2"}}, BytewiseComparator());
  Watcher* const first = new Watcher(last);
  const std::unique_ptr<Iterator> merged(
      NewMergingIterator(BytewiseComparator(), {first, last}, {first, last}));
  merged->Seek("b");
  EXPECT_TRUE(first->other_had_begun);
  EXPECT_EQ(merged->key().ToString(), "c");
}

TEST(MergingIterator, AFailedChildIsLeftOutAndReported) {
  const Entries broken = {{"b", "1"}, {"e", "1"}, {"g", "1"}};
  const Entries whole = {{"a", "2"}, {"c", "2"}, {"f", "2"}};
  const Comparator* const comparator = BytewiseComparator();
  const std::unique_ptr<Iterator> merged(NewMergingIterator(
      comparator,
      {new EntriesIterator(broken, comparator, 1), new EntriesIterator(whole, comparator)}));
  std::string keys;
  for (merged->SeekToFirst(); merged->Valid(); merged->Next()) keys += merged->key().ToString();
  EXPECT_EQ(keys, "abcf");
  EXPECT_TRUE(merged->status().IsCorruption());
}

TEST(MergingIterator, TurningDoesNotBringAFailedChildBack) {
  // Seeking "e" fails. The entry after it must not appear when the iterator turns backward from
  // "d".
  const Comparator* const comparator = BytewiseComparator();
  const std::unique_ptr<Iterator> merged(
      NewMergingIterator(comparator, {new EntriesIterator({{"e", "1"}, {"g", "1"}}, comparator, 0),
                                      new EntriesIterator({{"a", "2"}, {"d", "2"}}, comparator)}));
  merged->Seek("d");
  ASSERT_TRUE(merged->Valid());
  EXPECT_EQ(merged->key().ToString(), "d");
  merged->Prev();
  ASSERT_TRUE(merged->Valid());
  EXPECT_EQ(merged->key().ToString(), "a");
  EXPECT_TRUE(merged->status().IsCorruption());
}

// Iterates over entries, and discards at each seek the error of the one before, as trees do. Seeks
// to one key fail.
class ForgetfulIterator final : public InternalIteratorBase<ForgetfulIterator> {
 public:
  ForgetfulIterator(Entries entries, const Comparator* comparator, std::string fails_at)
      : entries_(std::move(entries), comparator), fails_at_(std::move(fails_at)) {}

  bool Valid() const override { return status_.ok() && entries_.Valid(); }
  void SeekToFirst() override {
    status_ = Status::OK();
    entries_.SeekToFirst();
  }
  void SeekToLast() override {
    status_ = Status::OK();
    entries_.SeekToLast();
  }
  void Seek(const Slice& target) override {
    status_ = target == Slice(fails_at_) ? Status::Corruption("broken entry") : Status::OK();
    entries_.Seek(target);
  }
  void Next() override { entries_.Next(); }
  void Prev() override { entries_.Prev(); }
  Slice key() const override { return entries_.key(); }
  Slice value() const override { return entries_.value(); }
  Status status() const override { return status_; }

 private:
  EntriesIterator entries_;
  const std::string fails_at_;
  Status status_;
};

TEST(MergingIterator, TurningForgetsNoError) {
  const Comparator* const comparator = BytewiseComparator();
  const std::unique_ptr<Iterator> merged(NewMergingIterator(
      comparator, {new ForgetfulIterator({{"c", "1"}, {"g", "1"}}, comparator, "b"),
                   new EntriesIterator({{"a", "2"}, {"d", "2"}, {"f", "2"}}, comparator)}));
  merged->Seek("b");
  ASSERT_TRUE(merged->Valid());
  EXPECT_EQ(merged->key().ToString(), "d");  // "c" could not be read
  merged->Prev();
  EXPECT_TRUE(merged->status().IsCorruption());
  while (merged->Valid() && merged->key() == Slice("c")) merged->Prev();
  ASSERT_TRUE(merged->Valid());
  merged->Next();
  EXPECT_TRUE(merged->status().IsCorruption());
  // A seek by the caller discards the error.
  merged->Seek("d");
  EXPECT_TRUE(merged->status().ok());
}

// Iterates over a set of keys that grows: whenever the first key at or after a target has been
// found, `arriving` is inserted just before that.
class GrowingIterator final : public InternalIteratorBase<GrowingIterator> {
 public:
  GrowingIterator(std::set<std::string> keys, std::string arriving)
      : keys_(std::move(keys)), arriving_(std::move(arriving)), at_(keys_.end()) {}

  bool Valid() const override { return at_ != keys_.end(); }
  void SeekToFirst() override { at_ = keys_.begin(); }
  void SeekToLast() override { at_ = keys_.empty() ? keys_.end() : std::prev(keys_.end()); }
  void Seek(const Slice& target) override {
    at_ = keys_.lower_bound(target.ToString());
    keys_.insert(arriving_);
  }
  void Next() override { ++at_; }
  void Prev() override { at_ = at_ == keys_.begin() ? keys_.end() : std::prev(at_); }
  Slice key() const override { return *at_; }
  Slice value() const override { return Slice(); }
  Status status() const override { return Status::OK(); }

 private:
  std::set<std::string> keys_;
  const std::string arriving_;
  std::set<std::string>::iterator at_;
};

TEST(MergingIterator, TurnsBackwardPastWhatArrivesMeanwhile) {
  for (const std::set<std::string>& others : {std::set<std::string>{"a"}, {"a", "d"}}) {
    for (const bool growing_is_first : {false, true}) {
      std::vector<InternalIterator*> children = {new GrowingIterator(others, "c"),
                                                 new GrowingIterator({"b"}, "b")};
      if (!growing_is_first) std::swap(children[0], children[1]);
      const std::unique_ptr<Iterator> merged(
          NewMergingIterator(KeyOrder(BytewiseComparator()), children));
      merged->SeekToFirst();
      merged->Next();
      ASSERT_TRUE(merged->Valid());
      ASSERT_EQ(merged->key().ToString(), "b");
      merged->Prev();
      ASSERT_TRUE(merged->Valid());
      EXPECT_EQ(merged->key().ToString(), "a");
    }
  }
}

TEST(MergingIterator, ARunOfOneChildCostsOneComparisonPerStep) {
  // Only child 4 has entries in the middle of the others.
  const ReverseComparator comparator;
  std::vector<Entries> children;
  for (int child = 0; child < 8; child++) children.push_back({{"9", ""}, {"0", ""}});
  for (int i = 999; i >= 100; i--)
    children[4].insert(children[4].end() - 1, {NumberToString(i), ""});
  children[4].erase(children[4].begin());
  std::sort(children[4].begin(), children[4].end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  const std::unique_ptr<Iterator> merged = Merge(children, &comparator);
  merged->Seek("85");
  ASSERT_TRUE(merged->Valid());
  merged->Next();  // determines the runner-up
  comparator.calls = 0;
  for (int i = 0; i < 400; i++) merged->Next();
  EXPECT_EQ(comparator.calls, 400);
}

}  // namespace

}  // namespace leveldb
