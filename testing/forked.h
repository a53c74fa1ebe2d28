// Runs a function in a forked process that reports to this one over a pipe.

#ifndef BUSHSTORE_TESTING_FORKED_H_
#define BUSHSTORE_TESTING_FORKED_H_

#include <sys/types.h>

#include <functional>

namespace leveldb {
namespace testkit {

constexpr int kExitLeaked = 23;  // the exit code of LeakSanitizer

struct Forked {
  pid_t pid = -1;
  int output = -1;  // the read end of the pipe; the caller closes it
};

// Forks. REQUIRES: this process has one thread only. The child calls work(write end of the pipe)
// and ends with the exit code that it returns, without running destructors. Under AddressSanitizer
// the exit code is kExitLeaked instead of 0 if memory has leaked; the leaks are printed to stderr.
// If no process can be created, prints a message and exits with code 2.
Forked Fork(const std::function<int(int output)>& work);

// Waits until the child has ended. Returns its status, as waitpid does.
int AwaitEnd(pid_t child);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_FORKED_H_
