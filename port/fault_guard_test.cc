#include "port/fault_guard.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace leveldb {

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPages = 8;

// A file of letters, mapped, that can be cut short under the mapping.
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

// Whether a child dies of this: by the signal, or by what a sanitizer makes of it.
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
