#include "testing/forked.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "port/sanitizers.h"

#ifdef BUSHSTORE_UNDER_ASAN
#include <sanitizer/lsan_interface.h>
#endif

namespace leveldb {
namespace testkit {

namespace {

// LeakSanitizer itself checks only at exit().
bool HasLeaked() {
#ifdef BUSHSTORE_UNDER_ASAN
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

}  // namespace

Forked Fork(const std::function<int(int output)>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    std::perror("pipe2");
    std::exit(2);
  }
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) {
    std::perror("fork");
    std::exit(2);
  }
  if (child == 0) {
    ::close(ends[0]);
    const int code = work(ends[1]);
    std::fflush(nullptr);
    ::_exit(code == 0 && HasLeaked() ? kExitLeaked : code);
  }
  ::close(ends[1]);
  return {child, ends[0]};
}

int AwaitEnd(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace testkit
}  // namespace leveldb
