// Tests the guard in a program that has a handler of its own. It is a separate program because the
// guard's handler is installed once per process.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "port/fault_guard.h"

namespace leveldb {

namespace {

constexpr size_t kPage = 4096;

sigjmp_buf way_back;

void JumpBack(int) {
  siglongjmp(way_back, 1);
}

// Returns a mapped page of an empty file.
char* MapNothing() {
  const int fd = open("/tmp", O_TMPFILE | O_RDWR, 0600);
  void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return page == MAP_FAILED ? nullptr : static_cast<char*>(page);
}

// This is a function of its own, because the jump loses what is in registers.
__attribute__((noinline)) bool JumpsBackFrom(const volatile char* page) {
  if (sigsetjmp(way_back, 1) != 0) return true;
  static_cast<void>(*page);
  return false;
}

// Sends the notice that the kernel gives of a bad page that has not been touched.
__attribute__((noinline)) bool JumpsBackFromNotice(char* page) {
  siginfo_t info = {};
  info.si_signo = SIGBUS;
  info.si_code = BUS_MCEERR_AO;
  info.si_addr = page;
  info.si_addr_lsb = 12;
  if (sigsetjmp(way_back, 1) != 0) return true;
  syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), SIGBUS, &info);
  return false;
}

}  // namespace

TEST(FaultChain, FaultsElsewhereGoToTheHandlerThatWasThere) {
  struct sigaction theirs = {};
  theirs.sa_handler = &JumpBack;
  ASSERT_EQ(0, sigaction(SIGBUS, &theirs, nullptr));
  char* const guarded = MapNothing();
  char* const other = MapNothing();
  if (guarded == nullptr || other == nullptr) GTEST_SKIP() << "no files without names in /tmp";

  FaultGuard guard(guarded, kPage);
  EXPECT_EQ(0, *static_cast<volatile char*>(guarded));
  EXPECT_TRUE(guard.lost()->load());
  ASSERT_TRUE(JumpsBackFrom(other)) << "came back without a fault";
  // A notice of bad memory goes to the other handler, too; a notice of watched memory does not.
  EXPECT_TRUE(JumpsBackFromNotice(other));
  EXPECT_FALSE(JumpsBackFromNotice(guarded));
  munmap(guarded, kPage);
  munmap(other, kPage);
}

}  // namespace leveldb
