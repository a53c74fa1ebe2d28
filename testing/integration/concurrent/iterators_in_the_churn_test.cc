// Several threads make, use and delete iterators and snapshots while everything under them is
// overwritten, flushed, compacted and removed.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/write_batch.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kKeys = 400;

std::string Key(uint64_t number) {
  return "key" + std::to_string(1000 + number);
}

TEST(IteratorsInTheChurn, SeeOneMomentEach) {
  const TempDir dir;
  const uint64_t seed = AnnouncedSeed();
  const std::unique_ptr<Cache> cache(NewLRUCache(64 << 10));
  Options options;
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  options.max_open_files = 74;
  options.block_cache = cache.get();
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  const std::unique_ptr<DB> db(opened);
  for (uint64_t i = 0; i < kKeys; ++i) {
    ASSERT_OK(db->Put(WriteOptions(), Key(i), Key(i) + "=0"));
  }

  Threads threads;
  threads.Run([&] {
    // Every key always exists: it is overwritten, or deleted and put back in one batch.
    Dice dice(seed);
    for (int i = 0; i < Scaled(12000); ++i) {
      const std::string key = Key(dice.Below(kKeys));
      const std::string value = key + "=" + dice.Bytes(dice.Below(300));
      WriteBatch batch;
      if (dice.OneIn(3)) {
        batch.Delete(key);
      }
      batch.Put(key, value);
      ASSERT_OK(db->Write(WriteOptions(), &batch));
    }
  });
  for (uint64_t reader = 0; reader < 2; ++reader) {
    threads.Repeat([&, dice = std::make_shared<Dice>(seed + 1 + reader)] {
      const Snapshot* const snapshot = dice->OneIn(2) ? db->GetSnapshot() : nullptr;
      ReadOptions read_options;
      read_options.snapshot = snapshot;
      read_options.fill_cache = dice->OneIn(2);
      const std::unique_ptr<Iterator> iterator(db->NewIterator(read_options));
      const uint64_t start = dice->Below(kKeys);
      iterator->Seek(Key(start));
      uint64_t at = start;
      for (int step = 0; step < 300; ++step) {
        ASSERT_TRUE(iterator->Valid()) << iterator->status().ToString();
        ASSERT_EQ(iterator->key().ToString(), Key(at));
        ASSERT_TRUE(iterator->value().starts_with(Key(at) + "="));
        const bool back = at + 1 == kKeys || (at > 0 && dice->OneIn(3));
        at = back ? at - 1 : at + 1;
        back ? iterator->Prev() : iterator->Next();
      }
      if (snapshot != nullptr) {
        db->ReleaseSnapshot(snapshot);
      }
    });
  }
  threads.Repeat([&] { db->CompactRange(nullptr, nullptr); });
  threads.Join();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
