#include "port/fault_guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "port/sanitizers.h"

namespace leveldb {

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPages = 8;
constexpr int kHugeOf2Mib = 21 << 26;  // MAP_HUGE_2MB, which some headers lack

// A mapped file of letters that can be cut short under the mapping.
class CutFile {
 public:
  CutFile() {
    const char* const place = std::getenv("TMPDIR");
    std::string path = std::string(place != nullptr ? place : "/tmp") + "/fault_guard_XXXXXX";
    fd_ = mkstemp(path.data());
    unlink(path.c_str());
    const std::string letters(kPages * kPage, 'x');
    EXPECT_EQ(static_cast<ssize_t>(letters.size()), write(fd_, letters.data(), letters.size()));
    void* const mapping = mmap(nullptr, kPages * kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd_, 0);
    EXPECT_NE(MAP_FAILED, mapping);
    base_ = static_cast<char*>(mapping);
  }
  ~CutFile() {
    munmap(base_, kPages * kPage);
    close(fd_);
  }

  void Cut(size_t pages) { EXPECT_EQ(0, ftruncate(fd_, static_cast<off_t>(pages * kPage))); }
  char* base() const { return base_; }
  volatile char* page(size_t i) const { return base_ + i * kPage; }

 private:
  int fd_;
  char* base_;
};

// Sends a signal as the kernel would send it, which a process may do only to itself.
void SendToMyself(int code, char* address, int16_t shift) {
  siginfo_t info = {};
  info.si_signo = SIGBUS;
  info.si_code = code;
  info.si_addr = address;
  info.si_addr_lsb = shift;
  ASSERT_EQ(0, syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGBUS, &info));
}

// Returns whether a child dies of `body`: by the signal, or by a sanitizer's handling of it.
template <typename Body>
bool Kills(const Body& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return !WIFEXITED(status) || WEXITSTATUS(status) != 0;
}

}  // namespace

TEST(FaultGuard, ALostPageReadsAsZeros) {
  CutFile file;
  FaultGuard guard(file.base(), kPages * kPage);
  ASSERT_TRUE(guard.installed());
  EXPECT_EQ('x', *file.page(7));
  EXPECT_FALSE(guard.lost()->load());
  file.Cut(4);
  EXPECT_EQ('x', *file.page(3));
  EXPECT_FALSE(guard.lost()->load());
  EXPECT_EQ(0, *file.page(7));
  EXPECT_TRUE(guard.lost()->load());
  EXPECT_EQ('x', *file.page(3));
  *file.page(6) = 'y';
  EXPECT_EQ('y', *file.page(6));
}

TEST(FaultGuard, MarksOnlyTheGuardOfThePage) {
  CutFile one;
  CutFile other;
  FaultGuard guard_of_one(one.base(), kPages * kPage);
  FaultGuard guard_of_other(other.base(), kPages * kPage);
  other.Cut(0);
  EXPECT_EQ(0, *other.page(0));
  EXPECT_FALSE(guard_of_one.lost()->load());
  EXPECT_TRUE(guard_of_other.lost()->load());
}

TEST(FaultGuard, AFreshGuardIsNotMarked) {
  CutFile file;
  {
    FaultGuard guard(file.base(), kPages * kPage);
    file.Cut(0);
    EXPECT_EQ(0, *file.page(0));
    EXPECT_TRUE(guard.lost()->load());
  }
  FaultGuard guard(file.base(), kPages * kPage);
  EXPECT_FALSE(guard.lost()->load());
}

TEST(FaultGuard, ThreadsFaultTogether) {
  CutFile file;
  FaultGuard guard(file.base(), kPages * kPage);
  file.Cut(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&file] {
      for (size_t i = 0; i < kPages; i++) EXPECT_EQ(0, *file.page(i));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(guard.lost()->load());
}

// An ordinary mapping stands in for one that cannot be divided: the kernel refuses to replace a
// part of a huge page, as it does for a DAX device's. No free huge page is needed.
TEST(FaultGuard, ReplacesTheWholeUnitOfAMappingThatCannotBeDivided) {
  constexpr size_t kUnit = 2 << 20;
  constexpr size_t kBytes = 3 * kUnit;
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_HUGETLB | kHugeOf2Mib;
  void* const mapping = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  if (mapping == MAP_FAILED) GTEST_SKIP() << "this kernel has no huge pages of 2 MiB";
  char* const base = static_cast<char*>(mapping);
  ASSERT_EQ(MAP_FAILED, mmap(base + kUnit, kPage, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
  {
    FaultGuard guard(base, kBytes);
    char* const lost = base + kUnit + 5 * kPage + 7;
    SendToMyself(BUS_ADRERR, lost, 12);
    EXPECT_TRUE(guard.lost()->load());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(lost), guard.lost_address());
    for (size_t at = 0; at < kUnit; at += kPage) ASSERT_EQ(0, base[kUnit + at]);
    // The units around it are unchanged: they cannot be divided.
    for (const size_t unit : {size_t{0}, 2 * kUnit}) {
      EXPECT_EQ(MAP_FAILED, mmap(base + unit, kPage, PROT_READ,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
    }
  }
  munmap(mapping, kBytes);
}

TEST(FaultGuard, ReplacesAsMuchAsTheKernelSays) {
  constexpr int kShift = 14;
  CutFile file;
  FaultGuard guard(file.base(), kPages * kPage);
  const uintptr_t unit = uintptr_t{1} << kShift;
  const uintptr_t lost = (reinterpret_cast<uintptr_t>(file.base()) + unit - 1) / unit * unit;
  if (lost + unit > reinterpret_cast<uintptr_t>(file.base()) + kPages * kPage) {
    GTEST_SKIP() << "no whole unit is in the mapping";
  }
  SendToMyself(BUS_MCEERR_AR, reinterpret_cast<char*>(lost) + kPage, kShift);
  EXPECT_TRUE(guard.lost()->load());
  for (size_t i = 0; i < kPages; i++) {
    const auto page = reinterpret_cast<uintptr_t>(file.page(i));
    EXPECT_EQ(page >= lost && page < lost + unit ? 0 : 'x', *file.page(i)) << i;
  }
}

// A notice is about bad memory that has not been touched yet.
TEST(FaultGuard, ANoticeAloneChangesNothing) {
  CutFile guarded;
  CutFile other;
  FaultGuard guard(guarded.base(), kPages * kPage);
  SendToMyself(BUS_MCEERR_AO, guarded.base(), 12);
  EXPECT_FALSE(guard.lost()->load());
  EXPECT_EQ('x', *guarded.page(0));
  // Nor does a notice of memory that no guard watches: the process goes on, and is guarded as
  // before. A sanitizer has installed a handler before, which takes the notice and ends the
  // process.
#if !defined(BUSHSTORE_UNDER_ASAN) && !defined(BUSHSTORE_UNDER_TSAN)
  SendToMyself(BUS_MCEERR_AO, other.base(), 12);
#endif
  EXPECT_EQ('x', *other.page(0));
  guarded.Cut(4);
  EXPECT_EQ(0, *guarded.page(7));
  EXPECT_TRUE(guard.lost()->load());
}

TEST(FaultGuard, ASignalThatAProcessSendsKills) {
  EXPECT_TRUE(Kills([] {
    CutFile file;
    FaultGuard guard(file.base(), kPages * kPage);
    raise(SIGBUS);
  }));
}

// The siginfo of a sent signal holds the sender where a fault's address would be.
TEST(FaultGuard, ASenderIsNoAddress) {
  EXPECT_TRUE(Kills([] {
    CutFile file;
    FaultGuard guard(file.base(), kPages * kPage);
    SendToMyself(SI_QUEUE, file.base(), 0);
  }));
}

TEST(FaultGuard, OtherFaultsStillKill) {
  EXPECT_TRUE(Kills([] {
    CutFile guarded;
    CutFile file;
    FaultGuard guard(guarded.base(), kPages * kPage);
    file.Cut(0);
    static_cast<void>(*file.page(0));
  }));
}

TEST(FaultGuard, AGuardThatIsGoneHelpsNobody) {
  EXPECT_TRUE(Kills([] {
    CutFile file;
    { FaultGuard guard(file.base(), kPages * kPage); }
    file.Cut(0);
    static_cast<void>(*file.page(0));
  }));
}

TEST(FaultGuard, MoreGuardsThanPlaces) {
  CutFile file;
  std::vector<std::unique_ptr<FaultGuard>> guards;
  for (size_t i = 0; i < FaultGuard::kGuardsMax; i++) {
    guards.push_back(std::make_unique<FaultGuard>(file.base(), kPage));
    ASSERT_TRUE(guards.back()->installed());
  }
  FaultGuard one_more(file.base(), kPage);
  EXPECT_FALSE(one_more.installed());
  EXPECT_FALSE(one_more.lost()->load());
  guards.pop_back();
  FaultGuard again(file.base(), kPage);
  EXPECT_TRUE(again.installed());
}

}  // namespace leveldb
