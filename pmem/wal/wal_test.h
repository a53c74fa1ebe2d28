// WalTest: a test fixture with logs in a small pool, whose stores are immediate or deferred.
#ifndef BUSHSTORE_PMEM_WAL_WAL_TEST_H_
#define BUSHSTORE_PMEM_WAL_WAL_TEST_H_

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "pmem/media/extent_header.h"
#include "pmem/media/held_extents.h"
#include "pmem/media/pending_stores.h"
#include "pmem/wal/wal_reader.h"
#include "pmem/wal/wal_writer.h"
#include "testing/scratch_pool.h"

namespace leveldb {

inline std::vector<std::string> ReadAll(WalReader* reader) {
  std::vector<std::string> payloads;
  Slice payload;
  std::string scratch;
  while (reader->ReadRecord(&payload, &scratch)) payloads.push_back(payload.ToString());
  return payloads;
}

// The parameter says whether stores are deferred.
class WalTest : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override {
    stores_ = std::make_unique<PendingStores>(scratch_.pool()->persist(), GetParam());
  }

  Pool& pool() { return *scratch_.pool(); }

  std::unique_ptr<WalWriter> NewLog(uint64_t number, const WalStart& start = {},
                                    WalWriter* previous = nullptr) {
    std::unique_ptr<WalWriter> log;
    const Status status =
        WalWriter::Create(scratch_.pool(), scratch_.extents(), stores_.get(), number, start,
                          previous, std::make_shared<HeldExtents>(scratch_.extents()), &log);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return log;
  }

  void Append(WalWriter* log, const std::string& payload) {
    const Status status = log->Append(payload);
    ASSERT_TRUE(status.ok()) << status.ToString();
    stores_->Flush();
    pool().persist()->Fence();
  }

  LogSlot Slot(uint64_t number) {
    for (const LogSlot& slot : pool().root()->Logs()) {
      if (slot.number == number) return slot;
    }
    ADD_FAILURE() << "no log #" << number;
    return {};
  }

  // Returns the records of a log, which must be readable up to its end.
  std::vector<std::string> Records(uint64_t number) {
    WalReader reader(pool(), Slot(number));
    EXPECT_TRUE(reader.Open().ok());
    std::vector<std::string> payloads = ReadAll(&reader);
    EXPECT_TRUE(reader.status().ok()) << reader.status().ToString();
    return payloads;
  }

  // Returns where these bytes are in the pool.
  char* Find(const std::string& bytes) {
    for (const Slab& slab : pool().slabs()) {
      char* const begin = pool().At(slab.begin);
      void* const found = memmem(begin, slab.end - slab.begin, bytes.data(), bytes.size());
      if (found != nullptr) return static_cast<char*>(found);
    }
    ADD_FAILURE() << "not found";
    return nullptr;
  }

  // Opens a value extent, as ValueWriter does.
  PoolOffset NewValueExtent(uint64_t salt = RandomSalt()) {
    PoolOffset extent;
    EXPECT_TRUE(scratch_.extents()->Reserve(1, &extent).ok());
    WriteExtentHeader(scratch_.pool(), extent, {.kind = ExtentKind::kValue, .salt = salt});
    return extent;
  }

  testkit::ScratchPool scratch_{24 << 20};
  std::unique_ptr<PendingStores> stores_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_WAL_WAL_TEST_H_
