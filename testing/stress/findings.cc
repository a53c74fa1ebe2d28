#include "testing/stress/findings.h"

#include <unistd.h>

#include <cstdio>

namespace leveldb {
namespace testkit {

void Findings::Report(const std::string& text) {
  const std::lock_guard<std::mutex> guard(mutex_);
  if (any_.exchange(true)) {
    return;
  }
  if (::write(output_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    std::perror("telling of a finding");
  }
}

bool Findings::Expect(const std::string& wrong, const std::string& where) {
  if (!wrong.empty()) {
    Report(where + ": " + wrong);
  }
  return wrong.empty();
}

bool Findings::ExpectOk(const Status& status, const std::string& where) {
  return Expect(status.ok() ? "" : status.ToString(), where);
}

}  // namespace testkit
}  // namespace leveldb
