#include "pmem/media/pool_root.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "pmem/media/cache_line_persist.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "util/coding.h"

namespace leveldb {

namespace {

using testkit::Dice;

constexpr uint64_t kUnit = 64 << 10;  // of lengths

// A root in ordinary memory.
class Bench {
 public:
  explicit Bench(uint32_t version = PoolIdentity().version, const PoolId& id = PoolId::Random())
      : persist_(true, BestFlushMethod(), BestCopyMethod()) {
    identity_.version = version;
    identity_.id = id;
    identity_.owner = "/some/where/db";
    identity_.extent_size = 1 << 16;
    identity_.here = 4096;
    root_ = Open();
    EXPECT_TRUE(root_->Format(1 << 30).ok());
  }

  std::unique_ptr<PoolRoot> Open() {
    return std::make_unique<PoolRoot>(bytes(), identity_, "the pool", &persist_);
  }

  PoolRoot* root() const { return root_.get(); }
  char* bytes() { return reinterpret_cast<char*>(words_); }
  const PoolIdentity& identity() const { return identity_; }

 private:
  alignas(64) uint64_t words_[PoolRoot::kBytes / 8] = {};
  PoolIdentity identity_;
  CacheLinePersist persist_;
  std::unique_ptr<PoolRoot> root_;
};

using SetWord = Status (PoolRoot::*)(uint64_t);
using ReadWord = Status (PoolRoot::*)(uint64_t*) const;

// Sets a word to `value`, and expects that the root, opened again, reads `wanted`.
void ExpectKept(Bench* bench, SetWord set, ReadWord read, uint64_t value, uint64_t wanted) {
  uint64_t found;
  EXPECT_TRUE((bench->root()->*set)(value).ok());
  EXPECT_TRUE((*bench->Open().*read)(&found).ok());
  EXPECT_EQ(wanted, found);
}

PoolId Sevens() {
  PoolId id;
  id.bytes.fill(7);
  return id;
}

}  // namespace

TEST(PoolRoot, AFreshOne) {
  Bench bench;
  PoolIdentity identity;
  ASSERT_TRUE(PoolRoot::ReadIdentity(bench.bytes(), "the pool", &identity).ok());
  EXPECT_EQ(bench.identity().id, identity.id);
  EXPECT_EQ("/some/where/db", identity.owner);
  EXPECT_EQ(1u << 16, identity.extent_size);
  EXPECT_EQ(4096u, identity.here);
  uint64_t value = 77;
  EXPECT_TRUE(bench.root()->ReadEpoch(&value).ok());
  EXPECT_EQ(0u, value);
  EXPECT_TRUE(bench.root()->ReadCleanEpoch(&value).ok());
  EXPECT_EQ(0u, value);
  EXPECT_TRUE(bench.root()->ReadBytes(&value).ok());
  EXPECT_EQ(0u, value);
  EXPECT_TRUE(bench.root()->ReadCeiling(&value).ok());
  EXPECT_EQ(1u << 30, value);
  EXPECT_TRUE(bench.root()->Logs().empty());
  std::vector<PoolRoot::SlabEntry> slabs;
  EXPECT_TRUE(bench.root()->ReadSlabs(&slabs).ok());
  EXPECT_TRUE(slabs.empty());
}

TEST(PoolRoot, OwnersOfAllLengths) {
  for (const size_t length : {size_t{0}, size_t{1}, PoolRoot::kOwnerBytesMax}) {
    alignas(64) char bytes[PoolRoot::kBytes];
    memset(bytes, 'g', sizeof(bytes));
    CacheLinePersist persist(true, BestFlushMethod(), BestCopyMethod());
    PoolIdentity identity;
    identity.owner.assign(length, 'o');
    PoolRoot root(bytes, identity, "the pool", &persist);
    ASSERT_TRUE(root.Format(0).ok());
    PoolIdentity found;
    ASSERT_TRUE(PoolRoot::ReadIdentity(bytes, "the pool", &found).ok());
    EXPECT_EQ(identity.owner, found.owner);
  }
}

TEST(PoolRoot, NumbersAreKept) {
  for (const uint32_t version : {1, 2}) {
    Bench bench(version);
    const uint64_t most = (uint64_t{1} << (version == 1 ? 48 : 32)) - 1;
    for (const uint64_t wanted : {uint64_t{1}, uint64_t{0x12345678}, most, uint64_t{0}}) {
      ExpectKept(&bench, &PoolRoot::SetEpoch, &PoolRoot::ReadEpoch, wanted, wanted);
      ExpectKept(&bench, &PoolRoot::SetCleanEpoch, &PoolRoot::ReadCleanEpoch, wanted, wanted);
    }
  }
}

TEST(PoolRoot, LengthsAreKept) {
  for (const uint32_t version : {1, 2}) {
    Bench bench(version);
    const uint64_t most = ((uint64_t{1} << 32) - 1) * kUnit;
    for (const uint64_t wanted : {kUnit, 0x12345678 * kUnit, most, uint64_t{0}}) {
      ExpectKept(&bench, &PoolRoot::SetBytes, &PoolRoot::ReadBytes, wanted, wanted);
      ExpectKept(&bench, &PoolRoot::SetCeiling, &PoolRoot::ReadCeiling, wanted, wanted);
    }
  }
}

// The noted length never exceeds the real one.
TEST(PoolRoot, LengthsAreNotedInWholeUnits) {
  for (const uint32_t version : {1, 2}) {
    Bench bench(version);
    const uint64_t length = 5 * kUnit - 1;
    const uint64_t noted = version == 1 ? length : 4 * kUnit;
    ExpectKept(&bench, &PoolRoot::SetBytes, &PoolRoot::ReadBytes, length, noted);
    EXPECT_EQ(noted, bench.root()->AsNoted(length));
  }
}

TEST(PoolRoot, WhatDoesNotFitIsRefused) {
  Bench bench;
  const Status s = bench.root()->SetEpoch(uint64_t{1} << 32);
  EXPECT_TRUE(s.IsNotSupportedError()) << s.ToString();
  for (const char* const word : {"epoch", "the pool", "4294967296", "4294967295"}) {
    EXPECT_NE(std::string::npos, s.ToString().find(word)) << s.ToString();
  }
  EXPECT_TRUE(bench.root()->SetCeiling(uint64_t{1} << 48).IsNotSupportedError());
  uint64_t value;
  EXPECT_TRUE(bench.Open()->ReadCeiling(&value).ok());
  EXPECT_EQ(1u << 30, value);
}

// A sum of 16 bits accepts one value in 65,536: it would have accepted sixteen of these.
TEST(PoolRoot, GarbageIsNoWord) {
  Bench bench(2, Sevens());
  Dice dice(20261127);
  for (int i = 0; i < 1 << 20; i++) {
    const uint64_t garbage = dice.Next();
    memcpy(bench.bytes() + 1560, &garbage, sizeof(garbage));
    uint64_t value;
    ASSERT_FALSE(bench.root()->ReadCeiling(&value).ok()) << garbage << " was read as " << value;
  }
}

TEST(PoolRoot, LogsComeAndGo) {
  Bench bench;
  EXPECT_TRUE(bench.root()->AddLog({9, 65536, 1}).ok());
  EXPECT_TRUE(bench.root()->AddLog({3, 131072, 2}).ok());
  EXPECT_TRUE(bench.root()->AddLog({12, 196608, 3}).ok());
  EXPECT_EQ((std::vector<LogSlot>{{3, 131072, 2}, {9, 65536, 1}, {12, 196608, 3}}),
            bench.Open()->Logs());
  EXPECT_TRUE(bench.root()->RemoveLog(9).ok());
  EXPECT_EQ((std::vector<LogSlot>{{3, 131072, 2}, {12, 196608, 3}}), bench.Open()->Logs());
  EXPECT_TRUE(bench.root()->RemoveLog(9).IsNotFound());
  EXPECT_TRUE(bench.root()->AddLog({3, 7, 7}).IsInvalidArgument());
  EXPECT_TRUE(bench.root()->AddLog({0, 7, 7}).IsInvalidArgument());
}

TEST(PoolRoot, TooManyLogs) {
  Bench bench;
  for (uint64_t i = 1; i <= PoolRoot::kLogsMax; i++) {
    ASSERT_TRUE(bench.root()->AddLog({i, i << 16, i}).ok());
  }
  const Status s = bench.root()->AddLog({1000, 1, 1});
  EXPECT_TRUE(s.IsIOError());
  EXPECT_NE(std::string::npos, s.ToString().find("the pool")) << s.ToString();
  ASSERT_TRUE(bench.root()->RemoveLog(17).ok());
  EXPECT_TRUE(bench.root()->AddLog({1000, 1, 1}).ok());
}

TEST(PoolRoot, LogsOfManyThreads) {
  Bench bench;
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([&bench, t] {
      for (uint64_t i = 0; i < 200; i++) {
        const uint64_t number = t * 1000 + i + 1;
        EXPECT_TRUE(bench.root()->AddLog({number, number, number}).ok());
        for (const LogSlot& log : bench.root()->Logs()) EXPECT_EQ(log.number, log.salt);
        EXPECT_TRUE(bench.root()->RemoveLog(number).ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(bench.root()->Logs().empty());
}

TEST(PoolRoot, SlabEntries) {
  Bench bench;
  for (uint64_t i = 0; i < 3; i++) {
    ASSERT_TRUE(bench.root()->PrepareSlab(i, 1000 * (i + 1)).ok());
    std::vector<PoolRoot::SlabEntry> slabs;
    ASSERT_TRUE(bench.root()->ReadSlabs(&slabs).ok());
    EXPECT_EQ(i, slabs.size());  // not allocated yet
    const uint64_t object[] = {42, 65536 * (i + 1)};
    memcpy(bench.root()->SlabObject(i), object, sizeof(object));
    ASSERT_TRUE(bench.root()->ReadSlabs(&slabs).ok());
    ASSERT_EQ(i + 1, slabs.size());
    EXPECT_FALSE(slabs[i].sealed);
    ASSERT_TRUE(bench.root()->SealSlab(i).ok());
    ASSERT_TRUE(bench.root()->ReadSlabs(&slabs).ok());
    EXPECT_TRUE(slabs[i].sealed);
    EXPECT_EQ(42u, slabs[i].pool_number);
    EXPECT_EQ(65536 * (i + 1), slabs[i].begin);
    EXPECT_EQ(1000 * (i + 1), slabs[i].length);
  }
}

// Every flipped bit is detected: the identity, a word or a slab is damaged, or a log is gone; none
// ever has another value.
TEST(PoolRoot, EveryFlippedBitIsFoundOut) {
  Bench bench;
  ASSERT_TRUE(bench.root()->SetEpoch(5).ok());
  ASSERT_TRUE(bench.root()->AddLog({7, 65536, 99}).ok());
  ASSERT_TRUE(bench.root()->AddLog({8, 131072, 98}).ok());
  ASSERT_TRUE(bench.root()->PrepareSlab(0, 1000).ok());
  const uint64_t object[] = {42, 65536};
  memcpy(bench.root()->SlabObject(0), object, sizeof(object));
  ASSERT_TRUE(bench.root()->SealSlab(0).ok());

  const std::string sound(bench.bytes(), PoolRoot::kBytes);
  for (size_t bit = 0; bit < 8 * PoolRoot::kBytes; bit++) {
    if (sound[bit / 8] == 0 && bit % 61 != 0) continue;  // zeros are many and alike
    bench.bytes()[bit / 8] = static_cast<char>(sound[bit / 8] ^ 1 << (bit % 8));
    PoolIdentity identity;
    uint64_t epoch = 0;
    uint64_t clean = 0;
    uint64_t bytes = 0;
    uint64_t ceiling = 0;
    std::vector<PoolRoot::SlabEntry> slabs;
    const std::unique_ptr<PoolRoot> root = bench.Open();
    const Status s = PoolRoot::ReadIdentity(bench.bytes(), "the pool", &identity);
    EXPECT_TRUE(!s.ok() || bench.identity().owner == identity.owner);
    EXPECT_TRUE(!root->ReadEpoch(&epoch).ok() || epoch == 5);
    EXPECT_TRUE(!root->ReadCleanEpoch(&clean).ok() || clean == 0);
    EXPECT_TRUE(!root->ReadBytes(&bytes).ok() || bytes == 0);
    EXPECT_TRUE(!root->ReadCeiling(&ceiling).ok() || ceiling == (1u << 30));
    if (root->ReadSlabs(&slabs).ok()) {
      for (const PoolRoot::SlabEntry& slab : slabs) {
        EXPECT_TRUE(!slab.sealed || (slab.pool_number == 42 && slab.begin == 65536));
        EXPECT_TRUE(!slab.sealed || slab.length == 1000);
      }
    }
    for (const LogSlot& log : root->Logs()) {
      EXPECT_TRUE(log == (LogSlot{7, 65536, 99}) || log == (LogSlot{8, 131072, 98}));
    }
    bench.bytes()[bit / 8] = sound[bit / 8];
  }
}

TEST(PoolRoot, AnotherFormatIsNamed) {
  Bench bench;
  bench.bytes()[8] = 9;
  PoolIdentity identity;
  const Status s = PoolRoot::ReadIdentity(bench.bytes(), "the pool", &identity);
  EXPECT_TRUE(s.IsNotSupportedError()) << s.ToString();
}

// The sums are the same, too.
TEST(PoolRoot, TheWordsAreAsTheyWere) {
  const uint64_t epochs[] = {0xd14b000000000005, 0x1386d14b00000005};
  const uint64_t ceilings[] = {0x7696000040000000, 0xa3c11b4200004000};
  for (const uint32_t version : {1, 2}) {
    Bench bench(version, Sevens());
    ASSERT_TRUE(bench.root()->SetEpoch(5).ok());
    EXPECT_EQ(epochs[version - 1], LoadFixed64(bench.bytes() + 1536));
    EXPECT_EQ(ceilings[version - 1], LoadFixed64(bench.bytes() + 1560));
    EXPECT_TRUE(bench.root()->SetEpoch(uint64_t{1} << 48).IsNotSupportedError());
  }
}

// A pool keeps the format that it was created with.
TEST(PoolRoot, TheFormatBefore) {
  Bench bench(1);
  PoolIdentity identity;
  ASSERT_TRUE(PoolRoot::ReadIdentity(bench.bytes(), "the pool", &identity).ok());
  EXPECT_EQ(1u, identity.version);
  EXPECT_EQ(std::string("\x01\0\0\0", 4), std::string(bench.bytes() + 8, 4));
  EXPECT_EQ(std::string("\0\0\0\x40\0\0", 6), std::string(bench.bytes() + 1560, 6));
}

// Checks the bytes themselves, so that later versions can open today's pools.
TEST(PoolRoot, TheBytesAreAsDrawn) {
  Bench bench;
  ASSERT_TRUE(bench.root()->AddLog({7, 65536, 99}).ok());
  const std::string bytes(bench.bytes(), PoolRoot::kBytes);
  EXPECT_EQ("BushPool", bytes.substr(0, 8));
  EXPECT_EQ(std::string("\x02\0\0\0\x0e\0\0\0", 8), bytes.substr(8, 8));
  EXPECT_EQ(0, memcmp(bytes.data() + 16, bench.identity().id.bytes.data(), 16));
  EXPECT_EQ(std::string("\0\0\x01\0\0\0\0\0\0\x10\0\0\0\0\0\0", 16), bytes.substr(32, 16));
  EXPECT_EQ("/some/where/db", bytes.substr(64, 14));
  EXPECT_EQ(std::string("\0\0\0\0", 4), bytes.substr(1536, 4));
  EXPECT_EQ(std::string("\0\x40\0\0", 4), bytes.substr(1560, 4));
  EXPECT_EQ(std::string("\x07\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\x63", 17), bytes.substr(5696, 17));
}

}  // namespace leveldb
