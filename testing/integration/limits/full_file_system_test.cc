// A pool or a mapped log on a file system that becomes full causes an error, and never SIGBUS,
// which a page without a block raises. The small file system is mounted in a mount namespace of the
// test's own.

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/history.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/subprocess.h"
#include "testing/temp_dir.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

namespace fs = std::filesystem;

constexpr char kInNamespace[] = "BUSHSTORE_TEST_IN_NAMESPACE";
constexpr char kMayNotMount[] = "no file system can be mounted here";

// Punches holes where there are only zeros, as many programs that copy files do.
void MakeSparse(const std::string& path) {
  constexpr size_t kPage = 4096;
  const std::string bytes = ReadFile(path);
  const std::string zeros(kPage, '\0');
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  for (size_t at = 0; at + kPage <= bytes.size(); at += kPage) {
    if (bytes.compare(at, kPage, zeros) != 0) continue;
    ASSERT_EQ(0, fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(at),
                           kPage));
  }
  close(file);
}

uint64_t TakenBytes(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 ? uint64_t{512} * static_cast<uint64_t>(status.st_blocks)
                                          : 0;
}

class SparsePool : public ::testing::Test {
 protected:
  SparsePool() : history_(AnnouncedSeed(), 500) {}

  // Makes a small database and closes it; its pool is full of holes.
  void MakeStore() {
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.Write(&history_, 50));
    store_.Close();
    for (const std::string& file : store_.PoolFiles()) {
      MakeSparse(file);
      ASSERT_LT(TakenBytes(file), fs::file_size(file));
    }
  }

  TierStore store_{kTinyPool};
  History history_;
};

TEST_F(SparsePool, IsWholeOnceItIsOpen) {
  ASSERT_NO_FATAL_FAILURE(MakeStore());
  ASSERT_OK(store_.Open());
  for (const std::string& file : store_.PoolFiles()) {
    EXPECT_GE(TakenBytes(file), fs::file_size(file)) << "a write could find no room";
  }
  EXPECT_OK(store_.CheckAt(history_));
}

// Gives this process a mount namespace of its own. Returns false if that is not permitted.
bool LeaveTheMounts() {
  const uid_t user = getuid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    WriteFile("/proc/self/uid_map", "0 " + std::to_string(user) + " 1\n");
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

// Runs the test of the same name again in a process whose TMPDIR is a tmpfs of `size`; *inside says
// which of the two processes this is.
void EnterSmallFileSystem(const char* size, bool* inside) {
  *inside = std::getenv(kInNamespace) != nullptr;
  if (*inside) {
    const std::string options = std::string("size=") + size;
    const char* const place = std::getenv("TMPDIR");
    if (!LeaveTheMounts() || mount("tmpfs", place, "tmpfs", 0, options.c_str()) != 0) {
      *inside = false;
      GTEST_SKIP() << kMayNotMount << ": " << std::strerror(errno);
    }
    return;
  }
  const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
  const TempDir mount_point;
  const Finished finished =
      RunToEnd({fs::read_symlink("/proc/self/exe").string(),
                std::string("--gtest_filter=") + test.test_suite_name() + "." + test.name()},
               {{kInNamespace, "1"}, {"TMPDIR", mount_point.path()}});
  if (finished.output.find(kMayNotMount) != std::string::npos) GTEST_SKIP() << kMayNotMount;
  EXPECT_EQ(0, finished.code) << finished.output;
}

// A store in the small file system, which is where TMPDIR is.
class SmallStore : public TierStore {
 public:
  explicit SmallStore(uint64_t pool_bytes) : TierStore(pool_bytes, Medium::kAny) {}

  // Fills the file system except for `free_bytes`. Fails, and fills nothing, if TMPDIR is not in
  // the small file system.
  void FillUp(uint64_t free_bytes) {
    struct statvfs system;
    ASSERT_EQ(0, statvfs(dir().path().c_str(), &system));
    const uint64_t all = uint64_t{system.f_blocks} * system.f_frsize;
    const uint64_t free = uint64_t{system.f_bavail} * system.f_frsize;
    ASSERT_LT(all, uint64_t{64} << 20) << dir().path() << " is in another file system";
    ASSERT_GT(free, free_bytes);
    const int file = open(filler().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    ASSERT_GE(file, 0);
    ASSERT_EQ(0, posix_fallocate(file, 0, static_cast<off_t>(free - free_bytes)));
    close(file);
  }
  void MakeRoom() { fs::remove(filler()); }

 private:
  std::string filler() const { return dir() / "filler"; }
};

TEST(FullFileSystem, RefusesASparsePoolThatItHasNoRoomFor) {
  bool inside;
  EnterSmallFileSystem("24m", &inside);
  if (!inside) return;
  SmallStore store(kTinyPool);
  History history(AnnouncedSeed(), 500);
  ASSERT_OK(store.Open());
  ASSERT_OK(store.Write(&history, 50));
  store.Close();
  for (const std::string& file : store.PoolFiles()) MakeSparse(file);
  ASSERT_NO_FATAL_FAILURE(store.FillUp(1 << 20));
  const Status status = store.Open();
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_TRUE(Says(status, "No space left on device"));
  EXPECT_TRUE(Says(status, store.pools()));
  store.MakeRoom();
  ASSERT_OK(store.Open());
  EXPECT_OK(store.CheckAt(history));
}

TEST(FullFileSystem, LetsNoPoolBeMade) {
  bool inside;
  EnterSmallFileSystem("24m", &inside);
  if (!inside) return;
  SmallStore store(kTinyPool);
  ASSERT_NO_FATAL_FAILURE(store.FillUp(6 << 20));
  const Status status = store.Open();
  EXPECT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_EQ("", store.PoolNames());
  store.MakeRoom();
  EXPECT_OK(store.Open());
}

// The pool may grow to more than the space there is.
TEST(FullFileSystem, EndsTheGrowthOfAPool) {
  bool inside;
  EnterSmallFileSystem("100m", &inside);
  if (!inside) return;
  SmallStore store(uint64_t{256} << 20);
  store.pmem.spill = false;
  ASSERT_OK(store.Open());
  const std::string value(20000, 'v');
  Status status;
  int written = 0;
  for (; written < 10000 && status.ok(); ++written) {
    status = store.db()->Put(WriteOptions(), std::to_string(written), value);
  }
  ASSERT_TRUE(status.IsIOError()) << status.ToString();
  for (int round = 0; round < 2; ++round) {
    std::string found;
    for (int i = 0; i < written - 1; ++i) {
      ASSERT_OK(store.db()->Get(ReadOptions(), std::to_string(i), &found));
      ASSERT_EQ(value, found);
    }
    ASSERT_OK(store.Open());
  }
}

// A log is allocated ahead of what is written to it, where that is possible.
TEST(FullFileSystem, IsFilledByALogWithoutATier) {
  bool inside;
  EnterSmallFileSystem("24m", &inside);
  if (!inside) return;
  const TempDir dir;
  WriteFile(dir / "filler", std::string(14 << 20, 'f'));
  Options options;
  options.create_if_missing = true;
  options.write_buffer_size = size_t{64} << 20;
  DB* opened;
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  std::unique_ptr<DB> db(opened);
  const std::string value(1000, 'v');
  Status status;
  int written = 0;
  for (; written < 100000 && status.ok(); ++written) {
    status = db->Put(WriteOptions(), std::to_string(written), value);
  }
  ASSERT_TRUE(status.IsIOError()) << status.ToString();
  EXPECT_TRUE(Says(status, "No space left on device"));
  EXPECT_GT(written, 9500) << "of 10 MiB";
  db.reset();
  fs::remove(dir / "filler");
  ASSERT_OK(DB::Open(options, dir / "db", &opened));
  db.reset(opened);
  std::string found;
  for (int i = 0; i < written - 1; ++i) {
    ASSERT_OK(db->Get(ReadOptions(), std::to_string(i), &found));
    ASSERT_EQ(value, found);
  }
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
