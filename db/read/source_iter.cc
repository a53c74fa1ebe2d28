#include "db/read/source_iter.h"

#include <utility>
#include <vector>

#include "db/version/internal_key_order.h"
#include "db/version/level_iterator.h"
#include "iterator/merging.h"
#include "pmem/group/group_iter.h"

namespace leveldb {

InternalIterator* NewSourceIterator(const ReadView& view, TableCache* table_cache,
                                    const ReadOptions& options, const ReadAhead* read_ahead) {
  const Version& version = *view.version;
  std::vector<InternalIterator*> sources;
  sources.reserve(2 * MemTable::kParts + version.group()->trees(0).size() + kGroupLevels +
                  version.files(0).size() + kNumLevels);
  view.memtable->AppendIterators(&sources);
  if (view.immutable != nullptr) view.immutable->AppendIterators(&sources);
  AppendGroupIterators(version.group(), options.verify_checksums, read_ahead, &sources);
  ScanHints hints;
  hints.read_ahead = read_ahead;
  std::vector<PrefetchableIterator*> of_tables;
  if (version.has_files()) of_tables.reserve(version.files(0).size() + kNumLevels);
  for (const FileMetaPtr& file : version.files(0)) {
    of_tables.push_back(table_cache->NewIterator(options, file->number, file->size, hints));
  }
  for (int level = 1; level < kNumLevels; level++) {
    if (version.files(level).empty()) continue;
    of_tables.push_back(NewLevelIterator(options, version.comparator(), table_cache,
                                         version.shared_level(level), hints));
  }
  sources.insert(sources.end(), of_tables.begin(), of_tables.end());
  return NewMergingIterator(InternalKeyOrder(*version.comparator()), std::move(sources),
                            std::move(of_tables));
}

}  // namespace leveldb
