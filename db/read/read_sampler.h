// Notices tables that cost reads more than they give, so that they can be compacted away.
#ifndef BUSHSTORE_DB_READ_READ_SAMPLER_H_
#define BUSHSTORE_DB_READ_READ_SAMPLER_H_

#include <cstdint>

#include "db/version/version.h"
#include "leveldb/slice.h"

namespace leveldb {

// Who is told that a table has used up its allowed seeks. Any thread.
class SeekCompactionSink {
 public:
  virtual ~SeekCompactionSink() = default;
  virtual void OnSeeksExhausted(const FileMetaPtr& file, int level) = 0;
};

// Counts one fruitless read of `file`, and tells the sink when it was the last one allowed, and now
// and then after that.
void ChargeSeek(const FileMetaPtr& file, int level, SeekCompactionSink* sink);

// An iterator's part: about once in a MiB that it reads, the key it is at is looked up in the
// version's bounds; if more than one table may hold it, the first is charged a seek.
class ReadSampler {
 public:
  // Neither is owned; both must outlive the sampler.
  ReadSampler(const Version* version, SeekCompactionSink* sink);

  // An entry of so many bytes has been read. True if it is to be looked up, by Sample(its key):
  // that is when the next period begins.
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
