#include "db/state/job_stats.h"

namespace leveldb {

void LevelWork::Add(const LevelWork& more) {
  micros += more.micros;
  bytes_read += more.bytes_read;
  bytes_written += more.bytes_written;
}

}  // namespace leveldb
