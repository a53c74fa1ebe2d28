// The fragments of a record are collected, so that all but huge records are written in one Append.

#include "filelog/log_writer.h"

#include <algorithm>
#include <cassert>

#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {

namespace {

// A huge record is appended in pieces of about this size.
constexpr size_t kMostGathered = 4 * kLogBlockSize;

FragmentType TypeOf(bool is_first, bool is_last) {
  if (is_first) return is_last ? FragmentType::kFull : FragmentType::kFirst;
  return is_last ? FragmentType::kLast : FragmentType::kMiddle;
}

}  // namespace

LogWriter::LogWriter(WritableFile* dest, uint64_t dest_length)
    : dest_(dest), block_offset_(static_cast<size_t>(dest_length % kLogBlockSize)) {
  for (size_t i = 0; i <= kMaxFragmentType; i++) {
    const char type = static_cast<char>(i);
    type_crcs_[i] = crc32c::Value(&type, 1);
  }
}

Status LogWriter::AddRecord(const Slice& record) {
  const char* p = record.data();
  size_t left = record.size();
  bool is_first = true;
  do {  // at least once: an empty record has a fragment, too
    if (kLogBlockSize - block_offset_ < kLogHeaderSize) {
      const Status status = PadBlock(is_first);
      if (!status.ok()) return status;
    }
    const size_t size = std::min(left, kLogBlockSize - block_offset_ - kLogHeaderSize);
    GatherFragment(TypeOf(is_first, size == left), p, size);
    if (gathered_.size() >= kMostGathered) {
      const Status status = WriteGathered();
      if (!status.ok()) return status;
    }
    p += size;
    left -= size;
    is_first = false;
  } while (left > 0);
  const Status status = WriteGathered();
  return status.ok() ? dest_->Flush() : status;
}

// Fills up the block with zeros. Before a record these are flushed separately, so that the bytes
// that a file may store last (util/posix_log_file) are a header.
Status LogWriter::PadBlock(bool is_before_record) {
  gathered_.append(kLogBlockSize - block_offset_, '\0');
  block_offset_ = 0;
  if (!is_before_record || gathered_.empty()) return Status::OK();
  const Status status = WriteGathered();
  return status.ok() ? dest_->Flush() : status;
}

void LogWriter::GatherFragment(FragmentType type, const char* payload, size_t size) {
  assert(block_offset_ + kLogHeaderSize + size <= kLogBlockSize);
  const uint8_t type_byte = static_cast<uint8_t>(type);
  char header[kLogHeaderSize];
  StoreFixed32(header, crc32c::Mask(crc32c::Extend(type_crcs_[type_byte], payload, size)));
  header[4] = static_cast<char>(size & 0xff);
  header[5] = static_cast<char>(size >> 8);
  header[6] = static_cast<char>(type_byte);
  gathered_.append(header, sizeof(header));
  gathered_.append(payload, size);
  block_offset_ += kLogHeaderSize + size;
}

Status LogWriter::WriteGathered() {
  if (gathered_.empty()) return Status::OK();
  const Status status = dest_->Append(gathered_);
  gathered_.clear();
  return status;
}

}  // namespace leveldb
