#include "table/table_reader.h"

#include <string>

#include "table/block_cursor.h"
#include "table/table_iterator.h"

namespace leveldb {

Status TableReader::Open(const Options& options, RandomAccessFile* file, uint64_t file_size,
                         std::unique_ptr<TableReader>* reader) {
  return Open(options, options.comparator, file, nullptr, file_size, "", reader);
}

Status TableReader::Open(const Options& options, const KeyOrder& order, RandomAccessFile* file,
                         const FilePages* pages, uint64_t file_size, const std::string& file_name,
                         std::unique_ptr<TableReader>* reader) {
  reader->reset();
  std::unique_ptr<TableReader> opened(
      new TableReader(options, order, file, pages, file_size, file_name));
  const Status status = opened->Load(options);
  if (status.ok()) *reader = std::move(opened);
  return status;
}

TableReader::TableReader(const Options& options, const KeyOrder& order, RandomAccessFile* file,
                         const FilePages* pages, uint64_t file_size, const std::string& file_name)
    : source_(file, pages, file_size, options.block_cache, file_name), index_(source_, order) {}

Status TableReader::Load(const Options& options) {
  Footer footer;
  Status status = source_.ReadFooter(&footer);
  if (!status.ok()) return status;
  data_end_ = footer.metaindex.offset;
  status = index_.Load(footer.index);
  if (status.ok() && options.filter_policy != nullptr) {
    LoadFilter(options.filter_policy, footer.metaindex);
  }
  return status;
}

// Loads the filter. Failures only leave the table without a filter. Always verifies its checksum: a
// damaged filter would hide keys.
void TableReader::LoadFilter(const FilterPolicy* policy, const BlockHandle& metaindex) {
  PinnedBlock pinned;
  if (!source_.FetchOnce(true, metaindex, &pinned).ok()) return;
  Block block;
  if (!Block::Parse(pinned.contents(), &block)) return;

  const std::string name = std::string("filter.") + policy->Name();
  BlockCursor cursor;
  cursor.Attach(block, 0);
  cursor.Seek(BytewiseComparator(), name);
  if (!cursor.Valid() || cursor.key() != Slice(name)) return;
  BlockHandle handle;
  Slice value = cursor.value();
  if (!handle.ConsumeFrom(&value)) return;
  if (!source_.FetchToKeep(handle, &filter_pinned_).ok()) return;
  filter_ = FilterBlock(policy, filter_pinned_.contents());
}

PrefetchableIterator* TableReader::NewIterator(const ReadOptions& options,
                                               const ScanHints& hints) const {
  return new TableIterator(source_, index_, options, hints);
}

Status TableReader::Get(const ReadOptions& options, const Slice& key, void* arg,
                        void (*found)(void*, const Slice&, const Slice&)) const {
  BlockCursor cursor;
  index_.Attach(&cursor);
  const BlockPlace place = index_.Find(key);
  filter_.PrefetchFilter(place.restart, place.count);
  index_.SeekTo(key, place, &cursor);
  if (!cursor.Valid()) return index_.StatusOf(cursor);
  BlockHandle handle;
  Status status = index_.HandleAt(cursor, &handle);
  if (!status.ok() || !filter_.KeyMayMatch(handle.offset, key)) return status;

  PinnedBlock pinned;
  status = source_.Fetch(options, handle, &pinned, BlockSource::PrefetchMode::kSearched);
  if (!status.ok()) return status;
  Block block;
  if (!Block::Parse(pinned.contents(), &block)) {
    return source_.BlockCorruption(handle.offset, "malformed data block");
  }
  cursor.Attach(block, index_.order().trailer_size());
  cursor.Seek(index_.order(), key);
  if (cursor.Valid()) {
    if (pinned.IsMapped()) source_.NoteEntry(cursor.entry());
    found(arg, cursor.key(), cursor.value());
  } else if (cursor.corrupt()) {
    return source_.BlockCorruption(handle.offset, "malformed entry");
  }
  return Status::OK();
}

void TableReader::UncacheBlocks() const {
  if (!source_.HasCached()) return;
  BlockCursor cursor;
  index_.Attach(&cursor);
  BlockHandle handle;
  for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
    if (index_.HandleAt(cursor, &handle).ok()) source_.Uncache(handle);
  }
}

TableMemory TableReader::Memory() const {
  TableMemory memory;
  memory.indexes = index_.MemoryUsage();
  memory.filters = filter_pinned_.contents().size();
  return memory;
}

uint64_t TableReader::ApproximateOffsetOf(const Slice& key) const {
  BlockCursor cursor;
  index_.Attach(&cursor);
  index_.Seek(key, &cursor);
  BlockHandle handle;
  if (!cursor.Valid() || !index_.HandleAt(cursor, &handle).ok()) return data_end_;
  return handle.offset;
}

}  // namespace leveldb
