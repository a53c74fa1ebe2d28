// Entries go into the open data block. A block that has reached its size is compressed, gets its
// trailer in the same memory and is written in one Append. Its index entry is added when the next
// key is known: the shortest string between the two makes a smaller index than the last key.

#include "leveldb/table_builder.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <memory>
#include <string>

#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "table/block_builder.h"
#include "table/block_handle.h"
#include "table/byte_buffer.h"
#include "table/compression.h"
#include "table/filter_block.h"
#include "table/table_builder_access.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {

namespace {

// Restart points are 32-bit offsets, so a block ends long before that whatever block_size is.
constexpr size_t kMaxDataBlockSize = size_t{1} << 30;

}  // namespace

struct TableBuilder::Rep {
  Rep(const Options& table_options, WritableFile* table_file)
      : options(table_options),
        file(table_file),
        data_block(table_options.block_restart_interval),
        index_block(1) {
    if (options.filter_policy != nullptr) {
      filter = std::make_unique<FilterBlockBuilder>(options.filter_policy,
                                                    FilterBlockBuilder::kShortRanges);
      filter->StartBlock(0);
    }
  }

  bool DataBlockIsFull() const {
    return data_block.CurrentSize() >= std::min(options.block_size, kMaxDataBlockSize);
  }

  void CloseDataBlock();
  void AddIndexEntry();
  void WriteBlock(BlockBuilder* block, CompressionType compression, BlockHandle* handle);
  void WriteStored(ByteBuffer* stored, CompressionType type, BlockHandle* handle);
  void WriteFilter(BlockHandle* handle);
  void WriteMetaindex(const BlockHandle& filter_handle, BlockHandle* handle);
  void WriteFooter(const BlockHandle& metaindex, const BlockHandle& index);

  Options options;
  WritableFile* const file;
  uint64_t offset = 0;  // bytes written
  uint64_t entry_count = 0;
  Status status;
  bool closed = false;  // Finish or Abandon was called

  BlockBuilder data_block;
  BlockBuilder index_block;
  std::unique_ptr<FilterBlockBuilder> filter;  // null: no filters
  ByteBuffer compressed;

  // A data block that was written and has no index entry yet.
  bool index_entry_is_pending = false;
  BlockHandle pending_handle;
  std::string pending_key;  // its last key
};

// Writes the data block. REQUIRES: it has entries.
void TableBuilder::Rep::CloseDataBlock() {
  const Slice last_key = data_block.last_key();
  pending_key.assign(last_key.data(), last_key.size());
  WriteBlock(&data_block, options.compression, &pending_handle);
  index_entry_is_pending = status.ok();
  if (filter != nullptr) filter->StartBlock(offset);
}

void TableBuilder::Rep::AddIndexEntry() {
  std::string encoded;
  pending_handle.AppendTo(&encoded);
  index_block.Add(pending_key, encoded);
  index_entry_is_pending = false;
}

// Writes a block and starts the next.
void TableBuilder::Rep::WriteBlock(BlockBuilder* block, CompressionType compression,
                                   BlockHandle* handle) {
  ByteBuffer* const raw = block->Finish(kBlockTrailerSize);
  if (CompressBlock(compression, raw->slice(), kBlockTrailerSize, &compressed)) {
    WriteStored(&compressed, compression, handle);
  } else {
    WriteStored(raw, kNoCompression, handle);
  }
  block->Reset();
}

// Writes a block, after appending the trailer to *stored, which has room for it.
void TableBuilder::Rep::WriteStored(ByteBuffer* stored, CompressionType type, BlockHandle* handle) {
  if (!status.ok()) return;
  const size_t size = stored->size();
  char* const trailer = stored->Reserve(kBlockTrailerSize);
  trailer[0] = static_cast<char>(type);
  StoreFixed32(trailer + 1, crc32c::Mask(crc32c::Value(stored->data(), size + 1)));
  stored->SetSize(size + kBlockTrailerSize);
  status = file->Append(stored->slice());
  if (!status.ok()) return;
  handle->offset = offset;
  handle->size = size;
  offset += size + kBlockTrailerSize;
}

// Writes the filter block, which is never compressed.
void TableBuilder::Rep::WriteFilter(BlockHandle* handle) {
  const Slice contents = filter->Finish();
  ByteBuffer stored;
  stored.Reserve(contents.size() + kBlockTrailerSize);
  stored.Append(contents.data(), contents.size());
  WriteStored(&stored, kNoCompression, handle);
}

void TableBuilder::Rep::WriteMetaindex(const BlockHandle& filter_handle, BlockHandle* handle) {
  BlockBuilder metaindex(options.block_restart_interval);
  if (filter != nullptr) {
    std::string encoded;
    filter_handle.AppendTo(&encoded);
    metaindex.Add(std::string("filter.") + options.filter_policy->Name(), encoded);
  }
  WriteBlock(&metaindex, options.compression, handle);
}

void TableBuilder::Rep::WriteFooter(const BlockHandle& metaindex, const BlockHandle& index) {
  if (!status.ok()) return;
  Footer footer;
  footer.metaindex = metaindex;
  footer.index = index;
  std::string encoded;
  footer.AppendTo(&encoded);
  status = file->Append(encoded);
  if (status.ok()) offset += encoded.size();
}

TableBuilder::TableBuilder(const Options& options, WritableFile* file)
    : rep_(new Rep(options, file)) {}

TableBuilder::~TableBuilder() {
  assert(rep_->closed);
  delete rep_;
}

Status TableBuilder::ChangeOptions(const Options& options) {
  if (options.comparator != rep_->options.comparator) {
    return Status::InvalidArgument("changing comparator while building table");
  }
  // The filter block keeps the policy that it was started with.
  const FilterPolicy* const filter_policy = rep_->options.filter_policy;
  rep_->options = options;
  rep_->options.filter_policy = filter_policy;
  rep_->data_block.set_restart_interval(options.block_restart_interval);
  return Status::OK();
}

void TableBuilder::Add(const Slice& key, const Slice& value) {
  Rep* const r = rep_;
  assert(!r->closed);
  if (!r->status.ok()) return;
  assert(r->data_block.empty() ||
         r->options.comparator->Compare(key, r->data_block.last_key()) > 0);
  if (r->index_entry_is_pending) {
    assert(r->options.comparator->Compare(key, r->pending_key) > 0);
    r->options.comparator->FindShortestSeparator(&r->pending_key, key);
    r->AddIndexEntry();
  }
  if (r->filter != nullptr) r->filter->AddKey(key);
  r->data_block.Add(key, value);
  r->entry_count++;
  if (r->DataBlockIsFull()) r->CloseDataBlock();
}

void TableBuilder::Flush() {
  Rep* const r = rep_;
  assert(!r->closed);
  if (!r->status.ok()) return;
  if (!r->data_block.empty()) r->CloseDataBlock();
  if (r->status.ok()) r->status = r->file->Flush();
}

Status TableBuilder::status() const {
  return rep_->status;
}

Status TableBuilder::Finish() {
  Rep* const r = rep_;
  assert(!r->closed);
  r->closed = true;
  if (r->status.ok() && !r->data_block.empty()) r->CloseDataBlock();
  if (!r->status.ok()) return r->status;

  BlockHandle filter_handle;
  BlockHandle metaindex_handle;
  BlockHandle index_handle;
  if (r->filter != nullptr) r->WriteFilter(&filter_handle);
  r->WriteMetaindex(filter_handle, &metaindex_handle);
  if (r->index_entry_is_pending) {
    r->options.comparator->FindShortSuccessor(&r->pending_key);
    r->AddIndexEntry();
  }
  r->WriteBlock(&r->index_block, r->options.compression, &index_handle);
  r->WriteFooter(metaindex_handle, index_handle);
  return r->status;
}

void TableBuilder::Abandon() {
  assert(!rep_->closed);
  rep_->closed = true;
}

uint64_t TableBuilder::NumEntries() const {
  return rep_->entry_count;
}

uint64_t TableBuilder::FileSize() const {
  return rep_->offset;
}

uint64_t TableBuilderAccess::SizeWith(const TableBuilder& builder, const Slice& key,
                                      const Slice& value) {
  constexpr size_t kEntryHeadMax = 15;  // three varints
  constexpr size_t kHandleMax = 20;     // two varints
  constexpr size_t kRestartPoint = 4;
  const TableBuilder::Rep& rep = *builder.rep_;
  assert(!rep.closed);
  const size_t entry_rest = kEntryHeadMax + kRestartPoint + key.size();
  const size_t index_entry = entry_rest + kHandleMax;
  uint64_t size = rep.offset + rep.data_block.CurrentSize() + entry_rest + value.size();
  size += rep.index_block.CurrentSize() + index_entry * (rep.index_entry_is_pending ? 2 : 1);
  if (rep.filter != nullptr) {
    size += rep.filter->CurrentSize() + entry_rest + kHandleMax +
            strlen(rep.options.filter_policy->Name());
  }
  constexpr size_t kBlocks = 4;  // data, filter, metaindex, index
  return size + kBlocks * (kBlockTrailerSize + kRestartPoint) + Footer::kSize;
}

void TableBuilderAccess::UseLongFilterRanges(TableBuilder* builder) {
  TableBuilder::Rep& rep = *builder->rep_;
  assert(rep.entry_count == 0);
  if (rep.filter == nullptr) return;
  rep.filter = std::make_unique<FilterBlockBuilder>(rep.options.filter_policy,
                                                    FilterBlockBuilder::kLongRanges);
}

}  // namespace leveldb
