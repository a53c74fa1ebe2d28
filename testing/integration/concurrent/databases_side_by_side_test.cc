// Several databases of one process work at the same time, on one cache and one set of background
// threads; some are closed while others go on.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

TEST(DatabasesSideBySide, DoNotDisturbEachOther) {
  const TempDir dir;
  const uint64_t seed = AnnouncedSeed();
  const std::unique_ptr<Cache> cache(NewLRUCache(256 << 10));
  Threads threads;
  for (uint64_t which = 0; which < 4; ++which) {
    threads.Run([&, which] {
      Dice dice(seed + which);
      History history(dice.Next(), 1000);
      Options options;
      options.create_if_missing = true;
      options.write_buffer_size = 64 << 10;
      options.block_cache = cache.get();
      for (int session = 0; session < 5; ++session) {
        DB* opened = nullptr;
        ASSERT_OK(DB::Open(options, dir / ("db" + std::to_string(which)), &opened));
        const std::unique_ptr<DB> db(opened);
        uint64_t count = 0;
        ASSERT_OK(history.Check(db.get(), &count));
        ASSERT_EQ(count, history.size());
        for (int i = 0; i < Scaled(200); ++i) {
          history.Extend();
          WriteBatch batch = history.Batch(history.size());
          ASSERT_OK(db->Write(WriteOptions(), &batch));
        }
        if (dice.OneIn(2)) {
          db->CompactRange(nullptr, nullptr);
        }
      }
    });
  }
  threads.Join();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
