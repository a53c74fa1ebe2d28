#include "benchmarks/key_ledger.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "util/random.h"

namespace leveldb::bench {
namespace {

class KeyLedgerTest : public testing::Test {
 protected:
  ~KeyLedgerTest() override { std::remove(path_.c_str()); }

  std::string Bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }

  void Overwrite(const std::string& bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  const std::string path_ = testing::TempDir() + "/key_ledger_test." + std::to_string(getpid()) +
                            "." + testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(KeyLedgerTest, StartsAsTold) {
  const KeyLedger fresh(10, KeyLedger::kAbsent);
  EXPECT_EQ(KeyLedger::kAbsent, fresh.Get(9));
  EXPECT_EQ(KeyLedger::kAbsent, fresh.Get(10));
  const KeyLedger nothing(0, KeyLedger::kUnknown);
  EXPECT_EQ(KeyLedger::kUnknown, nothing.Get(0));
}

TEST_F(KeyLedgerTest, RemembersAndForgets) {
  KeyLedger ledger(10, KeyLedger::kUnknown);
  ledger.Set(3, 7);
  ledger.Set(10, 7);  // not tracked
  EXPECT_EQ(7, ledger.Get(3));
  EXPECT_EQ(KeyLedger::kUnknown, ledger.Get(10));
  ledger.Reset(KeyLedger::kAbsent);
  EXPECT_EQ(KeyLedger::kAbsent, ledger.Get(3));
  EXPECT_EQ(KeyLedger::kAbsent, ledger.Get(10));
}

TEST_F(KeyLedgerTest, EntersWhatAPhaseHasWritten) {
  KeyLedger ledger(10, KeyLedger::kAbsent);
  ledger.Enter({KeyOrder(), 3, 7});
  for (uint64_t key = 0; key < 10; key++) {
    EXPECT_EQ(key < 3 ? 7 : KeyLedger::kAbsent, ledger.Get(key));
  }

  KeyOrder drawn(Random(301), 10);
  ledger.Reset(KeyLedger::kAbsent);
  ledger.Enter({drawn, 4, 7});
  std::set<uint64_t> written;
  for (int i = 0; i < 4; i++) written.insert(drawn.Next());
  for (uint64_t key = 0; key < 10; key++) {
    EXPECT_EQ(written.count(key) != 0 ? 7 : KeyLedger::kAbsent, ledger.Get(key));
  }
}

TEST_F(KeyLedgerTest, FirstPresent) {
  KeyLedger ledger(10, KeyLedger::kAbsent);
  ledger.Set(2, KeyLedger::kUnknown);
  ledger.Set(4, 1);
  ledger.Set(8, 2);
  EXPECT_EQ(4u, ledger.FirstPresent(0, 10));
  EXPECT_EQ(4u, ledger.FirstPresent(4, 10));
  EXPECT_EQ(8u, ledger.FirstPresent(5, 1000));
  EXPECT_EQ(8u, ledger.FirstPresent(5, 8));
  EXPECT_EQ(1000u, ledger.FirstPresent(9, 1000));
  EXPECT_EQ(5u, ledger.FirstPresent(5, 5));
}

TEST_F(KeyLedgerTest, GenerationsGoRoundWithoutTheSpecialOnes) {
  KeyLedger ledger(0, KeyLedger::kUnknown);
  EXPECT_EQ(1, ledger.NextGeneration());
  for (int i = 0; i < 1000; ++i) {
    const Generation generation = ledger.NextGeneration();
    ASSERT_NE(KeyLedger::kAbsent, generation);
    ASSERT_NE(KeyLedger::kUnknown, generation);
  }
}

TEST_F(KeyLedgerTest, SurvivesSaveAndLoad) {
  KeyLedger saved(1000, KeyLedger::kAbsent);
  for (int i = 0; i < 5; ++i) saved.NextGeneration();
  for (uint64_t key = 0; key < 1000; key += 3) saved.Set(key, static_cast<Generation>(1 + key % 5));
  ASSERT_EQ("", saved.Save(path_, 4));

  KeyLedger loaded(10, KeyLedger::kUnknown);
  ASSERT_EQ("", loaded.Load(path_, 4));
  EXPECT_EQ(1000u, loaded.keys());
  for (uint64_t key = 0; key < 1100; ++key) ASSERT_EQ(saved.Get(key), loaded.Get(key)) << key;
  EXPECT_EQ(6, loaded.NextGeneration());
}

TEST_F(KeyLedgerTest, MoreKeysThanSavedAreAsTheUntrackedOnesWere) {
  const KeyLedger saved(10, KeyLedger::kAbsent);
  ASSERT_EQ("", saved.Save(path_, 0));
  KeyLedger loaded(20, KeyLedger::kUnknown);
  ASSERT_EQ("", loaded.Load(path_, 0));
  EXPECT_EQ(20u, loaded.keys());
  EXPECT_EQ(KeyLedger::kAbsent, loaded.Get(15));
}

TEST_F(KeyLedgerTest, NoFileIsNoMistake) {
  KeyLedger ledger(10, KeyLedger::kUnknown);
  EXPECT_EQ("", ledger.Load(path_, 0));
  EXPECT_EQ(KeyLedger::kUnknown, ledger.Get(0));
}

TEST_F(KeyLedgerTest, AnotherPrefixIsRefused) {
  ASSERT_EQ("", KeyLedger(10, KeyLedger::kAbsent).Save(path_, 4));
  KeyLedger ledger(10, KeyLedger::kUnknown);
  EXPECT_NE(std::string::npos, ledger.Load(path_, 0).find("--key_prefix=4"));
}

TEST_F(KeyLedgerTest, EveryDamageIsFound) {
  ASSERT_EQ("", KeyLedger(20, KeyLedger::kAbsent).Save(path_, 0));
  const std::string good = Bytes();
  for (size_t i = 0; i < good.size(); ++i) {
    KeyLedger ledger(10, KeyLedger::kUnknown);
    std::string bad = good;
    bad[i] ^= 4;
    Overwrite(bad);
    ASSERT_NE("", ledger.Load(path_, 0)) << "byte " << i;
    Overwrite(good.substr(0, i));
    ASSERT_NE("", ledger.Load(path_, 0)) << "cut to " << i;
    ASSERT_EQ(KeyLedger::kUnknown, ledger.Get(0));
  }
}

TEST_F(KeyLedgerTest, UnwritableFileIsTold) {
  EXPECT_NE("", KeyLedger(1, KeyLedger::kAbsent).Save("/no/such/directory/file", 0));
}

}  // namespace
}  // namespace leveldb::bench
