// Making, opening, describing and removing pools of all kinds, and every way in which that fails.
#include "pmem/media/pool.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdarg>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pmem/media/extents.h"
#include "testing/temp_dir.h"

namespace leveldb {

namespace {

namespace fs = std::filesystem;
using testkit::Medium;
using testkit::TempDir;

constexpr uint64_t kSmall = 64 << 20;
constexpr char kOwner[] = "/home/somebody/the database";

// A place for pools, and what to open them with.
class Bench {
 public:
  explicit Bench(PoolKind kind, Medium medium = Medium::kMemory) : dir_(medium) {
    options.path = kind == PoolKind::kDirectory ? dir_.path() : dir_ / "pool";
    options.size = kSmall;
    options.assume_pmem = testkit::IsInMemory(dir_.path());
  }

  Status Create() {
    pool.reset();
    const Status s = Pool::Create(options, kOwner, id, &pool);
    if (s.ok()) options.path = pool->path();
    return s;
  }
  Status Open() {
    pool.reset();
    return Pool::Open(options, &id, &pool);
  }
  std::string dir() const { return dir_.path(); }
  bool IsEmpty() const { return fs::is_empty(dir_.path()); }

  PoolOptions options;
  const PoolId id = PoolId::Random();
  std::unique_ptr<Pool> pool;

 private:
  const TempDir dir_;
};

// That the status is of this kind and its message has all these words.
void ExpectError(const Status& s, bool is_kind, const std::vector<std::string>& words) {
  EXPECT_TRUE(is_kind) << s.ToString();
  for (const std::string& word : words) {
    EXPECT_NE(std::string::npos, s.ToString().find(word)) << s.ToString() << " lacks " << word;
  }
}

mode_t ModeOf(const fs::path& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? status.st_mode & 0777 : 0;
}

// Keeps the lines that were logged.
class LinesLogger : public Logger {
 public:
  void Logv(const char* format, std::va_list ap) override {
    char line[1000];
    vsnprintf(line, sizeof(line), format, ap);
    lines += line + std::string("\n");
  }
  std::string lines;
};

// Runs `body` in a forked child; returns what it returned.
int InChild(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class PoolOfAKind : public testing::TestWithParam<std::tuple<PoolKind, Medium>> {
 protected:
  PoolKind kind() const { return std::get<0>(GetParam()); }
  Medium medium() const { return std::get<1>(GetParam()); }
};

INSTANTIATE_TEST_SUITE_P(Kinds, PoolOfAKind,
                         testing::Combine(testing::Values(PoolKind::kDirectory, PoolKind::kFile),
                                          testing::Values(Medium::kMemory, Medium::kDisk)));

}  // namespace

TEST_P(PoolOfAKind, CreatedAndOpenedAgain) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(kind(), bench.pool->kind());
  EXPECT_EQ(bench.id, bench.pool->id());
  EXPECT_EQ(kOwner, bench.pool->owner());
  EXPECT_EQ(0u, bench.pool->epoch());
  EXPECT_EQ(kSmall, bench.pool->ceiling());
  EXPECT_GT(bench.pool->size(), kSmall - (8 << 20));
  const std::vector<Slab> slabs = bench.pool->slabs();
  Place place;
  {
    Extents extents(bench.pool.get());
    ASSERT_TRUE(extents.Reserve(2, &place).ok());
  }
  const std::string bytes(100000, 'b');
  bench.pool->persist()->Copy(bench.pool->At(place), bytes.data(), bytes.size());
  ASSERT_TRUE(bench.pool->persist()->Sync().ok());
  ASSERT_TRUE(bench.pool->root()->AddLog({7, place, 99}).ok());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  EXPECT_EQ(1u, bench.pool->epoch());

  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(bench.id, bench.pool->id());
  EXPECT_EQ(kOwner, bench.pool->owner());
  EXPECT_EQ(1u, bench.pool->epoch());
  EXPECT_FALSE(bench.pool->was_clean());
  EXPECT_EQ(slabs, bench.pool->slabs());
  EXPECT_EQ(bytes, std::string(bench.pool->At(place), bytes.size()));
  EXPECT_EQ(place, bench.pool->PlaceOf(bench.pool->At(place)));
  EXPECT_EQ((std::vector<LogSlot>{{7, place, 99}}), bench.pool->root()->Logs());
  ASSERT_TRUE(bench.pool->MarkClean().ok());

  ASSERT_TRUE(bench.Open().ok());
  EXPECT_TRUE(bench.pool->was_clean());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_FALSE(bench.pool->was_clean());
  EXPECT_EQ(2u, bench.pool->epoch());
}

TEST_P(PoolOfAKind, TheMediumDecides) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  if (bench.options.assume_pmem) {
    EXPECT_EQ(MediumKind::kEmulated, bench.pool->medium());
    EXPECT_NE(std::string::npos, bench.pool->persist()->Name().find("emulated"));
    bench.options.assume_pmem = false;
    ASSERT_TRUE(bench.Open().ok());
  }
  EXPECT_EQ(MediumKind::kPageCache, bench.pool->medium());
  EXPECT_EQ("msync", bench.pool->persist()->Name());
  EXPECT_FALSE(bench.pool->persist()->SurvivesPowerLoss());
}

TEST_P(PoolOfAKind, Missing) {
  Bench bench(kind(), medium());
  if (kind() == PoolKind::kDirectory) bench.options.path += "/db-012345.set";
  const Status s = bench.Open();
  ExpectError(s, s.IsNotFound(), {bench.options.path});
}

TEST_P(PoolOfAKind, Busy) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  std::unique_ptr<Pool> again;
  const Status s = Pool::Open(bench.options, &bench.id, &again);
  ExpectError(s, s.IsIOError(), {bench.options.path, "busy"});
  EXPECT_EQ(0, InChild([&bench] {
              std::unique_ptr<Pool> another;
              return Pool::Open(bench.options, &bench.id, &another).IsIOError() ? 0 : 1;
            }));
  EXPECT_TRUE(Pool::Remove(bench.options.path).IsIOError());
  ASSERT_TRUE(bench.Open().ok());
}

TEST_P(PoolOfAKind, OfAnotherDatabase) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  const PoolId other = PoolId::Random();
  const Status s = Pool::Open(bench.options, &other, &bench.pool);
  ExpectError(s, s.IsInvalidArgument(),
              {bench.options.path, kOwner, bench.id.Text(), other.Text()});
  EXPECT_TRUE(Pool::Open(bench.options, nullptr, &bench.pool).ok());
}

TEST_P(PoolOfAKind, TooSmall) {
  Bench bench(kind(), medium());
  bench.options.size = Pool::kBytesMin - 1;
  Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"too small", "8388608"});
  EXPECT_TRUE(bench.IsEmpty());
  bench.options.size = Pool::kBytesMin;
  s = bench.Create();
  ASSERT_TRUE(s.ok()) << s.ToString();
  EXPECT_GE(bench.pool->size(), 3u << 20);
}

TEST_P(PoolOfAKind, ExtentSizes) {
  for (const uint64_t bad :
       {uint64_t{1}, uint64_t{32} << 10, uint64_t{96} << 10, uint64_t{8} << 20}) {
    Bench bench(kind(), medium());
    bench.options.extent_size = bad;
    EXPECT_TRUE(bench.Create().IsInvalidArgument());
    EXPECT_TRUE(bench.IsEmpty());
  }
  Bench bench(kind(), medium());
  bench.options.extent_size = Pool::kExtentBytesMax;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(Pool::kExtentBytesMax, bench.pool->extent_size());
  bench.options.extent_size = 0;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(Pool::kExtentBytesMax, bench.pool->extent_size());
}

TEST_P(PoolOfAKind, TheExtentSizeFollowsTheSize) {
  Bench small(kind(), Medium::kMemory);
  ASSERT_TRUE(small.Create().ok());
  EXPECT_EQ(Pool::kExtentBytesMin, small.pool->extent_size());
  Bench large(PoolKind::kDirectory, Medium::kMemory);
  large.options.size = uint64_t{64} << 30;  // a ceiling costs nothing
  ASSERT_TRUE(large.Create().ok());
  EXPECT_EQ(1u << 20, large.pool->extent_size());
}

TEST_P(PoolOfAKind, RemovedAndRemovedAgain) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  EXPECT_FALSE(bench.IsEmpty());
  EXPECT_TRUE(Pool::Remove(bench.options.path).ok());
  EXPECT_TRUE(bench.IsEmpty());
  EXPECT_TRUE(Pool::Remove(bench.options.path).ok());
}

TEST_P(PoolOfAKind, DescribedWhileOpenAndClosed) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  ASSERT_TRUE(bench.pool->root()->AddLog({1, 1, 1}).ok());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  for (const bool open : {true, false}) {
    if (!open) bench.pool.reset();
    PoolDescription description;
    const Status s = Pool::Describe(bench.options.path, &description);
    ASSERT_TRUE(s.ok()) << s.ToString();
    EXPECT_EQ(bench.options.path, description.path);
    EXPECT_EQ(kind(), description.kind);
    EXPECT_EQ(bench.id, description.id);
    EXPECT_EQ(kOwner, description.owner);
    EXPECT_EQ(kSmall, description.bytes);
    EXPECT_GT(description.slab_bytes, kSmall - (8 << 20));
    EXPECT_EQ(kSmall, description.ceiling);
    EXPECT_EQ(Pool::kExtentBytesMin, description.extent_size);
    EXPECT_EQ(1u, description.epoch);
    EXPECT_FALSE(description.clean);
    EXPECT_EQ(1u, description.logs);
    EXPECT_FALSE(description.device.file_system.empty());
  }
}

TEST_P(PoolOfAKind, AnOwnerWithAVeryLongPath) {
  Bench bench(kind(), medium());
  const std::string longest(PoolRoot::kOwnerBytesMax, 'd');
  EXPECT_TRUE(
      Pool::Create(bench.options, longest + "d", bench.id, &bench.pool).IsInvalidArgument());
  EXPECT_TRUE(bench.IsEmpty());
  ASSERT_TRUE(Pool::Create(bench.options, longest, bench.id, &bench.pool).ok());
  EXPECT_EQ(longest, bench.pool->owner());
}

TEST_P(PoolOfAKind, ContainsKnowsItsBounds) {
  Bench bench(kind(), medium());
  ASSERT_TRUE(bench.Create().ok());
  const Slab slab = bench.pool->slabs().at(0);
  const uint64_t extent = bench.pool->extent_size();
  const Place first = (slab.begin + extent - 1) / extent * extent;
  const Place end = slab.end / extent * extent;
  EXPECT_TRUE(bench.pool->Contains(first, 0));
  EXPECT_TRUE(bench.pool->Contains(first, end - first));
  EXPECT_TRUE(bench.pool->Contains(end - 1, 1));
  EXPECT_FALSE(bench.pool->Contains(end, 1));
  EXPECT_FALSE(bench.pool->Contains(first - 1, 1));
  EXPECT_FALSE(bench.pool->Contains(first - 1, 2));
  EXPECT_FALSE(bench.pool->Contains(end - 1, 2));
  EXPECT_FALSE(bench.pool->Contains(0, 1));
  EXPECT_FALSE(bench.pool->Contains(kSmall, 1));
  EXPECT_FALSE(bench.pool->Contains(~Place{0}, 1));
  EXPECT_FALSE(bench.pool->Contains(first, ~size_t{0}));
  EXPECT_FALSE(bench.pool->Contains(~Place{0}, ~size_t{0}));
}

TEST_P(PoolOfAKind, SeveralInOneProcess) {
  Bench one(kind(), medium());
  Bench other(kind(), medium());
  ASSERT_TRUE(one.Create().ok());
  ASSERT_TRUE(other.Create().ok());
  memset(one.pool->At(one.pool->slabs()[0].begin), '1', 1000);
  memset(other.pool->At(other.pool->slabs()[0].begin), '2', 1000);
  EXPECT_EQ('1', one.pool->base()[one.pool->slabs()[0].begin]);
  one.pool.reset();
  EXPECT_EQ('2', other.pool->base()[other.pool->slabs()[0].begin]);
}

// A child that was forked and lives on neither keeps the pool locked nor sees the mapping.
TEST_P(PoolOfAKind, AForkedChildDoesNotKeepThePool) {
  Bench bench(kind(), medium());
  if (kind() == PoolKind::kDirectory) bench.options.size = 256 << 20;
  ASSERT_TRUE(bench.Create().ok());
  if (kind() == PoolKind::kDirectory) {
    ASSERT_TRUE(bench.pool->Grow(0).ok());
  }
  int ends[2];
  ASSERT_EQ(0, pipe(ends));
  const pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    char byte;
    _exit(static_cast<int>(read(ends[0], &byte, 1)));
  }
  close(ends[0]);
  const Status s = bench.Open();
  EXPECT_TRUE(s.ok()) << s.ToString();
  close(ends[1]);
  waitpid(child, nullptr, 0);
}

TEST_P(PoolOfAKind, Prefaulted) {
  Bench bench(kind(), medium());
  bench.options.size = 128 << 20;
  bench.options.prefault = true;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_GT(bench.pool->size(), bench.options.size - (8 << 20));
  EXPECT_EQ(0u, bench.pool->growth_room());
}

TEST_P(PoolOfAKind, SaysInTheLogWhatItIsOn) {
  LinesLogger logger;
  Bench bench(kind(), medium());
  bench.options.info_log = &logger;
  ASSERT_TRUE(bench.Create().ok());
  const std::string line = logger.lines;
  EXPECT_NE(std::string::npos, line.find(bench.options.path)) << line;
  EXPECT_NE(std::string::npos, line.find(bench.options.assume_pmem ? "emulated" : "synced"))
      << line;
  EXPECT_NE(std::string::npos, line.find(bench.pool->device().file_system)) << line;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(line + line, logger.lines);
}

// Directory pools.

TEST(DirectoryPool, NamesAndModes) {
  Bench bench(PoolKind::kDirectory);
  ASSERT_TRUE(bench.Create().ok());
  const std::string name = "the_database-" + bench.id.Text().substr(0, 12);
  EXPECT_EQ(bench.dir() + "/" + name + ".set", bench.pool->path());
  EXPECT_EQ(0600u, ModeOf(bench.dir() + "/" + name + ".set"));
  EXPECT_EQ(0700u, ModeOf(bench.dir() + "/" + name + ".pool"));
  EXPECT_EQ(0600u, ModeOf(bench.dir() + "/" + name + ".pool/000000.pmem"));
}

TEST(DirectoryPool, NamesOfOddOwners) {
  PoolId id;
  const std::string zeros = "-000000000000.set";
  EXPECT_EQ("d/db" + zeros, DirectoryPoolPath("d", "/a/b/db", id));
  EXPECT_EQ("d/db" + zeros, DirectoryPoolPath("d", "/a/b/db//", id));
  EXPECT_EQ("d/db" + zeros, DirectoryPoolPath("d", "db", id));
  EXPECT_EQ("d/" + zeros, DirectoryPoolPath("d", "", id));
  EXPECT_EQ("d/" + zeros, DirectoryPoolPath("d", "/", id));
  EXPECT_EQ("d/___" + zeros, DirectoryPoolPath("d", "/x/. \n", id));
  EXPECT_EQ("d/" + std::string(40, 'n') + zeros,
            DirectoryPoolPath("d", "/" + std::string(300, 'n'), id));
}

TEST(DirectoryPool, ThereAlready) {
  Bench bench(PoolKind::kDirectory);
  const std::string directory = bench.options.path;
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  bench.options.path = directory;
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"exists already"});
  bench.options.path = DirectoryPoolPath(directory, kOwner, bench.id);
  EXPECT_TRUE(bench.Open().ok());
}

TEST(DirectoryPool, WithoutADirectory) {
  Bench bench(PoolKind::kDirectory);
  bench.options.path = bench.dir() + "/not/there";
  bench.options.kind = PoolKind::kDirectory;
  const Status s = bench.Create();
  ExpectError(s, !s.ok(), {bench.options.path});
}

TEST(DirectoryPool, MayBeMoved) {
  Bench bench(PoolKind::kDirectory);
  const fs::path first = fs::path(bench.dir()) / "first";
  const fs::path second = fs::path(bench.dir()) / "second";
  fs::create_directory(first);
  bench.options.path = first;
  ASSERT_TRUE(bench.Create().ok());
  bench.pool.reset();
  fs::rename(first, second);
  bench.options.path = second / fs::path(bench.options.path).filename();
  EXPECT_TRUE(bench.Open().ok());
  // The parts alone will do, too.
  bench.pool.reset();
  fs::remove(bench.options.path);
  EXPECT_TRUE(bench.Open().ok());
}

TEST(DirectoryPool, RelativePaths) {
  Bench bench(PoolKind::kDirectory);
  const fs::path before = fs::current_path();
  fs::current_path(bench.dir());
  bench.options.path = ".";
  EXPECT_TRUE(bench.Create().ok());
  EXPECT_TRUE(bench.Open().ok());
  fs::current_path(before);
}

TEST(DirectoryPool, TheCeilingCanBeMoved) {
  Bench bench(PoolKind::kDirectory);
  bench.options.size = 96 << 20;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(32u << 20, bench.pool->growth_room());
  ASSERT_TRUE(bench.pool->Grow(0).ok());
  EXPECT_EQ(0u, bench.pool->growth_room());
  Status s = bench.pool->Grow(0);
  ExpectError(s, s.IsIOError(), {"ceiling"});

  bench.options.size = 512 << 20;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(512u << 20, bench.pool->ceiling());
  ASSERT_TRUE(bench.pool->Grow(0).ok());
  ASSERT_TRUE(bench.pool->Grow(200 << 20).ok());
  memset(bench.pool->At(bench.pool->slabs().back().begin), 1,
         bench.pool->slabs().back().end - bench.pool->slabs().back().begin);
  const uint64_t size = bench.pool->size();
  EXPECT_GT(size, 340u << 20);

  bench.options.size = 0;
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(512u << 20, bench.pool->ceiling());
  EXPECT_EQ(size, bench.pool->size());

  bench.options.size = 1 << 20;  // lower than it has grown
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(0u, bench.pool->growth_room());
  EXPECT_EQ(size, bench.pool->size());
}

TEST(DirectoryPool, GrowsInLargerStepsTheLargerItIs) {
  Bench bench(PoolKind::kDirectory);
  bench.options.size = uint64_t{64} << 30;
  ASSERT_TRUE(bench.Create().ok());
  const uint64_t before = bench.pool->size();
  EXPECT_LT(before, 64u << 20);
  ASSERT_TRUE(bench.pool->Grow(0).ok());
  EXPECT_GT(bench.pool->size() - before, 1900u << 20);
}

TEST(DirectoryPool, Listed) {
  Bench bench(PoolKind::kDirectory);
  std::vector<std::string> paths;
  ASSERT_TRUE(Pool::ListPools(bench.dir(), &paths).ok());
  EXPECT_TRUE(paths.empty());
  const std::string directory = bench.options.path;
  ASSERT_TRUE(bench.Create().ok());
  std::unique_ptr<Pool> other;
  bench.options.path = directory;
  ASSERT_TRUE(Pool::Create(bench.options, "/a", PoolId::Random(), &other).ok());
  // What a removal that was cut short left, and what is no pool.
  fs::create_directory(directory + "/z-left.pool");
  testkit::WriteFile(directory + "/notes.txt", "nothing");
  ASSERT_TRUE(Pool::ListPools(directory, &paths).ok());
  EXPECT_EQ(
      (std::vector<std::string>{other->path(), bench.pool->path(), directory + "/z-left.set"}),
      paths);
  EXPECT_TRUE(Pool::Remove(directory + "/z-left.set").ok());
  ASSERT_TRUE(Pool::ListPools(directory, &paths).ok());
  EXPECT_EQ(2u, paths.size());
  EXPECT_TRUE(Pool::ListPools(directory + "/nowhere", &paths).IsNotFound());
}

// File pools.

TEST(FilePool, ModeAndSize) {
  Bench bench(PoolKind::kFile);
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(0600u, ModeOf(bench.options.path));
  EXPECT_EQ(kSmall, fs::file_size(bench.options.path));
  const Status s = bench.pool->Grow(0);
  ExpectError(s, s.IsIOError(), {"fixed"});
}

TEST(FilePool, InAFileThatIsThere) {
  // Empty, or blank and as long as wanted.
  for (const uint64_t length : {uint64_t{0}, kSmall}) {
    for (const uint64_t size : {uint64_t{0}, kSmall}) {
      if (length == 0 && size == 0) continue;
      Bench bench(PoolKind::kFile);
      testkit::WriteFile(bench.options.path, "");
      fs::resize_file(bench.options.path, length);
      bench.options.size = size;
      const Status s = bench.Create();
      ASSERT_TRUE(s.ok()) << s.ToString();
      EXPECT_EQ(kSmall, fs::file_size(bench.options.path));
      EXPECT_TRUE(bench.Open().ok());
    }
  }
}

TEST(FilePool, NotInAFileThatHoldsSomething) {
  Bench bench(PoolKind::kFile);
  const std::string contents = "letters to grandmother" + std::string(kSmall, '\0');
  testkit::WriteFile(bench.options.path, contents);
  bench.options.size = 0;
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {bench.options.path, "not empty"});
  EXPECT_EQ(contents, testkit::ReadFile(bench.options.path));

  bench.options.size = 0;
  const Status opened = bench.Open();
  ExpectError(opened, opened.IsCorruption(), {bench.options.path, "no pool of ours"});
  EXPECT_EQ(contents, testkit::ReadFile(bench.options.path));
}

TEST(FilePool, NotInAFileOfAnotherSize) {
  Bench bench(PoolKind::kFile);
  testkit::WriteFile(bench.options.path, std::string(10 << 20, '\0'));
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"10485760", "67108864"});
  bench.options.size = 0;
  EXPECT_TRUE(bench.Create().ok());
}

TEST(FilePool, ThereAlready) {
  Bench bench(PoolKind::kFile);
  ASSERT_TRUE(bench.Create().ok());
  ASSERT_TRUE(bench.pool->RaiseEpoch().ok());
  bench.pool.reset();
  EXPECT_TRUE(bench.Create().IsInvalidArgument());
  ASSERT_TRUE(bench.Open().ok());
  EXPECT_EQ(1u, bench.pool->epoch());
}

TEST(FilePool, APathThatIsNoFile) {
  Bench bench(PoolKind::kFile);
  bench.options.path = "/dev/null";
  EXPECT_FALSE(bench.Create().ok());
  EXPECT_FALSE(bench.Open().ok());
  bench.options.path = bench.dir();
  bench.options.kind = PoolKind::kFile;
  EXPECT_FALSE(bench.Create().ok());
  EXPECT_FALSE(bench.Open().ok());
}

// Persistent memory that is none.

TEST(Pool, AssumePmemIsForMemory) {
  Bench bench(PoolKind::kDirectory, Medium::kDisk);
  if (testkit::IsInMemory(bench.dir())) GTEST_SKIP() << "there is no disk";
  bench.options.assume_pmem = true;
  const Status s = bench.Create();
  ExpectError(s, s.IsInvalidArgument(), {"assume_pmem"});
  EXPECT_TRUE(bench.IsEmpty());
  bench.options.assume_pmem_anywhere = true;
  ASSERT_TRUE(bench.Create().ok());
  EXPECT_EQ(MediumKind::kEmulated, bench.pool->medium());
}

}  // namespace leveldb
