// The format of record files: write-ahead logs and manifests.
//
// A file is a sequence of blocks of 32 KiB, the last of which may be short. A record is cut into
// fragments so that none crosses a block boundary:
//
//   fragment = masked CRC-32C of type and payload (fixed32) | payload length (2 bytes,
//              little-endian) | type (1 byte) | payload
//
// Fewer than seven bytes left in a block cannot hold a header and are zeros. Exactly seven hold a
// fragment without payload.
#ifndef BUSHSTORE_FILELOG_FORMAT_H_
#define BUSHSTORE_FILELOG_FORMAT_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {

constexpr size_t kLogBlockSize = 32768;
constexpr size_t kLogHeaderSize = 4 + 2 + 1;

enum class FragmentType : uint8_t {
  kZero = 0,  // an area that was allocated in advance and never written
  kFull = 1,  // a whole record
  kFirst = 2,
  kMiddle = 3,
  kLast = 4,
};

constexpr uint8_t kMaxFragmentType = static_cast<uint8_t>(FragmentType::kLast);

}  // namespace leveldb

#endif  // BUSHSTORE_FILELOG_FORMAT_H_
