// Runs other programs.

#ifndef BUSHSTORE_TESTING_SUBPROCESS_H_
#define BUSHSTORE_TESTING_SUBPROCESS_H_

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace leveldb {
namespace testkit {

using Arguments = std::vector<std::string>;
using Environment = std::vector<std::pair<std::string, std::string>>;  // added to our own

// A running program whose standard output (and error) can be read line by line. The destructor
// kills it.
class Subprocess {
 public:
  explicit Subprocess(const Arguments& arguments, const Environment& environment = {});
  ~Subprocess();
  Subprocess(const Subprocess&) = delete;
  Subprocess& operator=(const Subprocess&) = delete;

  // Reads the next line, without its end. Returns false at the end of the output.
  bool ReadLine(std::string* line);
  // Sends SIGKILL.
  void Kill();
  // Waits for the end. Returns the exit code, or minus the number of the signal that ended the
  // program.
  int Wait();

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  std::string buffer_;
};

// The result of a program that has run to its end.
struct Finished {
  int code;            // as from Subprocess::Wait
  std::string output;  // standard output and error
};
Finished RunToEnd(const Arguments& arguments, const Environment& environment = {});

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_SUBPROCESS_H_
