// DamageLedger: holds back reports of damage until it is known whether anything valid follows.
#ifndef BUSHSTORE_FILELOG_DAMAGE_LEDGER_H_
#define BUSHSTORE_FILELOG_DAMAGE_LEDGER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "leveldb/status.h"
#include "util/text.h"

namespace leveldb {

// Receives reports of damage to a record file.
class LogReporter {
 public:
  virtual ~LogReporter() = default;

  // Reports that about `bytes` bytes were skipped, for the given reason. If the reason is not
  // Corruption, the file could not be read.
  virtual void Corruption(size_t bytes, const Status& reason) = 0;
};

// Returns Corruption: "log at offset N: what".
inline Status LogCorruption(uint64_t offset, const char* what) {
  return Status::Corruption("log at offset " + NumberToString(offset), what);
}

// Needs exclusive access.
class DamageLedger {
 public:
  // Does not own `reporter`, which may be null.
  explicit DamageLedger(LogReporter* reporter) : reporter_(reporter) {}

  // Notes damage that is not followed by anything valid so far.
  void Suspect(size_t bytes, Status reason) { suspects_.push_back({bytes, std::move(reason)}); }

  // Reports everything suspected so far as corruption, because something valid was found.
  void Confirm() {
    for (const Damage& damage : suspects_) Send(damage.bytes, damage.reason);
    suspects_.clear();
  }

  // Reports damage that is known to be corruption, after everything suspected before it.
  void Report(size_t bytes, const Status& reason) {
    Confirm();
    Send(bytes, reason);
  }

  bool has_suspects() const { return !suspects_.empty(); }

  // REQUIRES: has_suspects().
  const Status& first_suspect() const { return suspects_.front().reason; }

 private:
  struct Damage {
    size_t bytes;
    Status reason;
  };

  void Send(size_t bytes, const Status& reason) {
    if (reporter_ != nullptr) reporter_->Corruption(bytes, reason);
  }

  LogReporter* const reporter_;
  std::vector<Damage> suspects_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_FILELOG_DAMAGE_LEDGER_H_
