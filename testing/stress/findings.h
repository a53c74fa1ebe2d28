// Findings: reports the first thing that a process of a stress run finds wrong to its parent.

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
  // Findings are written to the file descriptor at once, so that they are known even if the process
  // never ends by itself.
  explicit Findings(int output) : output_(output) {}

  // Returns whether anything was found, in which case work may stop.
  bool any() const { return any_.load(); }

  void Report(const std::string& text);
  // Reports `wrong`, unless it is empty, with where it was noticed. Returns whether it was empty.
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
