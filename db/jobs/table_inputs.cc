#include "db/jobs/table_inputs.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "db/version/level_files.h"
#include "db/version/level_iterator.h"
#include "iterator/scan_hints.h"
#include "leveldb/options.h"

namespace leveldb {

void AppendTableInputs(const JobContext& context, const std::vector<FileMetaPtr>& files,
                       TableOrder order, std::vector<InternalIterator*>* inputs) {
  if (files.empty()) return;
  ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  ScanHints hints;
  hints.replaces = true;
  if (order == TableOrder::kSorted) {
    inputs->push_back(NewLevelIterator(options, &context.state->comparator(), context.table_cache,
                                       std::make_shared<const LevelFiles>(files), hints));
    return;
  }
  for (const FileMetaPtr& file : files) {
    inputs->push_back(context.table_cache->NewIterator(options, file->number, file->size, hints));
  }
}

bool AreInMemory(const JobContext& context, const std::vector<FileMetaPtr>& files) {
  uint64_t bytes = 0;
  uint64_t bytes_in_memory = 0;
  for (const FileMetaPtr& file : files) {
    bytes += file->size;
    bytes_in_memory +=
        std::min(context.table_cache->BytesInMemory(file->number, file->size), file->size);
  }
  return bytes_in_memory >= bytes - bytes_in_memory;
}

}  // namespace leveldb
