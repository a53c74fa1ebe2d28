// Tests pools that are truncated, damaged, interrupted during creation or growth, or out of space:
// each case gives a clear error, and nothing is lost unnecessarily.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "pmem/media/extents.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_description.h"
#include "testing/dice.h"
#include "testing/pmem_sim.h"
#include "testing/scratch_pool.h"
#include "testing/seed.h"
#include "testing/temp_dir.h"
#include "util/coding.h"

namespace leveldb {

namespace {

namespace fs = std::filesystem;
using testkit::Dice;
using testkit::Loss;
using testkit::PmemImages;
using testkit::PmemSim;
using testkit::ScratchPool;
using testkit::TempDir;

constexpr uint64_t kExtent = 64 << 10;

std::string PartOf(const ScratchPool& pool, int number) {
  const std::string stem = pool.path().substr(0, pool.path().size() - strlen(".set"));
  return stem + ".pool/00000" + std::to_string(number) + ".pmem";
}

// Opens the pool and, if that succeeds, grows it, in a child process, which may crash. Returns the
// exit status of the child.
int OpenInChild(const PoolOptions& options) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::unique_ptr<Pool> pool;
    const Status s = Pool::Open(options, nullptr, &pool);
    if (s.ok()) static_cast<void>(pool->Grow(0));
    _exit(s.ok() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// Returns the bytes of all extents that can be reserved, up to the ceiling.
uint64_t Capacity(Pool* pool) {
  Extents extents(pool);
  PoolOffset pool_offset;
  while (extents.Reserve(1, &pool_offset).ok()) {
  }
  return extents.used_bytes();
}

}  // namespace

TEST(PoolDamage, CutShort) {
  for (const uint64_t length :
       {uint64_t{0}, uint64_t{1}, uint64_t{4095}, uint64_t{4096}, uint64_t{8192}, uint64_t{3} << 20,
        uint64_t{4} << 20, (uint64_t{8} << 20) - 4096, (uint64_t{8} << 20) - 1}) {
    ScratchPool pool(128 << 20, kExtent);
    pool.Close();
    fs::resize_file(PartOf(pool, 0), length);
    const Status s = pool.Reopen();
    EXPECT_TRUE(s.IsCorruption()) << length << " " << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find(pool.path())) << s.ToString();
  }
}

TEST(PoolDamage, ALaterPartCutShortOrMissing) {
  for (const int64_t length : {int64_t{0}, int64_t{4096}, int64_t{56 << 20} - 1, int64_t{-1}}) {
    ScratchPool pool(128 << 20, kExtent);
    pool.Close();
    if (length < 0) {
      fs::remove(PartOf(pool, 1));
    } else {
      fs::resize_file(PartOf(pool, 1), static_cast<uint64_t>(length));
    }
    const Status s = pool.Reopen();
    EXPECT_TRUE(s.IsCorruption()) << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find("cut short")) << s.ToString();
    EXPECT_NE(std::string::npos, s.ToString().find("67108864")) << s.ToString();
  }
}

TEST(PoolDamage, TheFirstPartMissing) {
  ScratchPool pool(128 << 20, kExtent);
  pool.Close();
  fs::remove(PartOf(pool, 0));
  EXPECT_TRUE(pool.Reopen().IsCorruption());
}

TEST(PoolDamage, AFileCutShort) {
  const TempDir dir(testkit::Medium::kMemory);
  PoolOptions options;
  options.path = dir / "pool";
  options.size = 16 << 20;
  options.assume_pmem = true;
  options.assume_pmem_anywhere = true;
  std::unique_ptr<Pool> pool;
  ASSERT_TRUE(Pool::Create(options, "db", PoolId::Random(), &pool).ok());
  pool.reset();
  options.size = 0;
  for (const uint64_t length :
       {(uint64_t{16} << 20) - 1, uint64_t{12} << 20, uint64_t{8} << 20, uint64_t{5} << 20,
        uint64_t{3} << 20, uint64_t{4096}, uint64_t{0}}) {
    fs::resize_file(options.path, length);
    const Status s = Pool::Open(options, nullptr, &pool);
    EXPECT_TRUE(s.IsCorruption()) << length << " " << s.ToString();
  }
}

// Parts that hold data are not mistaken for the rest of an interrupted growth.
TEST(PoolDamage, ADamagedLengthOfTheHeapCostsNoParts) {
  constexpr size_t kHeapBytesAt = 4096 + 2048 + 32;  // in libpmemobj's descriptor
  ScratchPool pool(256 << 20, kExtent);
  pool.Close();
  const std::string sound = testkit::ReadFile(PartOf(pool, 0));
  const uint64_t right = LoadFixed64(sound.data() + kHeapBytesAt);
  for (const uint64_t wrong : {uint64_t{0}, uint64_t{1}, right - 1, right >> 1, right ^ 1 << 25,
                               right + 1, uint64_t{1} << 40, UINT64_MAX, UINT64_MAX - (4 << 20)}) {
    std::string damaged = sound;
    StoreFixed64(damaged.data() + kHeapBytesAt, wrong);
    testkit::WriteFile(PartOf(pool, 0), damaged);
    const Status s = pool.Reopen();
    EXPECT_TRUE(s.IsCorruption()) << wrong << " " << s.ToString();
    ASSERT_TRUE(fs::exists(PartOf(pool, 1))) << wrong;
  }
  testkit::WriteFile(PartOf(pool, 0), sound);
  EXPECT_TRUE(pool.Reopen().ok());
}

// The root is searched for elsewhere, so that the pool can be described; it can no longer be
// opened.
TEST(PoolDamage, ADamagedPlaceOfTheRootHidesNoPool) {
  constexpr size_t kRootOffsetAt = 4096 + 2048;  // in libpmemobj's descriptor
  ScratchPool pool(16 << 20, kExtent);
  pool.Close();
  const std::string sound = testkit::ReadFile(PartOf(pool, 0));
  const uint64_t right = LoadFixed64(sound.data() + kRootOffsetAt);
  for (const uint64_t wrong : {uint64_t{0}, right - 64, right + 64, right ^ 1 << 22,
                               uint64_t{sound.size()} - 64, uint64_t{1} << 40, UINT64_MAX}) {
    std::string damaged = sound;
    StoreFixed64(damaged.data() + kRootOffsetAt, wrong);
    testkit::WriteFile(PartOf(pool, 0), damaged);
    PoolDescription found;
    EXPECT_TRUE(DescribePool(pool.path(), &found).ok()) << wrong;
    const Status s = pool.Reopen();
    EXPECT_TRUE(s.IsCorruption()) << wrong << " " << s.ToString();
    EXPECT_NE(s.ToString().find("place of the root"), std::string::npos) << s.ToString();
  }
  testkit::WriteFile(PartOf(pool, 0), sound);
  EXPECT_TRUE(pool.Reopen().ok());
}

// libpmemobj would carry out an entry in a journal that was empty.
TEST(PoolDamage, AJournalThatLeadsOutOfThePoolIsAnError) {
  constexpr off_t kFirstEntryAt = 8192 + 64;  // of the first lane's first journal
  for (const int bit : {24, 40, 47, 60}) {
    ScratchPool pool(16 << 20, kExtent);
    pool.Close();
    const uint64_t entry = uint64_t{1} << bit;
    const int file = open(PartOf(pool, 0).c_str(), O_WRONLY | O_CLOEXEC);
    ASSERT_EQ(static_cast<ssize_t>(sizeof(entry)),
              pwrite(file, &entry, sizeof(entry), kFirstEntryAt));
    close(file);
    const Status s = pool.Reopen();
    EXPECT_TRUE(s.IsCorruption()) << bit << " " << s.ToString();
  }
}

// libpmemobj would also carry out entries after the first, in an undo journal.
TEST(PoolDamage, AJournalWithALaterEntryThatLeadsOutOfThePoolIsAnError) {
  constexpr uint64_t kLastLanesUndo = 8192 + 1023 * 3072 + 64 + 192 + 64 + 640 + 64;
  constexpr uint64_t kSetBytes = uint64_t{5} << 61;
  constexpr uint64_t kPool = 16 << 20;
  const std::vector<std::vector<uint64_t>> journals = {
      {0x23, 0, kPool - 7},
      {0x23, 0, 0x2375'8998},
      {kSetBytes | 4096, 0, 2049 - 24},
      {kSetBytes | 4096, 0, UINT64_MAX - 8},
      {kSetBytes | (kPool - 8), 0, 9},
      {kSetBytes | 4096, 0, 40, 0, 0, 0, 0, 0, uint64_t{1} << 40},
  };
  for (const std::vector<uint64_t>& journal : journals) {
    ScratchPool pool(kPool, kExtent);
    pool.Close();
    std::string bytes = testkit::ReadFile(PartOf(pool, 0));
    for (size_t i = 0; i < journal.size(); i++) {
      StoreFixed64(bytes.data() + kLastLanesUndo + 8 * i, journal[i]);
    }
    testkit::WriteFile(PartOf(pool, 0), bytes);
    const int ended = OpenInChild(*pool.options());
    EXPECT_TRUE(WIFEXITED(ended)) << "killed by signal " << WTERMSIG(ended);
    const Status s = pool.Reopen();
    EXPECT_TRUE(s.IsCorruption()) << journal[2] << " " << s.ToString();
    EXPECT_NE(s.ToString().find("journal"), std::string::npos) << s.ToString();
  }
}

// libpmemobj divides by the size of the blocks in a chunk.
TEST(PoolDamage, ABlockSizeOfZeroIsAnError) {
  constexpr uint64_t kChunks = 8192 + 1024 * 3072 + 1024 + 64;  // headers of eight bytes
  constexpr uint64_t kFirstChunk = kChunks + 65528 * 8;
  constexpr uint64_t kChunkBytes = 256 << 10;
  ScratchPool pool(8 << 20, kExtent);
  pool.Close();
  std::string bytes = testkit::ReadFile(PartOf(pool, 0));
  int runs = 0;
  for (uint64_t chunk = 0; kFirstChunk + (chunk + 1) * kChunkBytes <= bytes.size(); chunk++) {
    if (bytes[kChunks + 8 * chunk] != 4) continue;
    runs++;
    bytes.replace(kFirstChunk + chunk * kChunkBytes, 16, 16, '\0');
  }
  ASSERT_GE(runs, 1);
  testkit::WriteFile(PartOf(pool, 0), bytes);
  const int ended = OpenInChild(*pool.options());
  EXPECT_TRUE(WIFEXITED(ended)) << "killed by signal " << WTERMSIG(ended);
  const Status s = pool.Reopen();
  EXPECT_TRUE(s.IsCorruption()) << s.ToString();
  EXPECT_NE(s.ToString().find("chunks"), std::string::npos) << s.ToString();
}

// The beginning of a slab is checked with libpmemobj if its entry is not sealed, as after a crash.
TEST(PoolDamage, ASlabThatBeginsElsewhereIsAnError) {
  ScratchPool pool(8 << 20, kExtent);
  const char* const object = static_cast<const char*>(pool.pool()->root()->SlabObject(0));
  const size_t begin_at = static_cast<size_t>(object - pool.pool()->At(0)) + sizeof(uint64_t);
  pool.Close();
  const std::string sound = testkit::ReadFile(PartOf(pool, 0));
  for (size_t bit = 0; bit < 64; bit++) {
    std::string damaged = sound;
    char& byte = damaged[begin_at + bit / 8];
    byte = static_cast<char>(byte ^ 1 << bit % 8);
    testkit::WriteFile(PartOf(pool, 0), damaged);
    const int ended = OpenInChild(*pool.options());
    EXPECT_TRUE(WIFEXITED(ended)) << "bit " << bit << " kills: signal " << WTERMSIG(ended);
    const Status s = WIFEXITED(ended) ? pool.Reopen() : Status::Corruption("not tried");
    EXPECT_TRUE(s.IsCorruption()) << bit << " " << s.ToString();
  }
}

// Flips random bits of the metadata before the slabs, libpmemobj's and BushStore's: opening fails
// or succeeds, but never crashes or hangs.
TEST(PoolDamage, FlippedBitsNeverKill) {
  Dice dice(testkit::AnnouncedSeed());
  ScratchPool pool(256 << 20, kExtent);
  ASSERT_TRUE(pool.pool()->root()->AddLog({5, 1 << 20, 77}).ok());
  pool.Close();
  const std::string sound = testkit::ReadFile(PartOf(pool, 0));
  std::vector<size_t> written;
  for (size_t i = 0; i < 4200000; i++) {
    if (sound[i] != 0) written.push_back(i);
  }
  int refused = 0;
  const int flips = testkit::Scaled(100);
  for (int i = 0; i < flips; i++) {
    std::string damaged = sound;
    const size_t at = dice.OneIn(3) ? dice.Below(4200000) : written[dice.Below(written.size())];
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << dice.Below(8));
    testkit::WriteFile(PartOf(pool, 0), damaged);
    const int status = OpenInChild(*pool.options());
    EXPECT_TRUE(WIFEXITED(status)) << "byte " << at << " kills: signal " << WTERMSIG(status);
    refused += WIFEXITED(status) && WEXITSTATUS(status) == 1;
    for (int part = 2; fs::exists(PartOf(pool, part)); part++) fs::remove(PartOf(pool, part));
  }
  testkit::WriteFile(PartOf(pool, 0), sound);
  EXPECT_TRUE(pool.Reopen().ok());
  EXPECT_TRUE(refused > 0 || flips < 100);
}

// Cuts the power at every step of a growth, with every kind of loss: what is left can be opened,
// has the slabs of before or after the growth, and no space is lost for good.
TEST(PoolDamage, APowerCutWhileGrowing) {
  constexpr Loss kLosses[] = {Loss::kDropAll, Loss::kTear, Loss::kInOrder, Loss::kTruncate,
                              Loss::kKeepAll};
  Dice dice(testkit::AnnouncedSeed());
  PmemSim sim;
  ScratchPool pool(72 << 20, kExtent, sim.Factory());
  const std::vector<Slab> before = pool.pool()->slabs();
  std::vector<PmemImages> cuts;
  sim.SetChangeListener([&](uint64_t) {
    cuts.push_back(sim.AfterPowerLoss(kLosses[dice.Below(std::size(kLosses))], &dice));
  });
  ASSERT_TRUE(pool.pool()->Grow(0).ok());
  sim.SetChangeListener({});
  const uint64_t capacity = Capacity(pool.pool());
  EXPECT_GT(cuts.size(), 10u);
  for (const PmemImages& cut : cuts) {
    pool.Close();
    cut.Restore();
    const Status s = pool.Reopen();
    ASSERT_TRUE(s.ok()) << s.ToString();
    ASSERT_EQ(before[0], pool.pool()->slabs().at(0));
    EXPECT_EQ(capacity, Capacity(pool.pool()));
    ASSERT_TRUE(pool.Reopen().ok());
  }
}

// The same with a real process that is killed by SIGKILL.
TEST(PoolDamage, KilledWhileGrowing) {
  Dice dice(testkit::AnnouncedSeed());
  for (int i = 0; i < testkit::Scaled(30); i++) {
    ScratchPool pool(512 << 20, kExtent);
    pool.Close();
    const pid_t child = fork();
    if (child == 0) {
      std::unique_ptr<Pool> mine;
      Status s = Pool::Open(*pool.options(), nullptr, &mine);
      while (s.ok()) s = mine->Grow(0);
      _exit(0);
    }
    usleep(static_cast<useconds_t>(dice.Below(60000)));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const Status s = pool.Reopen();
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_GE(Capacity(pool.pool()), 480u << 20);
    ASSERT_TRUE(pool.Reopen().ok());
  }
}

// An interrupted creation leaves a pool, or files that are refused as no pool and can be removed.
TEST(PoolDamage, APowerCutWhileMade) {
  Dice dice(testkit::AnnouncedSeed());
  PmemSim sim;
  const TempDir dir(testkit::Medium::kMemory);
  PoolOptions options;
  options.path = dir.path();
  options.size = 16 << 20;
  options.assume_pmem = true;
  options.assume_pmem_anywhere = true;
  options.persist_factory = sim.Factory();
  std::vector<PmemImages> cuts;
  sim.SetChangeListener([&](uint64_t) {
    for (const Loss loss : {Loss::kDropAll, Loss::kTear, Loss::kKeepAll}) {
      cuts.push_back(sim.AfterPowerLoss(loss, &dice));
      if (cuts.back().pools.empty()) cuts.pop_back();  // before the pool is mapped
    }
  });
  std::unique_ptr<Pool> pool;
  ASSERT_TRUE(Pool::Create(options, "db", PoolId::Random(), &pool).ok());
  sim.SetChangeListener({});
  options.path = pool->path();
  pool.reset();
  int opened = 0;
  for (const PmemImages& cut : cuts) {
    cut.Restore();
    const Status s = Pool::Open(options, nullptr, &pool);
    opened += s.ok();
    EXPECT_TRUE(s.ok() || s.IsCorruption()) << s.ToString();
    pool.reset();
    ASSERT_TRUE(Pool::Remove(options.path).ok());
    EXPECT_TRUE(fs::is_empty(dir.path()));
  }
  EXPECT_GT(opened, 0);
}

// What an interrupted removal leaves still says which pool it was.
TEST(PoolDamage, ARemovalThatStopsLeavesTheHeaderToTheLast) {
  ScratchPool pool(128 << 20, kExtent);
  const PoolId id = pool.pool()->id();
  pool.Close();
  // This part cannot be unlinked.
  const std::string stuck = PartOf(pool, 1);
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount(stuck.c_str(), stuck.c_str(), nullptr, MS_BIND, nullptr) != 0) {
    GTEST_SKIP() << "may not mount here";
  }
  EXPECT_FALSE(Pool::Remove(pool.path()).ok());
  umount2(stuck.c_str(), MNT_DETACH);
  PoolDescription found;
  ASSERT_TRUE(DescribePool(pool.path(), &found).ok());
  EXPECT_TRUE(found.id == id);
  EXPECT_TRUE(Pool::Remove(pool.path()).ok());
}

// A full file system refuses the growth; the existing pool remains usable.
TEST(PoolDamage, NoSpaceLeft) {
  const TempDir dir(testkit::Medium::kMemory);
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", dir.path().c_str(), "tmpfs", 0, "size=100m") != 0) {
    GTEST_SKIP() << "may not mount a small file system here";
  }
  PoolOptions options;
  options.path = dir.path();
  options.size = 1 << 30;
  options.assume_pmem = true;
  options.extent_size = kExtent;
  std::unique_ptr<Pool> pool;
  ASSERT_TRUE(Pool::Create(options, "db", PoolId::Random(), &pool).ok());
  {
    Extents extents(pool.get());
    EXPECT_GT(extents.capacity_bytes(), 900u << 20);
    PoolOffset pool_offset;
    Status s;
    while ((s = extents.Reserve(1, &pool_offset)).ok()) memset(pool->At(pool_offset), 'f', kExtent);
    EXPECT_TRUE(s.IsIOError());
    EXPECT_NE(std::string::npos, s.ToString().find("No space left")) << s.ToString();
    // A part of a growth step succeeded; now the pool knows that there is no more space.
    EXPECT_GT(extents.used_bytes(), 64u << 20);
    EXPECT_DOUBLE_EQ(1.0, extents.use());
    EXPECT_FALSE(extents.PrefaultStep());
  }
  options.path = pool->path();
  pool.reset();
  Status opened = Pool::Open(options, nullptr, &pool);
  EXPECT_TRUE(opened.ok()) << opened.ToString();
  pool.reset();
  // A pool that does not fit at all leaves nothing behind.
  const std::string files = dir / "file";
  options.path = files;
  options.size = 200 << 20;
  const Status s = Pool::Create(options, "db", PoolId::Random(), &pool);
  EXPECT_TRUE(s.IsIOError()) << s.ToString();
  EXPECT_FALSE(fs::exists(files));
  testkit::WriteFile(files, "");
  EXPECT_TRUE(Pool::Create(options, "db", PoolId::Random(), &pool).IsIOError());
  EXPECT_EQ(0u, fs::file_size(files));
  umount2(dir.path().c_str(), MNT_DETACH);
}

// A page of the mapping is lost.
TEST(PoolDamage, ALostPage) {
  ScratchPool pool(64 << 20, kExtent);
  pool.options()->guard_faults = true;
  ASSERT_TRUE(pool.Reopen().ok());
  PoolOffset first;
  PoolOffset last;
  ASSERT_TRUE(pool.extents()->Reserve(1, &first).ok());
  while (pool.extents()->Reserve(1, &last).ok()) {
  }
  memset(pool.pool()->At(first), 'f', kExtent);
  memset(pool.pool()->At(last), 'l', kExtent);
  EXPECT_FALSE(pool.pool()->Lost());
  fs::resize_file(PartOf(pool, 1), 1 << 20);
  EXPECT_EQ('f', *pool.pool()->At(first));
  EXPECT_FALSE(pool.pool()->Lost());
  EXPECT_EQ(0, *pool.pool()->At(last));
  EXPECT_TRUE(pool.pool()->Lost());
  EXPECT_EQ('f', *pool.pool()->At(first));
}

}  // namespace leveldb
