// The implementation of DB: forwards to the parts of the database.
#ifndef BUSHSTORE_DB_DB_IMPL_H_
#define BUSHSTORE_DB_DB_IMPL_H_

#include <memory>
#include <string>

#include "db/open/open_steps.h"
#include "db/read/db_iter.h"
#include "db/read/read_sampler.h"
#include "db/read/read_triggered_compaction.h"
#include "db/read/value_resolve.h"
#include "db/write/write_queue.h"
#include "leveldb/pmem.h"
#include "port/mutex.h"

namespace leveldb {

class DbImpl final : public PmemDB,
                     private SeekCompactionSink,
                     private ReadTriggeredCompactionSink {
 public:
  // `parts` come from OpenDatabase.
  explicit DbImpl(std::unique_ptr<OpenParts> parts);
  ~DbImpl() override;

  Status Put(const WriteOptions& options, const Slice& key, const Slice& value) override;
  Status Delete(const WriteOptions& options, const Slice& key) override;
  Status Write(const WriteOptions& options, WriteBatch* updates) override;
  Status Get(const ReadOptions& options, const Slice& key, std::string* value) override;
  Iterator* NewIterator(const ReadOptions& options) override;
  const Snapshot* GetSnapshot() override;
  void ReleaseSnapshot(const Snapshot* snapshot) override;
  bool GetProperty(const Slice& property, std::string* value) override;
  void GetApproximateSizes(const Range* range, int n, uint64_t* sizes) override;
  void CompactRange(const Slice* begin, const Slice* end) override;
  Status Drain() override;

 private:
  void OnSeeksExhausted(const FileMetaPtr& file, int level) override;
  SequenceNumber LastSequence() const override;
  void OnRunsRead() override;
  void OnReadTriggeredCompaction(bool is_quiet) override;
  void OnIdle();
  void StartReadTriggeredCompaction(const ReadView& view, bool with_memtable);
  Status GuardedGet(const ReadOptions& options, const Slice& key, std::string* value,
                    bool* compaction_pays);
  int DeepestLevel(const Slice* begin, const Slice* end) const;
  Status CheckPoolIsMapped() const;
  SequenceNumber ReadSequence(const ReadOptions& options) const;
  ReadOptions WithChecks(const ReadOptions& asked) const;

  const std::unique_ptr<OpenParts> parts_;
  DbState* const state_;
  // The tier's pool, also after a drain, because views taken earlier may still refer to it. Null:
  // there never was one.
  const Pool* const pool_;
  ReadAheadHabit read_ahead_habit_;  // on separate cache lines: iterators that end write to it
  ReadTriggeredCompaction read_triggered_compaction_{this};
  WriteQueue write_queue_;
  Mutex drain_mutex_;  // one drain at a time
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_DB_IMPL_H_
