// ReadView is what one read keeps alive: the memtables and the version that together are the
// database at one moment. Readers access the current view without a lock and without writing to
// shared memory.
#ifndef BUSHSTORE_DB_STATE_READ_VIEW_H_
#define BUSHSTORE_DB_STATE_READ_VIEW_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "db/mem/memtable.h"
#include "db/version/version.h"

namespace leveldb {

struct ReadView : public std::enable_shared_from_this<ReadView> {
  ReadView(std::shared_ptr<MemTable> mem, std::shared_ptr<MemTable> imm,
           std::shared_ptr<const Version> tables)
      : memtable(std::move(mem)), immutable(std::move(imm)), version(std::move(tables)) {}

  const std::shared_ptr<MemTable> memtable;
  const std::shared_ptr<MemTable> immutable;  // being flushed; may be null
  const std::shared_ptr<const Version> version;
};

// Holds the current view. A replaced view stays alive until no reader that may have seen it is
// still inside its EpochGuard; after that its owner count decides.
class CurrentView {
 public:
  CurrentView() = default;
  CurrentView(const CurrentView&) = delete;
  CurrentView& operator=(const CurrentView&) = delete;

  // Returns the current view, for use within the caller's EpochGuard only. Thread-safe.
  const ReadView* Get() const { return current_.load(std::memory_order_seq_cst); }

  // Returns the current view, for use as long as the caller keeps the pointer. Thread-safe.
  std::shared_ptr<const ReadView> Pin() const;

  // Replaces the view. REQUIRES: calls are serialised, also with TakeRetired (the database's
  // mutex).
  void Publish(std::shared_ptr<const ReadView> view);

  // Returns the replaced views that no guarded reader can use any more. Destroying them may free
  // memtables and queue obsolete files, so do that without the mutex. With `all`, the caller knows
  // that there are no readers.
  std::vector<std::shared_ptr<const ReadView>> TakeRetired(bool all = false);

  // Returns the epoch to wait for until TakeRetired returns everything replaced so far (0: nothing
  // is left).
  uint64_t LastRetiredEpoch() const { return retired_.empty() ? 0 : retired_.back().first; }

 private:
  std::atomic<const ReadView*> current_{nullptr};
  std::shared_ptr<const ReadView> owner_;
  std::vector<std::pair<uint64_t, std::shared_ptr<const ReadView>>> retired_;  // epochs ascend
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_STATE_READ_VIEW_H_
