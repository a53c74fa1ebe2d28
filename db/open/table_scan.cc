#include "db/open/table_scan.h"

#include <algorithm>
#include <memory>

#include "entry/internal_key.h"
#include "table/block.h"
#include "table/block_cursor.h"
#include "table/block_handle.h"
#include "table/block_source.h"
#include "table/compression.h"
#include "table/pinned_block.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

namespace {

// The maximum length of a block that is found by trying lengths: without it, a damaged block would
// cost reading the rest of a large file. Blocks are of block_size (at most 4 MiB) or of one large
// entry.
constexpr size_t kMaxFoundBlockBytes = size_t{64} << 20;

// How much is read at a time while the end of a block is searched for.
constexpr size_t kFindStepBytes = size_t{16} << 10;

// The minimum length of a block: a restart point and the number of restart points.
constexpr size_t kMinBlockBytes = 8;

// No writer creates more meta blocks; an index that names more is not trusted.
constexpr int kMaxMetaBlocks = 100;

class TableScan {
 public:
  // Both pointers must outlive the scan.
  TableScan(RandomAccessFile* file, uint64_t file_size, TableScanHandler* handler)
      : file_(file),
        file_size_(file_size),
        handler_(handler),
        source_(file, nullptr, file_size, nullptr, "") {}

  // Scans the table. Fails only if memory or descriptors run out: then the contents of the file are
  // not known.
  Status Run() {
    if (!ScanByIndex() && shortage_.ok()) ScanByChecksums();
    return shortage_;
  }

 private:
  // Returns whether a block at `handle` can be in the file.
  bool IsInFile(const BlockHandle& handle) const {
    return handle.size <= file_size_ && handle.offset <= file_size_ - handle.size;
  }

  // Reads and verifies a block, and pins its bytes in `*pinned`.
  Status ReadBlock(const BlockHandle& handle, PinnedBlock* pinned, Block* block) const {
    const Status status = source_.FetchOnce(true, handle, pinned);
    if (!status.ok()) return status;
    return Block::Parse(pinned->contents(), block) ? status
                                                   : Status::Corruption("not the form of a block");
  }

  void ReportDamage(const BlockHandle& handle, const std::string& what) {
    handler_->Damage(handle.offset, handle.size, what);
  }

  // Reports a failed read of the part of the file at `handle`.
  void ReportFailure(const BlockHandle& handle, const std::string& part, const Status& failure) {
    const std::string what = part + ": " + failure.ToString();
    if (IsShortage(failure)) {
      shortage_ = failure;
    } else if (failure.IsIOError()) {
      handler_->Unreadable(handle.offset, handle.size, what);
    } else {
      ReportDamage(handle, what);
    }
  }

  // Scans by the index. Returns false, after a report, if there is no sound index.
  bool ScanByIndex() {
    Footer footer;
    const Status status = source_.ReadFooter(&footer);
    if (!status.ok()) {
      const uint64_t size = std::min<uint64_t>(file_size_, Footer::kSize);
      ReportFailure(BlockHandle{file_size_ - size, size}, "footer", status);
      return false;
    }
    PinnedBlock pinned;
    Block index;
    const Status index_status = ReadBlock(footer.index, &pinned, &index);
    if (!index_status.ok()) {
      ReportFailure(footer.index, "index", index_status);
      return false;
    }
    if (ScanIndexedBlocks(footer.index, index)) CheckMetaBlocks(footer.metaindex);
    return true;
  }

  // Reads the data blocks that the index names. Returns false if the handler has ended the scan.
  bool ScanIndexedBlocks(const BlockHandle& index_handle, const Block& index) {
    uint64_t end_of_last = 0;
    BlockCursor cursor;
    cursor.Attach(index, 0);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      Slice value = cursor.value();
      BlockHandle handle;
      if (!handle.ConsumeFrom(&value) || !IsInFile(handle) || handle.offset < end_of_last) {
        // Also rejects an index that names a block repeatedly to multiply the size of the table.
        ReportDamage(index_handle, "index: entry with a bad block handle");
        continue;
      }
      end_of_last = handle.offset + handle.size;
      PinnedBlock pinned;
      Block data;
      const Status status = ReadBlock(handle, &pinned, &data);
      if (!status.ok()) {
        ReportFailure(handle, "data block", status);
        if (!shortage_.ok()) return false;
      } else if (!DeliverEntries(handle, data)) {
        return false;
      }
    }
    if (cursor.corrupt()) ReportDamage(index_handle, "index: malformed entry");
    return true;
  }

  // Passes the entries of a block to the handler. Returns false if the handler has ended the scan.
  bool DeliverEntries(const BlockHandle& handle, const Block& block) {
    BlockCursor cursor;
    cursor.Attach(block, 0);
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      if (!handler_->Entry(cursor.key(), cursor.value())) return false;
    }
    if (cursor.corrupt()) ReportDamage(handle, "data block: malformed entry");
    return true;
  }

  // Verifies the metaindex and every block that it names.
  void CheckMetaBlocks(const BlockHandle& metaindex_handle) {
    PinnedBlock pinned;
    Block metaindex;
    const Status status = ReadBlock(metaindex_handle, &pinned, &metaindex);
    if (!status.ok()) {
      ReportFailure(metaindex_handle, "metaindex", status);
      return;
    }
    BlockCursor cursor;
    cursor.Attach(metaindex, 0);
    int blocks = 0;
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      Slice value = cursor.value();
      BlockHandle handle;
      if (++blocks > kMaxMetaBlocks || !handle.ConsumeFrom(&value)) {
        ReportDamage(metaindex_handle, "metaindex: too many entries, or a bad block handle");
        return;
      }
      PinnedBlock meta;
      const Status meta_status = source_.FetchOnce(true, handle, &meta);
      if (!meta_status.ok()) {
        ReportFailure(handle, Escaped(cursor.key()), meta_status);
      }
    }
    if (cursor.corrupt()) ReportDamage(metaindex_handle, "metaindex: malformed entry");
  }

  // Scans by the checksums of blocks.
  void ScanByChecksums() {
    BlockHandle handle;
    while (handle.offset < file_size_) {
      if (!FindBlock(handle.offset, &handle.size)) {
        const BlockHandle rest{handle.offset, file_size_ - handle.offset};
        if (read_failure_.ok()) {
          ReportDamage(rest, "no sound block from here on");
        } else {
          ReportFailure(rest, "no block can be read from here on", read_failure_);
        }
        return;
      }
      // After the data blocks comes a filter block or a metaindex block, neither of which can be
      // mistaken for a data block. The index block, which could be, comes after those.
      PinnedBlock pinned;
      Block data;
      const Status status = ReadBlock(handle, &pinned, &data);
      if (IsShortage(status)) shortage_ = status;
      if (!status.ok() || !IsDataBlock(data)) return;
      if (!DeliverEntries(handle, data)) return;
      handle.offset += handle.size + kBlockTrailerSize;
    }
  }

  // Determines the length of the block that begins at `offset`, by trying at which length the
  // checksum matches. Returns false if it matches at none.
  bool FindBlock(uint64_t offset, uint64_t* block_size) {
    std::string bytes;  // from `offset` on
    size_t size = 0;
    uint32_t crc = 0;  // of the first `size` of them
    while (size < kMaxFoundBlockBytes && ReadOn(offset, &bytes)) {
      for (; size + kBlockTrailerSize <= bytes.size(); size++) {
        const char* const trailer = bytes.data() + size;
        const uint32_t crc_with_type = crc32c::Extend(crc, trailer, 1);
        if (size >= kMinBlockBytes && IsKnownCompression(static_cast<uint8_t>(*trailer)) &&
            crc32c::Unmask(LoadFixed32(trailer + 1)) == crc_with_type) {
          *block_size = size;
          return true;
        }
        crc = crc_with_type;
      }
    }
    return false;
  }

  // Appends to *bytes, which begin at `offset`, the next bytes of the file. Returns false if there
  // are none.
  bool ReadOn(uint64_t offset, std::string* bytes) {
    char scratch[kFindStepBytes];
    Slice more;
    const Status status = file_->Read(offset + bytes->size(), sizeof(scratch), &more, scratch);
    read_failure_ = status;
    if (!status.ok() || more.empty()) return false;
    bytes->append(more.data(), more.size());
    return true;
  }

  // Returns whether the block consists of entries with internal keys, and nothing else.
  static bool IsDataBlock(const Block& block) {
    BlockCursor cursor;
    cursor.Attach(block, kTrailerSize);
    bool has_entries = false;
    for (cursor.SeekToFirst(); cursor.Valid(); cursor.Next()) {
      ParsedKey parsed;
      if (!ParseTableKey(cursor.key(), &parsed)) return false;
      has_entries = true;
    }
    return has_entries && !cursor.corrupt();
  }

  RandomAccessFile* const file_;
  const uint64_t file_size_;
  TableScanHandler* const handler_;
  BlockSource source_;
  Status shortage_;
  Status read_failure_;  // of the last search for a block
};

}  // namespace

Status ScanTable(Env* env, const std::string& name, TableScanHandler* handler) {
  uint64_t size;
  Status status = env->GetFileSize(name, &size);
  if (!status.ok()) return status;
  if (size == 0) {
    handler->Damage(0, 0, "the file is empty");
    return Status::OK();
  }
  RandomAccessFile* opened = nullptr;
  status = env->NewRandomAccessFile(name, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<RandomAccessFile> file(opened);
  status = TableScan(file.get(), size, handler).Run();
  return status.ok() ? status : Status::IOError(name, status.ToString());
}

}  // namespace leveldb
