#include "benchmarks/verifier.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "benchmarks/key_codec.h"

namespace leveldb::bench {
namespace {

// MapIterator is an iterator over a map that behaves like a store's iterator.
class MapIterator final : public Iterator {
 public:
  explicit MapIterator(const std::map<std::string, std::string>& entries)
      : entries_(entries), at_(entries.end()) {}

  bool Valid() const override { return at_ != entries_.end(); }
  void SeekToFirst() override { at_ = entries_.begin(); }
  void SeekToLast() override { at_ = entries_.empty() ? entries_.end() : --entries_.end(); }
  void Seek(const Slice& target) override { at_ = entries_.lower_bound(target.ToString()); }
  void Next() override { ++at_; }
  void Prev() override { at_ = at_ == entries_.begin() ? entries_.end() : --at_; }
  Slice key() const override { return at_->first; }
  Slice value() const override { return at_->second; }
  Status status() const override { return Status::OK(); }

 private:
  const std::map<std::string, std::string>& entries_;
  std::map<std::string, std::string>::const_iterator at_;
};

constexpr uint64_t kKeys = 100;
constexpr size_t kValueSize = 100;
constexpr Density kDensity = 42;

class VerifierTest : public testing::Test {
 protected:
  static std::string Key(uint64_t number) {
    KeyBuffer key(0);
    key.Set(number);
    return key.key().ToString();
  }

  std::string Value(uint64_t key, Generation generation) {
    return maker_.Make(key, generation, kValueSize).ToString();
  }

  // Updates store and ledger as an acknowledged write does.
  void Write(uint64_t key, Generation generation) {
    store_[Key(key)] = Value(key, generation);
    ledger_.Set(key, generation);
  }

  Verifier MakeVerifier(Generation writing = 0, bool enabled = true) {
    return Verifier(enabled, &ledger_, &checker_, writing, 0, &failure_);
  }

  // Reads the store as a workload does.
  bool Get(const Verifier& verifier, uint64_t key) {
    const KeyLedger::Entry expected = verifier.Expect(key);
    const auto found = store_.find(Key(key));
    return found == store_.end() ? verifier.NotFound(key, expected)
                                 : verifier.Found(key, expected, found->second);
  }

  bool Scan(const Verifier& verifier, bool forward) {
    MapIterator iterator(store_);
    Verifier::ScanPosition position = verifier.BeginScan(forward);
    forward ? iterator.SeekToFirst() : iterator.SeekToLast();
    while (iterator.Valid()) {
      if (!verifier.ScanEntry(&position, iterator.key(), iterator.value())) return false;
      forward ? iterator.Next() : iterator.Prev();
    }
    return verifier.EndScan(position);
  }

  bool Seek(const Verifier& verifier, uint64_t key) {
    MapIterator iterator(store_);
    iterator.Seek(Key(key));
    return verifier.Landed(key, iterator);
  }

  bool ScanBothWays(const Verifier& verifier) {
    return Scan(verifier, true) && Scan(verifier, false);
  }

  void ExpectTold(const std::string& words) {
    EXPECT_EQ(ExitCode::kWrongData, failure_.code());
    EXPECT_NE(std::string::npos, failure_.sentence().find(words)) << failure_.sentence();
  }

  std::map<std::string, std::string> store_;
  KeyLedger ledger_{kKeys, KeyLedger::kAbsent};
  ValueMaker maker_{ValuePool(kDensity), kValueSize};
  ValueChecker checker_{kDensity};
  Failure failure_;
};

TEST_F(VerifierTest, ARightStorePasses) {
  for (uint64_t key = 0; key < kKeys; key += 3) Write(key, 1);
  for (uint64_t key = 0; key < kKeys; key += 6) Write(key, 2);
  const Verifier verifier = MakeVerifier();
  for (uint64_t key = 0; key < kKeys; ++key) {
    EXPECT_TRUE(Get(verifier, key));
    EXPECT_TRUE(Seek(verifier, key));
  }
  EXPECT_TRUE(ScanBothWays(verifier));
  EXPECT_FALSE(failure_.happened()) << failure_.sentence();
}

TEST_F(VerifierTest, AnEmptyStorePasses) {
  const Verifier verifier = MakeVerifier();
  EXPECT_TRUE(Get(verifier, 0));
  EXPECT_TRUE(Seek(verifier, 0));
  EXPECT_TRUE(ScanBothWays(verifier));
}

TEST_F(VerifierTest, LostKeyOnGet) {
  Write(5, 1);
  store_.erase(Key(5));
  EXPECT_FALSE(Get(MakeVerifier(), 5));
  ExpectTold("key 5 was written and is not found");
}

TEST_F(VerifierTest, LostKeyOnScans) {
  for (const uint64_t lost : {uint64_t{0}, uint64_t{50}, kKeys - 1}) {
    for (uint64_t key = 0; key < kKeys; ++key) Write(key, 1);
    store_.erase(Key(lost));
    EXPECT_FALSE(Scan(MakeVerifier(), true)) << lost;
    EXPECT_FALSE(Scan(MakeVerifier(), false)) << lost;
  }
  ExpectTold("key 0 was written and an iterator passed over it");
}

TEST_F(VerifierTest, LostKeyOnSeek) {
  Write(5, 1);
  Write(8, 1);
  store_.erase(Key(5));
  EXPECT_TRUE(Seek(MakeVerifier(), 6));
  EXPECT_FALSE(Seek(MakeVerifier(), 4));
  ExpectTold("key 5");
  store_.erase(Key(8));
  EXPECT_FALSE(Seek(MakeVerifier(), 7));  // the iterator is past the end
}

TEST_F(VerifierTest, DeletedKeyThatComesBack) {
  Write(5, 1);
  ledger_.Set(5, KeyLedger::kAbsent);
  EXPECT_FALSE(Get(MakeVerifier(), 5));
  EXPECT_FALSE(Seek(MakeVerifier(), 5));
  EXPECT_FALSE(Scan(MakeVerifier(), true));
  ExpectTold("deleted or never written");
}

TEST_F(VerifierTest, StaleValue) {
  Write(5, 1);
  ledger_.Set(5, 2);
  EXPECT_FALSE(Get(MakeVerifier(), 5));
  ExpectTold("value of writing phase 1, though phase 2 overwrote it");
}

TEST_F(VerifierTest, WrongValue) {
  Write(5, 1);
  store_[Key(5)] = Value(6, 1);
  EXPECT_FALSE(Get(MakeVerifier(), 5));
  EXPECT_FALSE(Seek(MakeVerifier(), 3));
  EXPECT_FALSE(ScanBothWays(MakeVerifier()));
  ExpectTold("key 5 has a wrong value (100 bytes)");
}

TEST_F(VerifierTest, ForeignKey) {
  store_["somebody else's\n"] = "x";
  EXPECT_FALSE(Scan(MakeVerifier(), true));
  EXPECT_FALSE(Seek(MakeVerifier(), 0));
  ExpectTold("somebody else's\\x0a");
}

TEST_F(VerifierTest, KeyFarBeyondTheTrackedOnes) {
  store_[Key(1'000'000)] = Value(1'000'000, 1);
  EXPECT_FALSE(Scan(MakeVerifier(), true));
  ExpectTold("key 1000000 was found");
}

TEST_F(VerifierTest, ScanOutOfOrder) {
  Write(5, 1);
  const Verifier verifier = MakeVerifier();
  Verifier::ScanPosition position = verifier.BeginScan(true);
  EXPECT_TRUE(verifier.ScanEntry(&position, Key(5), store_[Key(5)]));
  EXPECT_FALSE(verifier.ScanEntry(&position, Key(5), store_[Key(5)]));
  ExpectTold("out of order");
}

TEST_F(VerifierTest, SeekBelowItsTarget) {
  Write(5, 1);
  MapIterator iterator(store_);
  iterator.SeekToFirst();
  EXPECT_FALSE(MakeVerifier().Landed(6, iterator));
  ExpectTold("ended below it, at key 5");
}

TEST_F(VerifierTest, NearMissIsNeverThere) {
  EXPECT_FALSE(MakeVerifier().FoundNearMiss(5));
  ExpectTold("never written");
}

TEST_F(VerifierTest, BesideAWriterOldAndNewAreRightAndOlderIsNot) {
  Write(5, 2);
  const Verifier verifier = MakeVerifier(3);
  const KeyLedger::Entry expected = verifier.Expect(5);
  EXPECT_TRUE(verifier.Found(5, expected, Value(5, 2)));
  EXPECT_TRUE(verifier.Found(5, expected, Value(5, 3)));
  EXPECT_TRUE(verifier.Found(6, verifier.Expect(6), Value(6, 3)));
  EXPECT_TRUE(verifier.NotFound(6, verifier.Expect(6)));
  EXPECT_FALSE(verifier.Found(5, expected, Value(5, 1)));
}

TEST_F(VerifierTest, BesideAWriterAnAcknowledgedWriteMustShow) {
  Write(5, 3);
  const Verifier verifier = MakeVerifier(3);
  EXPECT_FALSE(verifier.Found(5, verifier.Expect(5), Value(5, 2)));
}

TEST_F(VerifierTest, OfUnknownKeysOnlyTheValueIsChecked) {
  ledger_.Reset(KeyLedger::kUnknown);
  store_[Key(5)] = Value(5, 9);
  const Verifier verifier = MakeVerifier();
  EXPECT_TRUE(Get(verifier, 5));
  EXPECT_TRUE(Get(verifier, 6));
  EXPECT_TRUE(Seek(verifier, 0));
  EXPECT_TRUE(ScanBothWays(verifier));
  store_[Key(6)] = Value(5, 9);
  EXPECT_FALSE(Get(verifier, 6));
}

TEST_F(VerifierTest, SwitchedOffPassesAnything) {
  Write(5, 1);
  store_.clear();
  store_["foreign"] = "x";
  const Verifier verifier = MakeVerifier(0, false);
  EXPECT_TRUE(Get(verifier, 5));
  EXPECT_TRUE(Seek(verifier, 0));
  EXPECT_TRUE(ScanBothWays(verifier));
  EXPECT_TRUE(verifier.FoundNearMiss(5));
  EXPECT_FALSE(failure_.happened());
}

}  // namespace
}  // namespace leveldb::bench
