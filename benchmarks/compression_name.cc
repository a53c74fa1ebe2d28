#include "benchmarks/compression_name.h"

namespace leveldb::bench {

bool ParseCompression(const std::string& text, CompressionType* type) {
  for (const CompressionType known : {kNoCompression, kSnappyCompression, kZstdCompression}) {
    if (text != CompressionName(known) && text != std::to_string(known)) continue;
    *type = known;
    return true;
  }
  return false;
}

std::string CompressionName(CompressionType type) {
  switch (type) {
    case kNoCompression:
      return "none";
    case kSnappyCompression:
      return "snappy";
    case kZstdCompression:
      return "zstd";
  }
  return "unknown";
}

}  // namespace leveldb::bench
