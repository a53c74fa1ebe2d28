// For tests: sorted entries, a simple reference iterator over them, and random steps that compare
// any iterator with the expected entries.
#ifndef BUSHSTORE_ITERATOR_ITERATOR_CHECK_H_
#define BUSHSTORE_ITERATOR_ITERATOR_CHECK_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "iterator/prefetchable_iterator.h"
#include "iterator/read_ahead.h"
#include "leveldb/comparator.h"
#include "leveldb/iterator.h"
#include "util/random.h"

namespace leveldb {

using Entries = std::vector<std::pair<std::string, std::string>>;

// Returns the index to which Seek(target) leads; entries.size() if there is no such entry.
inline size_t SeekIndex(const Entries& entries, const Comparator* comparator,
                        const std::string& target) {
  const auto found = std::partition_point(entries.begin(), entries.end(), [&](const auto& entry) {
    return comparator->Compare(entry.first, target) < 0;
  });
  return static_cast<size_t>(found - entries.begin());
}

// Iterates over entries that are in the comparator's order. Fails at the index `broken_at`. Checks
// that a PrefetchSeek is followed by the Seek to the same target.
class EntriesIterator final : public InternalIteratorBase<EntriesIterator, PrefetchableIterator> {
 public:
  static constexpr size_t kNowhere = static_cast<size_t>(-1);

  EntriesIterator(Entries entries, const Comparator* comparator, size_t broken_at = kNowhere)
      : entries_(std::move(entries)), comparator_(comparator), broken_at_(broken_at) {}

  bool Valid() const override { return index_ < entries_.size(); }
  void SeekToFirst() override { GoTo(0); }
  void SeekToLast() override { GoTo(entries_.size() - 1); }
  void PrefetchSeek(const Slice& target) override {
    EXPECT_FALSE(begun_.has_value());
    begun_ = target.ToString();
  }
  bool has_begun() const { return begun_.has_value(); }
  void Seek(const Slice& target) override {
    EXPECT_EQ(begun_.value_or(target.ToString()), target.ToString());
    begun_.reset();
    GoTo(SeekIndex(entries_, comparator_, target.ToString()));
  }
  void Next() override {
    ASSERT_TRUE(Valid());
    GoTo(index_ + 1);
  }
  void Prev() override {
    ASSERT_TRUE(Valid());
    GoTo(index_ - 1);
  }
  Slice key() const override { return entries_.at(index_).first; }
  Slice value() const override { return entries_.at(index_).second; }
  Status status() const override { return status_; }

 private:
  void GoTo(size_t index) {
    EXPECT_FALSE(begun_.has_value());
    index_ = index < entries_.size() ? index : kNowhere;
    if (index_ == broken_at_ && index_ != kNowhere) {
      index_ = kNowhere;
      status_ = Status::Corruption("broken entry");
    }
  }

  const Entries entries_;
  const Comparator* const comparator_;
  const size_t broken_at_;
  size_t index_ = kNowhere;
  std::optional<std::string> begun_;  // the target of a PrefetchSeek
  Status status_;
};

// Iterates like a PrefetchableIterator. Calls PrefetchSeek before every other Seek.
class BegunSeeks final : public Iterator {
 public:
  explicit BegunSeeks(PrefetchableIterator* iterator) : iterator_(iterator) {}

  bool Valid() const override { return iterator_->Valid(); }
  void SeekToFirst() override { iterator_->SeekToFirst(); }
  void SeekToLast() override { iterator_->SeekToLast(); }
  void Seek(const Slice& target) override {
    begins_ = !begins_;
    if (begins_) iterator_->PrefetchSeek(target);
    iterator_->Seek(target);
  }
  void Next() override { iterator_->Next(); }
  void Prev() override { iterator_->Prev(); }
  Slice key() const override { return iterator_->key(); }
  Slice value() const override { return iterator_->value(); }
  Status status() const override { return iterator_->status(); }

 private:
  const std::unique_ptr<PrefetchableIterator> iterator_;
  bool begins_ = false;
};

// Returns `iterator` itself, or BegunSeeks over it.
inline std::unique_ptr<Iterator> OneWayToSeek(PrefetchableIterator* iterator, bool begun) {
  return std::unique_ptr<Iterator>(begun ? static_cast<Iterator*>(new BegunSeeks(iterator))
                                         : iterator);
}

// Iterates from end to end like a scan that reads values, in stretches with and without
// prefetching, and expects `entries`. `ahead` is the iterator's ReadAhead; sets *changes to the
// number of times that ahead->wanted() changed.
inline void WalkReadingAhead(Iterator* iterator, const Entries& entries, bool backward,
                             ReadAhead* ahead, int* changes) {
  *changes = 0;
  backward ? iterator->SeekToLast() : iterator->SeekToFirst();
  for (size_t i = 0; i < entries.size(); i++) {
    const auto& [key, value] = entries[backward ? entries.size() - 1 - i : i];
    ASSERT_TRUE(iterator->Valid()) << iterator->status().ToString();
    ASSERT_EQ(key, iterator->key().ToString());
    ASSERT_EQ(value, iterator->value().ToString());
    const bool was_wanted = ahead->wanted();
    ahead->OnValue();
    ahead->OnStep();
    *changes += ahead->wanted() != was_wanted;
    backward ? iterator->Prev() : iterator->Next();
  }
  ASSERT_FALSE(iterator->Valid());
}

// Takes `steps` random steps with *iterator and expects `entries` all along. Seek targets are made
// by `new_target`, or are existing keys. Equal keys may repeat only if `entries` holds them in the
// order in which they should be returned.
template <typename NewTarget>
void WalkAtRandom(Iterator* iterator, const Entries& entries, const Comparator* comparator,
                  int steps, Random* random, NewTarget new_target) {
  size_t index = entries.size();
  for (int i = 0; i < steps; i++) {
    const bool valid = index < entries.size();
    switch (random->Uniform(valid ? 20 : 4)) {
      case 0:
        iterator->SeekToFirst();
        index = 0;
        break;
      case 1:
        iterator->SeekToLast();
        index = entries.empty() ? 0 : entries.size() - 1;
        break;
      case 2:
      case 3: {
        const std::string target = entries.empty() || random->OneIn(2)
                                       ? new_target()
                                       : entries[random->Uniform(entries.size())].first;
        iterator->Seek(target);
        index = SeekIndex(entries, comparator, target);
        break;
      }
      default: {  // a few steps in one direction
        const bool forward = random->OneIn(2);
        for (size_t n = 1 + random->Uniform(5); n > 0 && index < entries.size(); n--) {
          ASSERT_EQ(iterator->key().ToString(), entries[index].first);
          if (forward) {
            iterator->Next();
            index++;
          } else {
            iterator->Prev();
            index = index == 0 ? entries.size() : index - 1;
          }
          ASSERT_EQ(iterator->Valid(), index < entries.size()) << iterator->status().ToString();
        }
      }
    }
    ASSERT_EQ(iterator->Valid(), index < entries.size()) << iterator->status().ToString();
    if (index < entries.size()) {
      ASSERT_EQ(iterator->key().ToString(), entries[index].first);
      ASSERT_EQ(iterator->value().ToString(), entries[index].second);
    }
  }
  ASSERT_TRUE(iterator->status().ok()) << iterator->status().ToString();
}

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_ITERATOR_CHECK_H_
