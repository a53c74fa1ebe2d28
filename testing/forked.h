// Runs a function in a forked process that can tell this one something over a pipe.

#ifndef BUSHSTORE_TESTING_FORKED_H_
#define BUSHSTORE_TESTING_FORKED_H_

#include <sys/types.h>

#include <functional>

namespace leveldb {
namespace testkit {

constexpr int kExitLeaked = 23;  // as with LeakSanitizer itself

struct Forked {
  pid_t pid = -1;
  int output = -1;  // the pipe's end to read from; the caller closes it
};

// Forks; this process must have one thread only. The child calls work(the pipe's other end) and
// ends with the exit code that it returns, without running destructors; under AddressSanitizer with
// kExitLeaked instead of 0 if there is memory that nothing points to, which stderr tells of. Where
// no process can be made, this one ends with exit code 2 and a sentence.
Forked Fork(const std::function<int(int output)>& work);

// Waits until the child has ended; returns its status, as of waitpid.
int AwaitEnd(pid_t child);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_FORKED_H_
