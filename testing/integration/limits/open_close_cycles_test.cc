// Opening and closing a database many times does not increase its use of resources: file
// descriptors, threads, mappings, memory, files, extents of its pool. (LeakSanitizer reports
// unreachable memory.)

#include <malloc.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/either_store.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

struct Taken {
  size_t descriptors;
  size_t threads;
  size_t mappings;
  size_t heap_bytes;
};

struct Kept {
  size_t files = SIZE_MAX;
  uint64_t pool_bytes = UINT64_MAX;
};

size_t Entries(const std::string& directory) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(directory)) ++count;
  return count;
}

size_t Files(const std::string& directory) {
  size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    if (!entry.is_directory()) ++count;
  }
  return count;
}

size_t Lines(const std::string& path) {
  std::ifstream file(path);
  size_t count = 0;
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

class OpenCloseCycles : public EitherStore {
 protected:
  Taken Look() const {
    return {Entries("/proc/self/fd"), Entries("/proc/self/task"), Lines("/proc/self/maps"),
            mallinfo2().uordblks};
  }

  // Writes, sometimes so much that it is flushed, and reads what the previous cycle has written.
  void Cycle(int number) {
    ASSERT_OK(Open());
    std::string value;
    if (number > 0) {
      ASSERT_OK(db()->Get(ReadOptions(), "latest", &value));
      ASSERT_EQ(std::to_string(number - 1), value);
    }
    ASSERT_OK(db()->Put(WriteOptions(), "latest", std::to_string(number)));
    ASSERT_OK(db()->Put(WriteOptions(), "large", std::string(3000, static_cast<char>(number))));
    if (number % 10 == 0) store_.Flush();
    if (number % 100 == 0) db()->CompactRange(nullptr, nullptr);
    const Snapshot* const snapshot = db()->GetSnapshot();
    db()->ReleaseSnapshot(snapshot);
    store_.Close();
  }

  // Sets *least to the least that is kept after one of ten compactions. (The rest is what flushes
  // and merges have not reached yet: trees and logs of a pool, sometimes several megabytes, and
  // tables of level 0, one for each close before a merge of them was finished.)
  void LookAtKept(Kept* least) {
    for (int i = 0; i < 10; ++i) {
      ASSERT_OK(Open());
      db()->CompactRange(nullptr, nullptr);
      if (HasTier()) {
        least->pool_bytes = std::min(least->pool_bytes, store_.Metric("pool-used-bytes"));
      }
      store_.Close();
      least->files = std::min(least->files, Files(store_.path()) + Files(store_.pools()));
    }
  }
};

TEST_P(OpenCloseCycles, TakeNothingForGood) {
  const int cycles = Scaled(HasTier() ? 400 : 10000);
  const int settled = (cycles + 1) / 2;
  for (int i = 0; i < settled; ++i) ASSERT_NO_FATAL_FAILURE(Cycle(i));
  const Taken before = Look();
  Kept kept_before;
  ASSERT_NO_FATAL_FAILURE(LookAtKept(&kept_before));
  for (int i = settled; i < cycles; ++i) ASSERT_NO_FATAL_FAILURE(Cycle(i));
  const Taken after = Look();
  Kept kept_after;
  ASSERT_NO_FATAL_FAILURE(LookAtKept(&kept_after));

  EXPECT_EQ(before.descriptors, after.descriptors);
  EXPECT_LE(after.threads, before.threads + 1) << "one more may be needed where it was not before";
  // The allocator keeps arenas for threads, which it creates over time.
  EXPECT_LE(after.mappings, before.mappings + 64);
  EXPECT_LE(after.heap_bytes, before.heap_bytes + (512 << 10));
  EXPECT_EQ(kept_before.files, kept_after.files);
  EXPECT_EQ(kept_before.pool_bytes, kept_after.pool_bytes);
  if (HasTier()) {
    EXPECT_OK(store_.Check());
  }
}

INSTANTIATE_TEST_SUITE_P(Of, OpenCloseCycles, ::testing::Bool(), EitherName);

}  // namespace
}  // namespace testkit
}  // namespace leveldb
