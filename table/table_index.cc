#include "table/table_index.h"

namespace leveldb {

Status TableIndex::Load(const BlockHandle& handle) {
  offset_ = handle.offset;
  const Status status = source_.FetchOnce(true, handle, &pinned_);
  if (!status.ok()) return status;
  if (!Block::Parse(pinned_.contents(), &block_)) return Malformed();
  directory_.Build(block_, order_);
  return Status::OK();
}

void TableIndex::Seek(const Slice& target, BlockCursor* cursor) const {
  uint32_t restart;
  if (directory_.Find(block_, order_, target, &restart)) {
    cursor->SeekBeforeRestart(order_, target, restart);
  } else {
    cursor->Seek(order_, target);
  }
}

Status TableIndex::HandleAt(const BlockCursor& cursor, BlockHandle* handle) const {
  Slice value = cursor.value();
  return handle->ConsumeFrom(&value) ? Status::OK() : Malformed();
}

}  // namespace leveldb
