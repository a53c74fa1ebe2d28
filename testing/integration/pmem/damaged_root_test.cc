// The pool's root, the file CURRENT and libpmemobj's heap locate everything else. If they are
// damaged nothing may be skipped silently, neither by an open nor by a repair.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "testing/contents.h"
#include "testing/pool_bytes.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

// Offsets in the root (docs/pmem_format.md).
constexpr uint64_t kSlabsAt = 1600;
constexpr uint64_t kLogsAt = 5696;
constexpr uint64_t kLogSlotBytes = 64;
constexpr uint64_t kLogSlots = 64;

class DamagedRoot : public ::testing::Test {
 protected:
  // Makes trees of what was flushed and of what the first session left in its log, and a log.
  DamagedRoot() {
    EXPECT_OK(store_.Open());
    for (int i = 0; i < 40; ++i) Put("flushed" + std::to_string(i), 500);
    store_.Flush();
    for (int i = 0; i < 40; ++i) Put("first log" + std::to_string(i), 500);
    EXPECT_OK(store_.Open());
    for (int i = 0; i < 5; ++i) Put("second log" + std::to_string(i), 20);
    EXPECT_OK(ReadContents(store_.db(), &before_));
    AwaitOnlyLog();
    store_.Keep("killed");
    store_.Close();
    store_.Keep("closed");
  }

  void Put(const std::string& key, size_t size) {
    EXPECT_OK(store_.db()->Put(WriteOptions(), key, std::string(size, 'v')));
  }

  PoolPlace Root() const {
    const std::vector<PoolPlace> places = FindInPools(store_, "BushPool");
    EXPECT_EQ(places.size(), 1u);
    return places.front();
  }

  // Returns the slots that name a log.
  std::vector<uint64_t> UsedSlots() const {
    const PoolPlace root = Root();
    const std::string slots = ReadFile(root.file).substr(root.offset + kLogsAt);
    std::vector<uint64_t> used;
    for (uint64_t slot = 0; slot < kLogSlots; ++slot) {
      const size_t at = slot * kLogSlotBytes;
      if (slots.find_first_not_of('\0', at) < at + 8) used.push_back(slot);
    }
    return used;
  }

  // Waits until a background job has freed the log of the previous session, which is not needed
  // then.
  void AwaitOnlyLog() const {
    for (int attempt = 0; UsedSlots().size() > 1; ++attempt) {
      ASSERT_LT(attempt, 10000);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void Zero(PoolPlace place, uint64_t offset, uint64_t size) {
    std::fstream file(place.file, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(place.offset + offset));
    file << std::string(size, '\0');
    ASSERT_TRUE(file.flush());
  }

  void ExpectRepairSavesAll() {
    ASSERT_OK(RepairDB(store_.path(), store_.options));
    ASSERT_OK(store_.OpenPlainly());
    Contents after;
    ASSERT_OK(ReadContents(store_.db(), &after));
    EXPECT_TRUE(after == before_) << after.size() << " entries, not " << before_.size();
    store_.Close();
  }

  TierStore store_{kTinyPool};
  Contents before_;
};

TEST_F(DamagedRoot, ALogThatItDoesNotNameAnyMoreIsMissed) {
  for (const char* const state : {"killed", "closed"}) {
    store_.BringBack(state);
    const std::vector<uint64_t> used = UsedSlots();
    ASSERT_EQ(used.size(), 1u);
    Zero(Root(), kLogsAt + used[0] * kLogSlotBytes, kLogSlotBytes);
    const Status opened = store_.Open();
    EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
    EXPECT_TRUE(Says(opened, store_.pools())) << opened.ToString();
    store_.Close();
    ExpectRepairSavesAll();
  }
}

TEST_F(DamagedRoot, AllOfItsLogsAreMissed) {
  store_.BringBack("closed");
  Zero(Root(), kLogsAt, kLogSlots * kLogSlotBytes);
  const Status opened = store_.Open();
  EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
  store_.Close();
  ExpectRepairSavesAll();
}

TEST_F(DamagedRoot, WithoutItsSlabsThePoolIsNotTakenForAnEmptyOne) {
  store_.BringBack("closed");
  Zero(Root(), kSlabsAt, kLogsAt - kSlabsAt);
  const Status opened = store_.Open();
  EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
  EXPECT_TRUE(Says(opened, "has lost its slabs")) << opened.ToString();
  store_.Close();
  ExpectRepairSavesAll();
}

// A repair finds in the extents what the root said.
TEST_F(DamagedRoot, WithoutARootEverythingIsSaved) {
  store_.BringBack("closed");
  Zero(Root(), 0, kLogsAt + kLogSlots * kLogSlotBytes);
  const Status opened = store_.Open();
  EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
  EXPECT_TRUE(Says(opened, "bushstore repair")) << opened.ToString();
  store_.Close();
  ExpectRepairSavesAll();
}

// The repair needs the manifest to find the trees.
TEST_F(DamagedRoot, ACurrentThatNamesAnotherManifestCostsARepairNothing) {
  store_.BringBack("closed");
  WriteFile(store_.path() + "/CURRENT", "MANIFEST-000999\n");
  EXPECT_TRUE(store_.Open().IsCorruption());
  store_.Close();
  ExpectRepairSavesAll();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
