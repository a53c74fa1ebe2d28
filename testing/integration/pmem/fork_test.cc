// A process that has a database with a pool open forks: the child can't read what is in the pool,
// gets an error, changes nothing, and does not keep the pool busy after its parent has closed it.

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

// Runs `work` in a child process, which exits with its result.
pid_t Fork(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(work());
  }
  return child;
}

int WaitFor(pid_t child) {
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

// Runs in the child. Returns a number for the first wrong answer of the database; 0 if there is
// none. Values are in the pool, which the child does not have: an error is right, a wrong answer is
// not.
int WrongInAChild(TierStore* store, const Contents& expected) {
  for (const auto& [key, value] : expected) {
    std::string found;
    const Status status = store->db()->Get(ReadOptions(), key, &found);
    if (status.IsNotFound() || (status.ok() && found != value)) {
      return 1;
    }
  }
  const std::unique_ptr<Iterator> iterator(store->db()->NewIterator(ReadOptions()));
  size_t seen = 0;
  for (iterator->SeekToFirst(); iterator->Valid() && iterator->status().ok(); iterator->Next()) {
    ++seen;
  }
  if (iterator->status().ok() && seen != expected.size()) {
    return 2;
  }
  if (store->db()->Put(WriteOptions(), "child", "was here").ok()) {
    return 3;
  }
  if (store->pmem_db()->Drain().ok()) {
    return 4;
  }
  store->db()->CompactRange(nullptr, nullptr);
  return 0;
}

TEST(Fork, LeavesTheParentsDatabaseAlone) {
  TierStore store(kTinyPool);
  History history(AnnouncedSeed(), 2000);
  ASSERT_OK(store.Open());
  for (int round = 0; round < 5; ++round) {
    ASSERT_OK(store.Write(&history, 50));
    store.Flush();
    ASSERT_OK(store.Write(&history, 5));
    const Contents expected = history.StateAfter(history.size());
    const pid_t child = Fork([&] { return WrongInAChild(&store, expected); });
    ASSERT_OK(store.Write(&history, 50));
    EXPECT_EQ(WaitFor(child), 0);
    ASSERT_OK(store.CheckAt(history));
  }
  std::string value;
  EXPECT_TRUE(store.db()->Get(ReadOptions(), "child", &value).IsNotFound());
  ASSERT_OK(store.Check());
}

// Runs in the child. Returns a number for the first wrong answer of an iterator of the parent,
// which is at an entry; 0 if there is none.
int WrongWithAParentsIterator(Iterator* iterator) {
  // This holds before any call detects the fork.
  if (!iterator->key().empty() || !iterator->value().empty()) {
    return 1;
  }
  iterator->Next();
  iterator->Prev();
  if (iterator->Valid() || iterator->status().ok()) {
    return 2;
  }
  iterator->SeekToFirst();
  iterator->SeekToLast();
  iterator->Seek("key");
  return iterator->Valid() || iterator->status().ok() ? 3 : 0;
}

TEST(Fork, LeavesTheChildNothingToReadOfThePool) {
  TierStore store(kTinyPool);
  ASSERT_OK(store.Open());
  for (int i = 0; i < 200; ++i) {
    ASSERT_OK(store.db()->Put(WriteOptions(), "key" + std::to_string(i), std::string(1000, 'v')));
    if (i % 50 == 0) {
      store.Flush();
    }
  }
  std::vector<std::unique_ptr<Iterator>> iterators(2);
  for (std::unique_ptr<Iterator>& iterator : iterators) {
    iterator.reset(store.db()->NewIterator(ReadOptions()));
  }
  iterators[0]->SeekToFirst();
  iterators[1]->SeekToLast();
  iterators[1]->Prev();
  const pid_t child = Fork([&] {
    for (std::unique_ptr<Iterator>& iterator : iterators) {
      const int wrong = WrongWithAParentsIterator(iterator.get());
      if (wrong != 0) {
        return wrong;
      }
      iterator.reset();
    }
    const Range ranges[2] = {Range("a", "z"), Range("key1", "key2")};
    uint64_t sizes[2] = {1, 1};
    store.db()->GetApproximateSizes(ranges, 2, sizes);
    return sizes[0] == 0 && sizes[1] == 0 ? 0 : 4;
  });
  EXPECT_EQ(WaitFor(child), 0);
  for (const std::unique_ptr<Iterator>& iterator : iterators) {
    ASSERT_TRUE(iterator->Valid());
    EXPECT_EQ(iterator->value(), Slice(std::string(1000, 'v')));
  }
  iterators.clear();
  ASSERT_OK(store.Check());
}

// Runs in the child. Calls everything that takes a lock which the parent may have held at the fork.
int CallAllInAChild(TierStore* store, std::vector<std::unique_ptr<Iterator>>* iterators) {
  iterators->clear();
  const Snapshot* const snapshot = store->db()->GetSnapshot();
  store->db()->ReleaseSnapshot(snapshot);
  store->db()->CompactRange(nullptr, nullptr);
  std::string property;
  for (const char* const name : {"leveldb.stats", "leveldb.sstables", "leveldb.pmem"}) {
    if (store->db()->GetProperty(name, &property)) {
      return 1;
    }
  }
  if (store->pmem_db()->Drain().ok() || store->db()->Put(WriteOptions(), "child", "here").ok()) {
    return 2;
  }
  store->Close();
  return 0;
}

TEST(Fork, WhileJobsRunLeavesTheChildWithoutALockToWaitFor) {
  TierStore store(kTinyPool);
  ASSERT_OK(store.Open());
  int serial = 0;
  const auto write = [&store, &serial] {
    for (int i = 0; i < 60; ++i) {
      const std::string key = "key" + std::to_string(++serial % 100);
      ASSERT_OK(store.db()->Put(WriteOptions(), key, std::string(1000, 'v')));
      if (i % 15 == 0) {
        store.Flush();
      }
    }
  };
  for (int round = 0; round < 40; ++round) {
    std::vector<std::unique_ptr<Iterator>> iterators(2);
    ASSERT_NO_FATAL_FAILURE(write());
    for (std::unique_ptr<Iterator>& iterator : iterators) {
      iterator.reset(store.db()->NewIterator(ReadOptions()));
    }
    ASSERT_NO_FATAL_FAILURE(write());  // leaves trees to the iterators that nothing else holds
    const pid_t child = Fork([&] { return CallAllInAChild(&store, &iterators); });
    ASSERT_EQ(WaitFor(child), 0) << "round " << round;
  }
  ASSERT_OK(store.Check());
}

TEST(Fork, DoesNotKeepThePoolBusy) {
  TierStore store(kTinyPool);
  ASSERT_OK(store.Open());
  ASSERT_OK(store.db()->Put(WriteOptions(), "key", std::string(1000, 'v')));
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = Fork([&pipe_ends] {
    // The child runs until the parent closes the pipe.
    char byte;
    ::close(pipe_ends[1]);
    return static_cast<int>(::read(pipe_ends[0], &byte, 1));
  });
  for (int round = 0; round < 3; ++round) {
    ASSERT_OK(store.Open()) << "while a child of the process lives";
    std::string value;
    ASSERT_OK(store.db()->Get(ReadOptions(), "key", &value));
  }
  store.Close();
  ASSERT_OK(DestroyDB(store.path(), store.options));
  EXPECT_EQ(store.PoolNames(), "");
  ::close(pipe_ends[1]);
  EXPECT_EQ(WaitFor(child), 0);
  ::close(pipe_ends[0]);
}

TEST(Fork, LetsTheChildEndAsItLikes) {
  TierStore store(kTinyPool);
  History history(AnnouncedSeed(), 2000);
  ASSERT_OK(store.Open());
  ASSERT_OK(store.Write(&history, 50));
  // A child that runs destructors is harmless, too.
  const pid_t child = Fork([&store] {
    store.Close();
    return 0;
  });
  EXPECT_EQ(WaitFor(child), 0);
  ASSERT_OK(store.Write(&history, 50));
  ASSERT_OK(store.CheckAt(history));
  ASSERT_OK(store.Open());
  ASSERT_OK(store.CheckAt(history));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
