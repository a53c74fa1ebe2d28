// Tests all backends and all copy and flush methods with one set of tests: what has been copied is
// there.
#include "pmem/media/persist.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "pmem/media/cache_line_persist.h"
#include "pmem/media/cache_lines.h"
#include "pmem/media/msync_persist.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/temp_dir.h"

namespace leveldb {

namespace {

using testkit::Dice;

constexpr size_t kBytes = 1 << 20;

constexpr FlushMethod kFlushMethods[] = {FlushMethod::kNone, FlushMethod::kClflush,
                                         FlushMethod::kClflushopt, FlushMethod::kClwb};
constexpr CopyMethod kCopyMethods[] = {CopyMethod::kPlain, CopyMethod::kSse2, CopyMethod::kAvx,
                                       CopyMethod::kAvx512};

// A mapped file of kBytes bytes.
class Mapping {
 public:
  explicit Mapping(testkit::Medium medium = testkit::Medium::kMemory)
      : dir_(medium), path_(dir_ / "mapped") {
    testkit::WriteFile(path_, std::string(kBytes, '\0'));
    FILE* const file = fopen(path_.c_str(), "r+");
    void* const base = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file), 0);
    fclose(file);
    EXPECT_NE(MAP_FAILED, base);
    base_ = static_cast<char*>(base);
  }
  ~Mapping() { munmap(base_, kBytes); }

  char* base() const { return base_; }
  std::string InFile() const { return testkit::ReadFile(path_); }

 private:
  const testkit::TempDir dir_;
  const std::string path_;
  char* base_;
};

struct Backend {
  std::string name;
  std::function<std::unique_ptr<Persist>(const Mapping&)> make;
};

std::vector<Backend> AllBackends() {
  std::vector<Backend> backends;
  for (const FlushMethod flush : kFlushMethods) {
    for (const CopyMethod copy : kCopyMethods) {
      if (!IsSupported(flush) || !IsSupported(copy)) continue;
      const std::string name = std::string(NameOf(flush)) + " " + NameOf(copy);
      backends.push_back({name, [flush, copy](const Mapping&) {
                            return std::make_unique<CacheLinePersist>(true, flush, copy);
                          }});
    }
  }
  backends.push_back({"msync", [](const Mapping& mapping) {
                        return std::make_unique<MsyncPersist>(mapping.base(), kBytes);
                      }});
  return backends;
}

}  // namespace

TEST(Persist, CopiesOfAllSizesAndAlignments) {
  const std::string source = Dice(1).Bytes(4096);
  for (const Backend& backend : AllBackends()) {
    SCOPED_TRACE(backend.name);
    const Mapping mapping;
    const std::unique_ptr<Persist> persist = backend.make(mapping);
    std::string expected(2048, '\0');
    for (size_t to = 0; to < 70; to += 3) {
      for (size_t n = 0; n < 400; n = n < 140 ? n + 1 : n + 61) {
        memset(mapping.base(), '.', expected.size());
        expected.assign(expected.size(), '.');
        expected.replace(to, n, source, to % 9, n);
        persist->Copy(mapping.base() + to, source.data() + to % 9, n);
        persist->Fence();
        ASSERT_EQ(expected, std::string(mapping.base(), expected.size())) << to << " " << n;
      }
    }
  }
}

TEST(Persist, RandomWritesReachTheFile) {
  const uint64_t seed = testkit::AnnouncedSeed();
  for (const testkit::Medium medium : {testkit::Medium::kMemory, testkit::Medium::kDisk}) {
    for (const Backend& backend : AllBackends()) {
      SCOPED_TRACE(backend.name);
      Dice dice(seed);
      const Mapping mapping(medium);
      const std::unique_ptr<Persist> persist = backend.make(mapping);
      std::string expected(kBytes, '\0');
      for (int i = 0; i < 200; i++) {
        const size_t n = dice.Below(dice.OneIn(10) ? 200000 : 300);
        const size_t to = dice.Below(kBytes - n);
        const std::string bytes = dice.Bytes(n);
        expected.replace(to, n, bytes);
        if (dice.OneIn(3)) {
          memcpy(mapping.base() + to, bytes.data(), n);
          persist->Flush(mapping.base() + to, n);
        } else {
          persist->Copy(mapping.base() + to, bytes.data(), n);
        }
        persist->Fence();
        if (dice.OneIn(20)) {
          ASSERT_TRUE(persist->Sync().ok());
        }
      }
      ASSERT_TRUE(persist->Sync().ok());
      EXPECT_TRUE(expected == mapping.InFile());
    }
  }
}

TEST(Persist, PublishStoresAWord) {
  for (const Backend& backend : AllBackends()) {
    const Mapping mapping;
    const std::unique_ptr<Persist> persist = backend.make(mapping);
    auto* const word = reinterpret_cast<uint64_t*>(mapping.base() + 64);
    persist->Publish(word, 0x0123456789abcdef);
    EXPECT_EQ(0x0123456789abcdefu, *word);
  }
}

TEST(Persist, CountsWhatItDoes) {
  for (const Backend& backend : AllBackends()) {
    SCOPED_TRACE(backend.name);
    const Mapping mapping;
    const std::unique_ptr<Persist> persist = backend.make(mapping);
    persist->Copy(mapping.base(), "twelve bytes", 12);
    persist->Flush(mapping.base(), 12);
    persist->Flush(mapping.base(), 0);
    std::thread([&persist, &mapping] {
      persist->Copy(mapping.base() + 64, "8 bytes.", 8);
      persist->Fence();
    }).join();
    ASSERT_TRUE(persist->Sync().ok());
    const PersistCounts counts = persist->counts();
    EXPECT_EQ(20u, counts.bytes_copied);
    EXPECT_EQ(persist->Name().find("no flush") == 0 ? 0u : 2u, counts.flushes);
    EXPECT_EQ(1u, counts.fences);
    EXPECT_EQ(1u, counts.syncs);
  }
}

TEST(Persist, ThreadsCopySideBySide) {
  constexpr size_t kThreads = 4;
  for (const Backend& backend : AllBackends()) {
    const Mapping mapping;
    const std::unique_ptr<Persist> persist = backend.make(mapping);
    std::vector<std::thread> threads;
    for (size_t t = 0; t < kThreads; t++) {
      threads.emplace_back([&persist, &mapping, t] {
        const std::string mine(100, static_cast<char>('a' + t));
        for (size_t i = t; i < 2000; i += kThreads) {
          persist->Copy(mapping.base() + i * 100, mine.data(), mine.size());
          persist->Fence();
          EXPECT_TRUE(i % 64 != t || persist->Sync().ok());
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (size_t i = 0; i < 2000; i++) {
      const std::string found(mapping.base() + i * 100, 100);
      ASSERT_EQ(std::string(100, static_cast<char>('a' + i % kThreads)), found);
    }
  }
}

TEST(Persist, TheBackendFollowsTheMedium) {
  const Mapping mapping;
  PersistTarget target;
  target.base = mapping.base();
  target.reserved_bytes = kBytes;
  EXPECT_EQ("msync", NewPersist(target)->Name());
  EXPECT_FALSE(NewPersist(target)->SurvivesPowerLoss());
  target.medium.flush = BestFlushMethod();
  target.medium.kind = MediumKind::kEmulated;
  EXPECT_NE(std::string::npos, NewPersist(target)->Name().find("emulated"));
  EXPECT_FALSE(NewPersist(target)->SurvivesPowerLoss());
  target.medium.kind = MediumKind::kPersistentMemory;
  EXPECT_EQ(std::string::npos, NewPersist(target)->Name().find("emulated"));
  EXPECT_EQ(0u, NewPersist(target)->Name().find(NameOf(BestFlushMethod())));
  EXPECT_TRUE(NewPersist(target)->SurvivesPowerLoss());
}

// With eADR, lines need not be written back, but fences still order them.
TEST(Persist, NothingIsWrittenBackWhereCachesSurvive) {
  const Mapping mapping;
  PersistTarget target;
  target.base = mapping.base();
  target.reserved_bytes = kBytes;
  target.medium.kind = MediumKind::kPersistentMemory;
  target.medium.flush = FlushMethod::kNone;
  target.medium.domain = PersistenceDomain::kCpuCache;
  const std::unique_ptr<Persist> persist = NewPersist(target);
  EXPECT_TRUE(persist->SurvivesPowerLoss());
  EXPECT_EQ(0u, persist->Name().find("no flush"));
  persist->Copy(mapping.base(), "bytes", 5);
  persist->Flush(mapping.base(), 5);
  persist->Fence();
  EXPECT_EQ("bytes", std::string(mapping.base(), 5));
  EXPECT_EQ(0u, persist->counts().flushes);
  EXPECT_EQ(1u, persist->counts().fences);
}

TEST(MsyncPersist, AFailureSticks) {
  Mapping mapping;
  MsyncPersist persist(mapping.base(), kBytes);
  EXPECT_TRUE(persist.Sync().ok());  // nothing to do
  // Makes a hole in the mapping.
  persist.Copy(mapping.base(), "x", 1);
  munmap(mapping.base(), 4096);
  EXPECT_TRUE(persist.Sync().IsIOError());
  void* const filled = mmap(mapping.base(), 4096, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  ASSERT_EQ(mapping.base(), filled);
  EXPECT_TRUE(persist.Sync().IsIOError());
}

}  // namespace leveldb
