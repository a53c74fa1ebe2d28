#include "testing/stress/child.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "testing/forked.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr int kLookEveryMs = 1000;
constexpr int kIdleLooksMax = 240;

// Reads what the child writes until it has ended. Returns false if it hangs.
bool Listen(int input, const Figures& figures, std::string* text) {
  uint64_t total = figures.Total();
  for (int idle = 0; idle < kIdleLooksMax;) {
    pollfd waiting = {input, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kLookEveryMs);
    if (ready > 0) {
      char buffer[4096];
      const ssize_t got = ::read(input, buffer, sizeof(buffer));
      if (got == 0) return true;
      if (got > 0) text->append(buffer, static_cast<size_t>(got));
      continue;
    }
    const uint64_t now = figures.Total();
    idle = now == total ? idle + 1 : 0;
    total = now;
  }
  return false;
}

}  // namespace

ChildEnd RunChild(const Figures& figures, const std::function<void(Findings*)>& work) {
  const Forked child = Fork([&work](int output) {
    Findings findings(output);
    work(&findings);
    return findings.any() ? 1 : 0;
  });
  ChildEnd end;
  const bool ended = Listen(child.output, figures, &end.wrong);
  if (!ended) {
    // SIGABRT leaves a core file that shows where.
    ::kill(child.pid, SIGABRT);
    end.wrong += "nothing went on for " + std::to_string(kIdleLooksMax) + " seconds: it hangs";
  }
  ::close(child.output);
  const int status = AwaitEnd(child.pid);
  if (end.wrong.empty() && WIFSIGNALED(status)) {
    end.was_killed = WTERMSIG(status) == SIGKILL;
    if (!end.was_killed) {
      end.wrong = std::string("crashed: ") + ::strsignal(WTERMSIG(status));
    }
  } else if (end.wrong.empty() && WEXITSTATUS(status) != 0) {
    end.wrong = "ended with exit code " + std::to_string(WEXITSTATUS(status));
  }
  return end;
}

}  // namespace testkit
}  // namespace leveldb
