// Finds tables that cost reads more than they return, so that they can be compacted.
#ifndef BUSHSTORE_DB_READ_READ_SAMPLER_H_
#define BUSHSTORE_DB_READ_READ_SAMPLER_H_

#include <cstdint>

#include "db/version/version.h"
#include "leveldb/slice.h"

namespace leveldb {

// Is notified when a table has used up its allowed seeks. Thread-safe.
class SeekCompactionSink {
 public:
  virtual ~SeekCompactionSink() = default;
  virtual void OnSeeksExhausted(const FileMetaPtr& file, int level) = 0;
};

// Counts one fruitless read of `file`, and notifies the sink if it was the last one allowed, and
// from time to time after that.
void ChargeSeek(const FileMetaPtr& file, int level, SeekCompactionSink* sink);

// ReadSampler takes samples for an iterator: about once per MiB read, it looks up the current key
// in the version's bounds; if more than one table may hold the key, the first one is charged a
// seek.
class ReadSampler {
 public:
  // Neither is owned; both must outlive the sampler.
  ReadSampler(const Version* version, SeekCompactionSink* sink);

  // Counts an entry of `bytes` bytes that has been read. Returns true if Sample(its key) is due,
  // which also starts the next period.
  [[nodiscard]] bool OnRead(size_t bytes) {
    if (bytes >= until_sample_) return true;
    until_sample_ -= bytes;
    return false;
  }
  void Sample(const Slice& internal_key);

 private:
  void StartPeriod();

  const Version* const version_;
  SeekCompactionSink* const sink_;
  uint64_t random_;
  size_t until_sample_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_READ_READ_SAMPLER_H_
