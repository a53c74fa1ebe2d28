// IdleLog is a log that stores nothing, for tests of the queue, which override what they test.
#ifndef BUSHSTORE_DB_WRITE_IDLE_LOG_TEST_H_
#define BUSHSTORE_DB_WRITE_IDLE_LOG_TEST_H_

#include <cstddef>
#include <cstdint>

#include "db/write/write_log.h"

namespace leveldb {

// Behaves like a log in a pool that fences every write at once.
class IdleLog : public WriteLog {
 public:
  explicit IdleLog(size_t shards = 1) : WriteLog(shards) {}

  Status Write(const WriteGroup&, MemTable*, bool*) override { return Status::OK(); }
  Status StartNext(uint64_t, SequenceNumber, MemTable*, bool*) override { return Status::OK(); }
  bool IsInPool() const override { return true; }
  bool DefersFences() const override { return false; }
  bool HasUnfenced() const override { return false; }
  void Fence() override {}
  Status Close(SequenceNumber) override { return Status::OK(); }
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_WRITE_IDLE_LOG_TEST_H_
