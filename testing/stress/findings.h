// Findings: the first thing that a process of a stress run finds wrong, told to its parent.

#ifndef BUSHSTORE_TESTING_STRESS_FINDINGS_H_
#define BUSHSTORE_TESTING_STRESS_FINDINGS_H_

#include <atomic>
#include <mutex>
#include <string>

#include "leveldb/status.h"

namespace leveldb {
namespace testkit {

// Thread-safe.
class Findings {
 public:
  // What is found is written to the file descriptor, so that it is known even if the process never
  // comes to its end.
  explicit Findings(int output) : output_(output) {}

  // Whether anything was found: work may stop.
  bool any() const { return any_.load(); }

  void Report(const std::string& text);
  // Reports `wrong`, if it is not empty, with where it was noticed. Returns whether it was empty.
  bool Expect(const std::string& wrong, const std::string& where);
  bool ExpectOk(const Status& status, const std::string& where);

 private:
  const int output_;
  std::mutex mutex_;
  std::atomic<bool> any_{false};
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_STRESS_FINDINGS_H_
