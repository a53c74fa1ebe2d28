#include "db/read/db_iter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace leveldb {
namespace {

struct Entry {
  std::string key;
  std::string value;
};

constexpr char kUnreadable[] = "unreadable";

struct Faults {
  bool seeks = false;
  bool reads = true;  // of entries whose value is kUnreadable
};

// An internal iterator over a sorted vector. Depending on `faults`, seeks fail, or the iterator
// ends at an unreadable entry with an error. A seek clears an earlier error, as in trees. A value
// that was returned stays valid for one step, as promised, and is overwritten by the second.
class VectorIterator final : public InternalIteratorBase<VectorIterator> {
 public:
  VectorIterator(const InternalKeyComparator* comparator, std::vector<Entry> entries,
                 const Faults* faults)
      : comparator_(comparator), entries_(std::move(entries)), faults_(faults) {
    std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) {
      return comparator_->Compare(Slice(a.key), Slice(b.key)) < 0;
    });
    position_ = entries_.size();
  }

  bool Valid() const override { return position_ < entries_.size(); }
  void SeekToFirst() override {
    failed_ = false;
    MoveTo(0);
  }
  void SeekToLast() override {
    failed_ = false;
    MoveTo(entries_.empty() || faults_->seeks ? entries_.size() : entries_.size() - 1);
  }
  void Seek(const Slice& target) override {
    failed_ = false;
    size_t position = faults_->seeks ? entries_.size() : 0;
    while (position < entries_.size() &&
           comparator_->Compare(Slice(entries_[position].key), target) < 0) {
      position++;
    }
    MoveTo(position);
  }
  void Next() override {
    EXPECT_TRUE(Valid());
    MoveTo(position_ + 1);
  }
  void Prev() override { MoveTo(position_ == 0 ? entries_.size() : position_ - 1); }
  Slice key() const override { return entries_[position_].key; }
  Slice value() const override { return shown_[moves_ % 2]; }
  Status status() const override {
    return faults_->seeks || failed_ ? Status::IOError("entries", "unreadable") : Status::OK();
  }

 private:
  void MoveTo(size_t position) {
    position_ = position;
    moves_++;
    if (faults_->reads && Valid() && entries_[position_].value == kUnreadable) {
      failed_ = true;
      position_ = entries_.size();
    }
    std::string& shown = shown_[moves_ % 2];
    std::fill(shown.begin(), shown.end(), '#');
    if (Valid()) shown = entries_[position_].value;
  }

  const InternalKeyComparator* const comparator_;
  std::vector<Entry> entries_;
  const Faults* const faults_;
  bool failed_ = false;
  size_t position_;
  size_t moves_ = 0;
  std::string shown_[2];  // the values at the current and at the previous position
};

class DbIterTest : public testing::Test {
 protected:
  void Put(const std::string& key, SequenceNumber sequence, const std::string& value) {
    entries_.push_back({InternalKey(key, sequence, kTypeValue).Encode().ToString(), value});
  }
  void Delete(const std::string& key, SequenceNumber sequence) {
    entries_.push_back({InternalKey(key, sequence, kTypeDeletion).Encode().ToString(), ""});
  }
  std::unique_ptr<Iterator> At(SequenceNumber sequence) { return At(sequence, &read_ahead_habit_); }
  std::unique_ptr<Iterator> At(SequenceNumber sequence, ReadAheadHabit* habit) {
    DbIterSources sources;
    sources.comparator = &comparator_;
    sources.read_ahead = std::make_unique<ReadAhead>(habit);
    read_ahead_ = sources.read_ahead.get();
    sources.entries = std::make_unique<VectorIterator>(&comparator_, entries_, &faults_);
    sources.sequence = sequence;
    return std::unique_ptr<Iterator>(NewDbIterator(std::move(sources)));
  }
  static std::string Shown(const Iterator& it) {
    return it.Valid() ? it.key().ToString() + "=" + it.value().ToString() : "(end)";
  }
  // Returns a value that is on the heap, where memory checkers detect a use after free.
  static std::string LongValue(SequenceNumber number) {
    return std::string(40, 'v') + std::to_string(number);
  }
  static std::string Forward(Iterator* it) {
    std::string text;
    for (it->SeekToFirst(); it->Valid(); it->Next()) text += Shown(*it) + " ";
    return text;
  }
  static std::string Backward(Iterator* it) {
    std::string text;
    for (it->SeekToLast(); it->Valid(); it->Prev()) text += Shown(*it) + " ";
    return text;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  ReadAheadHabit read_ahead_habit_;
  const ReadAhead* read_ahead_ = nullptr;  // of the iterator that was made last
  std::vector<Entry> entries_;
  Faults faults_;
};

TEST_F(DbIterTest, ShowsTheNewestVisibleVersionOfEachLiveKey) {
  Put("a", 1, "a1");
  Put("a", 5, "a5");
  Delete("b", 4);
  Put("b", 2, "b2");
  Put("c", 3, "c3");
  EXPECT_EQ("a=a5 c=c3 ", Forward(At(9).get()));
  EXPECT_EQ("c=c3 a=a5 ", Backward(At(9).get()));
  EXPECT_EQ("a=a1 b=b2 c=c3 ", Forward(At(3).get()));
  EXPECT_EQ("c=c3 b=b2 a=a1 ", Backward(At(3).get()));
  EXPECT_EQ("", Forward(At(0).get()));
  EXPECT_EQ("", Backward(At(0).get()));
}

TEST_F(DbIterTest, TurnsAroundAnywhere) {
  Put("a", 1, "1");
  Put("b", 2, "2");
  Put("b", 7, "hidden");
  Delete("c", 3);
  Put("d", 4, "4");
  const auto it = At(5);
  it->Seek("b");
  EXPECT_EQ("b=2", Shown(*it));
  it->Prev();
  EXPECT_EQ("a=1", Shown(*it));
  it->Next();
  EXPECT_EQ("b=2", Shown(*it));
  it->Next();
  EXPECT_EQ("d=4", Shown(*it));
  it->Prev();
  EXPECT_EQ("b=2", Shown(*it));
  it->Seek("c");
  EXPECT_EQ("d=4", Shown(*it));
  it->Next();
  EXPECT_EQ("(end)", Shown(*it));
  it->SeekToLast();
  EXPECT_EQ("d=4", Shown(*it));
  it->Seek("e");
  EXPECT_EQ("(end)", Shown(*it));
}

// The first stretch of steps does not prefetch values; the second one tries it if values were read.
TEST_F(DbIterTest, ThatLongValuesAreLookedAtMakesThemWantedBothWays) {
  for (int i = 0; i < 2 * ReadAhead::kStretch; i++) {
    Put("k" + std::to_string(1000 + i), 1, std::string(1000, 'v'));
  }
  for (const bool forward : {true, false}) {
    for (const bool looks_at_values : {true, false}) {
      ReadAheadHabit fresh;
      const auto it = At(5, &fresh);
      forward ? it->SeekToFirst() : it->SeekToLast();
      for (int i = 0; i < ReadAhead::kStretch; i++) {
        EXPECT_FALSE(read_ahead_->wanted());
        if (looks_at_values) {
          EXPECT_EQ(1000u, it->value().size());
        }
        forward ? it->Next() : it->Prev();
      }
      EXPECT_EQ(looks_at_values, read_ahead_->wanted());
    }
  }
}

TEST_F(DbIterTest, ThatShortValuesAreLookedAtMakesNoneWanted) {
  for (int i = 0; i < 5 * ReadAhead::kStretch; i++) Put("k" + std::to_string(1000 + i), 1, "v");
  const auto it = At(5);
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    EXPECT_EQ("v", it->value().ToString());
    EXPECT_FALSE(read_ahead_->wanted());
  }
}

TEST_F(DbIterTest, ManyVersionsAreSkippedBothWays) {
  for (SequenceNumber sequence = 1; sequence <= 200; sequence++) {
    Put("hot", sequence, std::to_string(sequence));
  }
  Put("a", 1, "x");
  Put("z", 1, "y");
  EXPECT_EQ("a=x hot=200 z=y ", Forward(At(500).get()));
  EXPECT_EQ("z=y hot=200 a=x ", Backward(At(500).get()));
  EXPECT_EQ("a=x hot=100 z=y ", Forward(At(100).get()));
  entries_.pop_back();  // the hot key becomes the last one
  EXPECT_EQ("a=x hot=100 ", Forward(At(100).get()));
}

TEST_F(DbIterTest, AValueStaysWhileInvisibleVersionsOfItsKeyArePassed) {
  for (SequenceNumber s = 1; s <= 9; s++) Put("b", s, LongValue(s));
  Put("a", 10, LongValue(10));
  const auto it = At(4);
  EXPECT_EQ("b=" + LongValue(4) + " ", Backward(it.get()));
  const auto later = At(10);
  EXPECT_EQ("b=" + LongValue(9) + " a=" + LongValue(10) + " ", Backward(later.get()));
}

TEST_F(DbIterTest, AnErrorWhileVersionsAreSkippedIsTheEnd) {
  for (SequenceNumber sequence = 1; sequence <= 100; sequence++) Put("a", sequence, "a");
  Put("b", 101, "b");
  const std::unique_ptr<Iterator> it = At(200);
  it->SeekToFirst();
  EXPECT_EQ("a=a", Shown(*it));
  faults_.seeks = true;
  it->Next();
  EXPECT_FALSE(it->Valid());
  EXPECT_TRUE(it->status().IsIOError());
}

TEST_F(DbIterTest, AnErrorBehindTheVersionsThatAreSkippedIsTheEnd) {
  for (SequenceNumber sequence = 2; sequence <= 100; sequence++) Put("a", sequence, "a");
  Put("b", 101, kUnreadable);
  Put("c", 102, "c");
  const std::unique_ptr<Iterator> it = At(200);
  EXPECT_EQ("a=a ", Forward(it.get()));
  EXPECT_TRUE(it->status().IsIOError());
}

TEST_F(DbIterTest, AnErrorBeforeTheFirstKeyStaysWhenTheWalkTurns) {
  Put("a", 1, kUnreadable);
  Put("b", 2, "b");
  Put("c", 3, "c");
  const std::unique_ptr<Iterator> it = At(200);
  it->Seek("b");
  EXPECT_EQ("b=b", Shown(*it));
  EXPECT_TRUE(it->status().ok());
  it->SeekToLast();
  it->Prev();
  EXPECT_EQ("b=b", Shown(*it));  // the entry before it has been looked for
  faults_.reads = false;
  it->Next();
  EXPECT_TRUE(it->status().IsIOError());
}

TEST_F(DbIterTest, AKeyThatIsNoneIsReportedAndPassed) {
  Put("a", 1, "1");
  Put("c", 1, "3");
  std::string bad = InternalKey("b", 1, kTypeValue).Encode().ToString();
  bad[1] = 0x7f;  // no such type
  entries_.push_back({bad, "2"});
  const auto it = At(9);
  EXPECT_EQ("a=1 c=3 ", Forward(it.get()));
  EXPECT_TRUE(it->status().IsCorruption());
}

TEST_F(DbIterTest, AgreesWithAMapOnRandomWalks) {
  const uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  for (int round = 0; round < 100; round++) {
    entries_.clear();
    const SequenceNumber sequence = random() % 300;
    std::map<std::string, std::optional<std::string>> visible;
    for (SequenceNumber s = 1; s <= 250; s++) {
      const std::string key(1 + random() % 2, static_cast<char>('a' + random() % 12));
      const bool is_deletion = random() % 3 == 0;
      if (is_deletion) {
        Delete(key, s);
      } else {
        Put(key, s, LongValue(s));
      }
      if (s <= sequence) {
        visible[key] = is_deletion ? std::nullopt : std::optional(LongValue(s));
      }
    }
    std::map<std::string, std::string> live;
    for (const auto& [key, value] : visible) {
      if (value.has_value()) live[key] = *value;
    }
    const auto it = At(sequence);
    auto expected = live.end();
    for (int step = 0; step < 200; step++) {
      const uint64_t action = random() % 8;
      if (action == 0) {
        it->SeekToFirst();
        expected = live.begin();
      } else if (action == 1) {
        it->SeekToLast();
        expected = live.empty() ? live.end() : std::prev(live.end());
      } else if (action == 2 || expected == live.end()) {
        const std::string target(1 + random() % 2, static_cast<char>('a' + random() % 13));
        it->Seek(target);
        expected = live.lower_bound(target);
      } else if (action < 6) {
        it->Next();
        ++expected;
      } else {
        it->Prev();
        expected = expected == live.begin() ? live.end() : std::prev(expected);
      }
      ASSERT_EQ(expected != live.end(), it->Valid());
      if (it->Valid()) {
        ASSERT_EQ(expected->first, it->key().ToString());
        ASSERT_EQ(expected->second, it->value().ToString());
      }
    }
  }
}

}  // namespace
}  // namespace leveldb
