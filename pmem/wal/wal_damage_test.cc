// Tests that damage which a power failure cannot have caused is told from damage which it can have
// caused.
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pmem/wal/wal_test.h"
#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

using testkit::AnnouncedSeed;
using testkit::Dice;
using testkit::Scaled;
using testkit::ScratchPool;

constexpr uint64_t kExtent = Pool::kExtentBytesMin;

class WalDamageTest : public WalTest {};

INSTANTIATE_TEST_SUITE_P(Stores, WalDamageTest, testing::Bool(), [](const auto& instance) {
  return instance.param ? "Deferred" : "AtOnce";
});

// If every record is fenced, no record is begun before everything before it is there.
TEST_P(WalDamageTest, DamageBeforeWholeRecordsIsNoTornEnd) {
  const auto log = NewLog(7);
  Append(log.get(), "one");
  Append(log.get(), "the second record");
  Append(log.get(), "three");
  Find("the second record")[3] ^= 1;
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  EXPECT_EQ(std::vector<std::string>{"one"}, ReadAll(&reader));
  EXPECT_EQ(!GetParam(), reader.status().IsCorruption());
  if (reader.status().IsCorruption()) {
    EXPECT_NE(std::string::npos, reader.status().ToString().find("log #7 in pool "));
  }
}

// Records that were acknowledged after the end of an extent must not be lost because of a torn end
// before it.
TEST_P(WalDamageTest, DamageIsNoticedAlsoWhereTheRecordsGoOnInAnotherExtent) {
  Dice dice(AnnouncedSeed());
  const std::string filler = dice.Bytes(kExtent - 64 - 64 - 64 - 2048 - 8);
  const std::string before_next = dice.Bytes(1024 - 8);
  const std::string in_pieces = dice.Bytes(3 * kExtent);
  const auto log = NewLog(7);
  Append(log.get(), filler);
  Append(log.get(), before_next);
  Append(log.get(), std::string(1024 - 8, 'e'));  // up to the end: a next record follows
  Append(log.get(), in_pieces);
  ASSERT_EQ(5u, log->held()->held().size());
  const std::vector<PoolOffset> extents = log->held()->held();
  const size_t next_at = kExtent - 64;

  struct Case {
    const char* what;
    char* byte;
    size_t left;  // records
  };
  const Case cases[] = {
      {"a record", Find(before_next.substr(0, 100)), 1},
      {"a record before a next", Find(std::string(1024 - 8, 'e')) + 77, 2},
      {"a next", pool().At(extents[0]) + next_at + 10, 3},
      {"a next's kind", pool().At(extents[0]) + next_at + 4, 3},
      {"the header of an extent", pool().At(extents[1]) + 20, 3},
      {"a first piece", pool().At(extents[1]) + 5000, 3},
      {"the header of a first piece", pool().At(extents[1]) + 64 + 5, 3},
      {"a middle piece", pool().At(extents[2]) + 64, 3},
      {"the next behind a middle piece", pool().At(extents[2]) + next_at + 9, 3},
      {"the header of a piece's extent", pool().At(extents[3]) + 60, 3},
      {"the last middle piece", pool().At(extents[3]) + 300, 3},
  };
  for (const Case& damage : cases) {
    *damage.byte ^= 1;
    WalReader reader(pool(), Slot(7));
    ASSERT_TRUE(reader.Open().ok());
    EXPECT_EQ(damage.left, ReadAll(&reader).size()) << damage.what;
    EXPECT_EQ(!GetParam(), reader.status().IsCorruption()) << damage.what;
    *damage.byte ^= 1;
  }
  EXPECT_EQ(4u, Records(7).size());

  // The last piece of a record proves the others, even if it is all that follows.
  Slice payload;
  std::string scratch;
  WalReader reader(pool(), Slot(7));
  ASSERT_TRUE(reader.Open().ok());
  for (int i = 0; i < 3; i++) ASSERT_TRUE(reader.ReadRecord(&payload, &scratch));
  EXPECT_EQ(!GetParam(), reader.Reject(Status::Corruption("value")).IsCorruption());
}

// Tests records of two concurrent writers, each of which is fenced by its own thread.
class WalSharedTest : public WalTest {
 protected:
  void SetUp() override {
    WalTest::SetUp();
    log_ = NewLog(7);
    Append(log_.get(), "before");
  }

  void Put(const std::string& payload, WalKind kind = WalKind::kShared) {
    WalWriter::Reservation reservation;
    ASSERT_TRUE(log_->Reserve(payload.size(), &reservation));
    log_->Fill(reservation, kind, payload);
  }
  void PutTorn(const std::string& payload, WalKind kind = WalKind::kShared) {
    Put(payload, kind);
    Find(payload)[2] ^= 1;
  }

  // Returns true if reading the log, or rejecting its record of this number, finds damage.
  bool IsDamaged(int rejected = -1) {
    WalReader reader(pool(), Slot(7));
    EXPECT_TRUE(reader.Open().ok());
    Slice payload;
    std::string scratch;
    for (int i = 0; reader.ReadRecord(&payload, &scratch); i++) {
      if (i == rejected) return reader.Reject(Status::Corruption("value")).IsCorruption();
    }
    return reader.status().IsCorruption();
  }

  std::unique_ptr<WalWriter> log_;
};

INSTANTIATE_TEST_SUITE_P(Stores, WalSharedTest, testing::Values(false));

TEST_P(WalSharedTest, IsReadAsWhole) {
  Put("one", WalKind::kWhole);
  Put("two");
  Put(std::string(3000, 't'));
  Append(log_.get(), "four");
  EXPECT_EQ((std::vector<std::string>{"before", "one", "two", std::string(3000, 't'), "four"}),
            Records(7));
}

TEST_P(WalSharedTest, NothingIsReservedWhereItDoesNotFit) {
  WalWriter::Reservation reservation;
  EXPECT_FALSE(log_->Reserve(kExtent, &reservation));
  Append(log_.get(), std::string(kExtent, 'x'));
  Put("behind");
  EXPECT_EQ((std::vector<std::string>{"before", std::string(kExtent, 'x'), "behind"}), Records(7));
}

// When the power failed, one thread's record was fenced, but the other's was not.
TEST_P(WalSharedTest, OneRecordMayFollowATornOne) {
  PutTorn("the torn one", WalKind::kWhole);
  Put("the other writer's");
  EXPECT_FALSE(IsDamaged());
  EXPECT_EQ(std::vector<std::string>{"before"}, Records(7));
}

TEST_P(WalSharedTest, OneRecordMayFollowOneWhoseValueIsTorn) {
  Put("with a torn value");
  EXPECT_FALSE(IsDamaged(1));
  Put("the other writer's");
  EXPECT_FALSE(IsDamaged(1));
  Put("a third");
  EXPECT_TRUE(IsDamaged(1));
}

// Each of two writers waits until everything before its record is fenced before it begins another.
TEST_P(WalSharedTest, TwoRecordsBehindATornOneAreDamage) {
  PutTorn("the torn one");
  Put("the other writer's");
  Put("its next");
  EXPECT_TRUE(IsDamaged());
}

TEST_P(WalSharedTest, OneOfASingleWriterIsDamageBehindATornOne) {
  PutTorn("the torn one");
  Put("the other writer's");
  Append(log_.get(), "later");
  EXPECT_TRUE(IsDamaged());
}

TEST_P(WalSharedTest, ASealBehindATornOneIsDamage) {
  PutTorn("the torn one");
  Put("the other writer's");
  log_->Seal(3);
  EXPECT_TRUE(IsDamaged());
}

TEST_P(WalSharedTest, ASealBehindOneWhoseValueIsTornIsDamage) {
  Put("with a torn value");
  Put("the other writer's");
  log_->Seal(3);
  EXPECT_TRUE(IsDamaged(1));
}

// A power failure may take any part of what is persistent only with one fence: a piece, the next
// record, the header of the next extent. Nothing that comes later is there then.
TEST_P(WalDamageTest, ARecordInPiecesMayBeTornAnywhere) {
  Dice dice(AnnouncedSeed());
  const auto log = NewLog(7);
  Append(log.get(), "one");
  Append(log.get(), dice.Bytes(3 * kExtent));
  const std::vector<PoolOffset> extents = log->held()->held();
  ASSERT_EQ(4u, extents.size());
  for (size_t last = extents.size(); last-- > 0;) {
    // A line of the last fence is lost, and so is everything after that fence.
    char* const bytes = pool().At(extents[last]);
    for (const size_t at : {size_t{64 + 2 * 64}, size_t{5000}, size_t{kExtent - 64}}) {
      if (last + 1 == extents.size() && at > 64 + 2 * 64) continue;  // nothing was written there
      const std::string saved(bytes + at, 64);
      memset(bytes + at, 0, 64);
      EXPECT_EQ(1u, Records(7).size()) << last << " " << at;
      memcpy(bytes + at, saved.data(), 64);
    }
    if (last == 0) break;
    memset(bytes + 64, 0, kExtent - 64);
    EXPECT_EQ(1u, Records(7).size()) << last;
    memset(bytes, 0, 64);
    EXPECT_EQ(1u, Records(7).size()) << last;
  }
}

// The next extent is found even if many bytes look like records.
TEST(WalNoiseTest, ALargeRecordOfNoise) {
  constexpr uint64_t kLargeExtent = 4 << 20;
  Dice dice(AnnouncedSeed());
  ScratchPool scratch(64 << 20, kLargeExtent);
  PendingStores stores(scratch.pool()->persist(), /*deferred=*/false);
  std::unique_ptr<WalWriter> log;
  ASSERT_TRUE(WalWriter::Create(scratch.pool(), scratch.extents(), &stores, 7, {}, nullptr,
                                std::make_shared<HeldExtents>(scratch.extents()), &log)
                  .ok());
  const std::string noise = dice.Bytes(kLargeExtent + kLargeExtent / 2);
  for (int i = 0; i < 3; i++) ASSERT_TRUE(log->Append(noise).ok());
  scratch.pool()->persist()->Fence();
  const std::vector<PoolOffset> extents = log->held()->held();
  for (const size_t at : {size_t{64 + 64 + 4}, size_t{1000}, size_t{kLargeExtent / 2}}) {
    for (size_t i = 0; i + 1 < extents.size(); i++) {
      char* const byte = scratch.pool()->At(extents[i]) + at;
      *byte ^= 1;
      WalReader reader(*scratch.pool(), scratch.pool()->root()->Logs()[0]);
      ASSERT_TRUE(reader.Open().ok());
      EXPECT_GT(3u, ReadAll(&reader).size());
      EXPECT_TRUE(reader.status().IsCorruption()) << i << " " << at;
      *byte ^= 1;
    }
  }
}

// With damage anywhere, no record is invented, and nothing is read outside the pool.
TEST_P(WalDamageTest, WhateverIsDamagedAPrefixIsRead) {
  Dice dice(AnnouncedSeed());
  const auto log = NewLog(7);
  std::vector<std::string> written;
  for (int i = 0; i < 200; i++) {
    written.push_back(dice.Bytes(dice.Between(1, dice.OneIn(10) ? kExtent : 2000)));
    if (i % 20 == 0) {
      ASSERT_TRUE(log->NoteValueExtents({NewValueExtent()}).ok());
    }
    Append(log.get(), written.back());
  }
  log->Seal(200);
  const std::vector<PoolOffset> extents = log->held()->held();
  for (int i = 0; i < Scaled(400); i++) {
    std::vector<std::pair<char*, char>> damage;
    for (uint64_t n = dice.Between(1, 4); n > 0; n--) {
      const uint64_t offset = dice.OneIn(2) ? dice.Below(kExtent) : dice.Below(200);
      char* const byte = pool().At(extents[dice.Below(extents.size())]) + offset;
      damage.emplace_back(byte, *byte);
      *byte = static_cast<char>(dice.Next());
    }
    WalReader reader(pool(), Slot(7));
    if (reader.Open().ok()) {
      const std::vector<std::string> read = ReadAll(&reader);
      ASSERT_LE(read.size(), written.size());
      for (size_t k = 0; k < read.size(); k++) ASSERT_TRUE(read[k] == written[k]);
      if (reader.sealed()) {
        EXPECT_EQ(written.size(), read.size());
      }
    }
    while (!damage.empty()) {
      *damage.back().first = damage.back().second;
      damage.pop_back();
    }
  }
  EXPECT_EQ(written, Records(7));
}

}  // namespace
}  // namespace leveldb
