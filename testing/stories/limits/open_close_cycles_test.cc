// Opened and closed again and again, a database takes no more of anything than at first: file
// descriptors, threads, mappings, memory, files, extents of its pool. (What nobody points to any
// more, LeakSanitizer tells.)

#include <malloc.h>

#include <algorithm>
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
  size_t files;
};

size_t Entries(const std::string& directory) {
  size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(directory)) ++count;
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
            mallinfo2().uordblks, Entries(store_.path()) + Entries(store_.pools())};
  }

  // Writes, now and then so much that it is flushed, and reads what the cycle before has written.
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

  // The least of the pool that is in use after one of ten compactions. (Between them it holds trees
  // and logs that flushes and merges have not come to yet, at times some megabytes.)
  void LookAtPool(uint64_t* least) {
    *least = UINT64_MAX;
    for (int i = 0; i < 10; ++i) {
      ASSERT_OK(Open());
      db()->CompactRange(nullptr, nullptr);
      *least = std::min(*least, store_.Figure("pool-used-bytes"));
      store_.Close();
    }
  }
};

TEST_P(OpenCloseCycles, TakeNothingForGood) {
  const int cycles = Scaled(HasTier() ? 400 : 10000);
  const int settled = (cycles + 1) / 2;
  for (int i = 0; i < settled; ++i) ASSERT_NO_FATAL_FAILURE(Cycle(i));
  const Taken before = Look();
  uint64_t pool_used_before = 0;
  if (HasTier()) {
    ASSERT_NO_FATAL_FAILURE(LookAtPool(&pool_used_before));
  }
  for (int i = settled; i < cycles; ++i) ASSERT_NO_FATAL_FAILURE(Cycle(i));
  const Taken after = Look();
  uint64_t pool_used_after = 0;
  if (HasTier()) {
    ASSERT_NO_FATAL_FAILURE(LookAtPool(&pool_used_after));
  }

  EXPECT_EQ(before.descriptors, after.descriptors);
  EXPECT_LE(after.threads, before.threads + 1) << "one more may be needed where it was not before";
  // The allocator keeps arenas for threads, which come at its own pace.
  EXPECT_LE(after.mappings, before.mappings + 64);
  EXPECT_LE(after.heap_bytes, before.heap_bytes + (512 << 10));
  EXPECT_LE(after.files, before.files + 10);
  EXPECT_EQ(pool_used_before, pool_used_after);
  if (HasTier()) {
    EXPECT_OK(store_.Check());
  }
}

INSTANTIATE_TEST_SUITE_P(Of, OpenCloseCycles, ::testing::Bool(), EitherName);

}  // namespace
}  // namespace testkit
}  // namespace leveldb
