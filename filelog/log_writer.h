// LogWriter: appends records to a record file.
#ifndef BUSHSTORE_FILELOG_LOG_WRITER_H_
#define BUSHSTORE_FILELOG_LOG_WRITER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "filelog/format.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Needs exclusive access.
class LogWriter {
 public:
  // Writes to `dest`, which is not owned, must outlive the writer and already holds dest_length
  // bytes of whole records.
  explicit LogWriter(WritableFile* dest, uint64_t dest_length = 0);

  LogWriter(const LogWriter&) = delete;
  LogWriter& operator=(const LogWriter&) = delete;

  // Appends one record and flushes it to the operating system; the caller syncs it if needed. After
  // a failure the end of the file is unknown: nothing more should be written to it.
  Status AddRecord(const Slice& record);

 private:
  Status PadBlock(bool is_before_record);
  void GatherFragment(FragmentType type, const char* payload, size_t size);
  Status WriteGathered();

  WritableFile* const dest_;
  size_t block_offset_;                       // where in its block the file ends
  uint32_t type_crcs_[kMaxFragmentType + 1];  // the CRC of each type byte
  std::string gathered_;                      // bytes for the next Append
};

}  // namespace leveldb

#endif  // BUSHSTORE_FILELOG_LOG_WRITER_H_
