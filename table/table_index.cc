#include "table/table_index.h"

namespace leveldb {

Status TableIndex::Load(const BlockHandle& handle) {
  offset_ = handle.offset;
  const Status status = source_.FetchToKeep(handle, &pinned_);
  if (!status.ok()) return status;
  if (!Block::Parse(pinned_.contents(), &block_)) return Malformed();
  directory_.Build(block_, order_);
  return Status::OK();
}

BlockPlace TableIndex::Find(const Slice& target) const {
  BlockPlace place;
  place.count = block_.restart_count();
  place.is_known = directory_.Find(block_, order_, target, &place.restart);
  return place;
}

void TableIndex::SeekTo(const Slice& target, const BlockPlace& place, BlockCursor* cursor) const {
  if (place.is_known) {
    cursor->SeekBeforeRestart(order_, target, place.restart);
  } else {
    cursor->Seek(order_, target);
  }
}

Status TableIndex::HandleAt(const BlockCursor& cursor, BlockHandle* handle) const {
  Slice value = cursor.value();
  return handle->ConsumeFrom(&value) ? Status::OK() : Malformed();
}

}  // namespace leveldb
