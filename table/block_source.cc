#include "table/block_source.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <functional>
#include <memory>
#include <new>

#include "port/cache_line.h"
#include "table/compression.h"
#include "util/coding.h"
#include "util/crc32c.h"
#include "util/file_pages.h"
#include "util/posix_io.h"
#include "util/prefetch.h"
#include "util/text.h"

namespace leveldb {

namespace {

// The bytes of a mapped block to prefetch. While they are read, the hardware prefetcher takes over.
constexpr uint64_t kMappedPrefetch = 8192;

// The entry spacing from which on a search prefetches only the heads of entries.
constexpr size_t kFarApart = 256;

// The bytes to prefetch of an entry, whose start is known approximately.
constexpr size_t kHeadPrefetch = kCacheLineBytes;

// The bytes read at the end of a table that is opened, as a share of the file: index and filter
// mostly lie there, so that one device read gets them.
constexpr uint64_t kEndShare = 32;
constexpr uint64_t kLeastEndBytes = uint64_t{16} << 10;
constexpr uint64_t kMostEndBytes = uint64_t{1} << 20;

// A block in the cache: this head, followed by the contents, in one allocation.
struct CachedBlock {
  size_t size;

  char* data() { return reinterpret_cast<char*>(this + 1); }
  Slice contents() { return Slice(data(), size); }

  // Returns null if memory can't be allocated.
  static CachedBlock* New(size_t size) {
    void* const memory = ::operator new(sizeof(CachedBlock) + size, std::nothrow);
    return memory == nullptr ? nullptr : new (memory) CachedBlock{size};
  }
  static void Delete(CachedBlock* block) { ::operator delete(block); }
};

void DeleteCachedBlock(const Slice& key, void* value) {
  CachedBlock::Delete(static_cast<CachedBlock*>(value));
}

// Memory for reading a block; only used by files that are not mapped. On the stack for blocks of
// the usual size, so that it costs nothing.
class ReadScratch {
 public:
  explicit ReadScratch(size_t size) {
    if (size > sizeof(local_)) heap_.reset(new (std::nothrow) char[size]);
    data_ = size > sizeof(local_) ? heap_.get() : local_;
  }
  char* data() { return data_; }  // null if memory can't be allocated

 private:
  char* data_;
  std::unique_ptr<char[]> heap_;
  char local_[8 * 1024];
};

bool LiesIn(const Slice& bytes, const char* memory, size_t size) {
  const std::less<const char*> before;
  return !before(bytes.data(), memory) && before(bytes.data(), memory + size);
}

Status BlockDamage(uint64_t offset, const char* what) {
  return Status::Corruption("block at offset " + NumberToString(offset), what);
}

// Verifies the checksum of a payload in the file, which is followed by its trailer.
bool HasGoodChecksum(const Slice& payload) {
  const uint32_t expected = crc32c::Unmask(LoadFixed32(payload.data() + payload.size() + 1));
  return crc32c::Value(payload.data(), payload.size() + 1) == expected;
}

Status MissingZstd() {
  return Status::NotSupported("a block is compressed by zstd",
                              "libzstd.so.1 can't be loaded: install libzstd1");
}

}  // namespace

BlockSource::BlockSource(RandomAccessFile* file, const FilePages* pages, uint64_t file_size,
                         Cache* cache, const std::string& file_name)
    : file_(file),
      pages_(pages),
      file_size_(file_size),
      cache_(cache),
      cache_id_(cache == nullptr ? 0 : cache->NewId()),
      mapping_(pages == nullptr ? 0 : reinterpret_cast<uintptr_t>(pages->mapping())),
      file_name_(file_name) {}

Status BlockSource::ReadFooter(Footer* footer) {
  if (file_size_ < Footer::kSize) {
    return Named(Status::Corruption("not a table file (" + NumberToString(file_size_) +
                                    " bytes are too short for one)"));
  }
  if (pages_ != nullptr) {
    const uint64_t end_bytes =
        std::min(file_size_, std::clamp(file_size_ / kEndShare, kLeastEndBytes, kMostEndBytes));
    pages_->WillRead(file_size_ - end_bytes, end_bytes);
  }
  char scratch[Footer::kSize];
  Slice bytes;
  const Status status = file_->Read(file_size_ - Footer::kSize, Footer::kSize, &bytes, scratch);
  if (!status.ok()) return Named(status);
  if (bytes.size() != Footer::kSize) {
    return Named(Status::Corruption("the table file ends inside its footer"));
  }
  if (mapping_ == 0 && !LiesIn(bytes, scratch, sizeof(scratch))) {
    mapping_ = reinterpret_cast<uintptr_t>(bytes.data()) + Footer::kSize - file_size_;
  }
  return Named(footer->DecodeFrom(bytes));
}

Status BlockSource::Fetch(const ReadOptions& options, const BlockHandle& handle, PinnedBlock* block,
                          PrefetchMode prefetch) const {
  if (cache_ == nullptr) {
    return FetchFromFile(handle, options.verify_checksums, prefetch, nullptr, block);
  }
  if (HasCached() && LookUp(handle, block)) return Status::OK();
  Cache* const fill = options.fill_cache ? cache_ : nullptr;
  return FetchFromFile(handle, options.verify_checksums, prefetch, fill, block);
}

// Returns whether the block and its trailer lie in the file.
bool BlockSource::IsInFile(const BlockHandle& handle) const {
  return handle.offset <= file_size_ && handle.size <= file_size_ - handle.offset &&
         file_size_ - handle.offset - handle.size >= kBlockTrailerSize;
}

Status BlockSource::FetchOnce(bool verify_checksums, const BlockHandle& handle,
                              PinnedBlock* block) const {
  return FetchFromFile(handle, verify_checksums, PrefetchMode::kAll, nullptr, block);
}

Status BlockSource::FetchToKeep(const BlockHandle& handle, PinnedBlock* block) const {
  const Status status = FetchOnce(true, handle, block);
  if (!status.ok() || block->CopyMapped()) return status;
  return NoMemoryFor(handle.size, handle.offset);
}

bool BlockSource::IsCached(const BlockHandle& handle) const {
  PinnedBlock cached;
  return HasCached() && LookUp(handle, &cached);
}

void BlockSource::Uncache(const BlockHandle& handle) const {
  char key[kCacheKeySize];
  MakeCacheKey(handle.offset, key);
  cache_->Erase(Slice(key, sizeof(key)));
}

bool BlockSource::PrefetchBlock(const ReadOptions& options, const BlockHandle& handle) const {
  if (!IsInFile(handle)) return false;
  const bool may_be_cached = HasCached();
  if (pages_ != nullptr && pages_->exceeds_memory()) {
    if (IsCached(handle)) return false;
    const uint64_t stored_size = handle.size + kBlockTrailerSize;
    if (pages_->WillRead(handle.offset, stored_size) != FilePages::InMemory::kAll) return false;
  }
  if (mapping_ == 0 || may_be_cached) return false;
  const uintptr_t block = mapping_ + handle.offset;
  PrefetchContents(reinterpret_cast<const char*>(block), handle.size, options.verify_checksums,
                   PrefetchMode::kSearched);
  return true;
}

// Prefetches a mapped block whose contents have `size` bytes. A checksum needs all of them.
void BlockSource::PrefetchContents(const char* block, uint64_t size, bool verify_checksums,
                                   PrefetchMode prefetch) const {
  if (prefetch == PrefetchMode::kNothing) return;
  const size_t prefetched = static_cast<size_t>(std::min(size, kMappedPrefetch));
  const size_t spacing = entry_spacing_.bytes();
  PrefetchLine(block + size);  // the trailer, which is read first
  if (prefetch == PrefetchMode::kAll || verify_checksums || spacing < kFarApart) {
    return PrefetchNear(block, prefetched);
  }
  for (size_t at = 0; at < prefetched; at += spacing) Prefetch(block + at, kHeadPrefetch);
}

Status BlockSource::FetchFromFile(const BlockHandle& handle, bool verify_checksums,
                                  PrefetchMode prefetch, Cache* fill, PinnedBlock* block) const {
  block->Release();
  if (!IsInFile(handle)) {
    return BlockCorruption(handle.offset, "the block reaches beyond the end of the file");
  }
  const size_t size = static_cast<size_t>(handle.size);
  ReadScratch scratch(size + kBlockTrailerSize);
  if (scratch.data() == nullptr) return NoMemoryFor(size, handle.offset);
  StoredBlock stored;
  const Status status = ReadStored(handle, scratch.data(), verify_checksums, prefetch, &stored);
  if (!status.ok()) return Named(status);
  if (stored.type == kNoCompression && stored.mapped) {
    block->SetMapped(stored.payload);
    return Status::OK();
  }
  // What was read without the mapping is in the system's cache now, and will be found there.
  const bool is_found_again = stored.type == kNoCompression && mapping_ != 0;
  return Unpack(stored, handle.offset, is_found_again ? nullptr : fill, block);
}

// Reads a block and its trailer. The file is not yet named in the errors.
Status BlockSource::ReadStored(const BlockHandle& handle, char* scratch, bool verify_checksums,
                               PrefetchMode prefetch, StoredBlock* stored) const {
  const size_t size = static_cast<size_t>(handle.size);
  const size_t wanted = size + kBlockTrailerSize;
  Slice bytes;
  const Status status = file_->Read(handle.offset, wanted, &bytes, scratch);
  if (!status.ok()) return status;
  if (bytes.size() != wanted) {
    return BlockDamage(handle.offset, "the file ends inside the block");
  }
  stored->mapped = !LiesIn(bytes, scratch, wanted);
  if (stored->mapped) PrefetchContents(bytes.data(), size, verify_checksums, prefetch);
  stored->payload = Slice(bytes.data(), size);
  if (verify_checksums && !HasGoodChecksum(stored->payload)) {
    return BlockDamage(handle.offset, "checksum mismatch");
  }
  stored->type = static_cast<uint8_t>(bytes[size]);
  if (!IsKnownCompression(stored->type)) {
    return BlockDamage(handle.offset, "unknown compression type");
  }
  if (!HaveCompression(static_cast<CompressionType>(stored->type))) return MissingZstd();
  return Status::OK();
}

// Copies or uncompresses a block into memory of the cache `fill`, or of *block if `fill` is null.
Status BlockSource::Unpack(const StoredBlock& stored, uint64_t offset, Cache* fill,
                           PinnedBlock* block) const {
  const CompressionType type = static_cast<CompressionType>(stored.type);
  size_t size = stored.payload.size();
  if (type != kNoCompression && !UncompressedSize(type, stored.payload, &size)) {
    return BlockCorruption(offset, "bad length of compressed data");
  }
  CachedBlock* const cached = fill == nullptr ? nullptr : CachedBlock::New(size);
  char* out = nullptr;
  if (fill == nullptr) {
    out = block->AllocateOwn(size);
  } else if (cached != nullptr) {
    out = cached->data();
  }
  if (out == nullptr) return NoMemoryToUnpack(stored, size, offset);

  Uncompressed outcome = Uncompressed::kDone;
  if (type == kNoCompression) {
    memcpy(out, stored.payload.data(), size);
  } else {
    outcome = UncompressBlock(type, stored.payload, out, size);
  }
  if (outcome != Uncompressed::kDone) {
    if (cached != nullptr) CachedBlock::Delete(cached);
    return outcome == Uncompressed::kNoMemory ? NoMemoryToUnpack(stored, size, offset)
                                              : BlockCorruption(offset, "bad compressed data");
  }
  if (cached == nullptr) {
    block->SetOwn(size);
    return Status::OK();
  }
  has_cached_.store(true, std::memory_order_relaxed);
  char key[kCacheKeySize];
  MakeCacheKey(offset, key);
  Cache::Handle* const held =
      fill->Insert(Slice(key, sizeof(key)), cached, size, &DeleteCachedBlock);
  block->SetCached(fill, held, cached->contents());
  return Status::OK();
}

// Does not return Corruption, since programs repair or delete a database on Corruption.
Status BlockSource::NoMemoryFor(uint64_t bytes, uint64_t offset) const {
  return NoMemory(file_name_ + (file_name_.empty() ? "" : ": ") + NumberToString(bytes) +
                      " bytes of the block at offset " + NumberToString(offset),
                  "give the process more, or read with less of it in use");
}

// A block that was not verified may be damaged, and so may the size that it claims.
Status BlockSource::NoMemoryToUnpack(const StoredBlock& stored, uint64_t bytes,
                                     uint64_t offset) const {
  if (!HasGoodChecksum(stored.payload)) return BlockCorruption(offset, "checksum mismatch");
  return NoMemoryFor(bytes, offset);
}

bool BlockSource::LookUp(const BlockHandle& handle, PinnedBlock* block) const {
  char key[kCacheKeySize];
  MakeCacheKey(handle.offset, key);
  Cache::Handle* const held = cache_->Lookup(Slice(key, sizeof(key)));
  if (held == nullptr) return false;
  block->SetCached(cache_, held, static_cast<CachedBlock*>(cache_->Value(held))->contents());
  return true;
}

void BlockSource::MakeCacheKey(uint64_t offset, char* key) const {
  StoreFixed64(key, cache_id_);
  StoreFixed64(key + 8, offset);
}

Status BlockSource::BlockCorruption(uint64_t offset, const char* what) const {
  return Named(BlockDamage(offset, what));
}

// Adds the file name to Corruption. In other errors the Env has already named the file.
Status BlockSource::Named(const Status& failure) const {
  if (file_name_.empty() || !failure.IsCorruption()) return failure;
  return Status::Corruption(file_name_, failure.ToString());
}

}  // namespace leveldb
