// Converts kinds of compression from and to the names in command lines and reports.
#ifndef BUSHSTORE_BENCHMARKS_COMPRESSION_NAME_H_
#define BUSHSTORE_BENCHMARKS_COMPRESSION_NAME_H_

#include <string>

#include "leveldb/options.h"

namespace leveldb::bench {

// Parses 0/1/2 or none/snappy/zstd. Returns false for anything else.
bool ParseCompression(const std::string& text, CompressionType* type);
std::string CompressionName(CompressionType type);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_COMPRESSION_NAME_H_
