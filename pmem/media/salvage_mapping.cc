#include "pmem/media/salvage_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>

#include "pmem/media/blank_units.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_heap.h"
#include "port/fault_guard.h"
#include "port/page_bytes.h"
#include "util/posix_io.h"
#include "util/round.h"

namespace leveldb {

namespace {

// Returns how many pool offsets a file takes, even if it was cut short: parts have a unit.
uint64_t PlacesOf(const PoolFiles& files, const PoolFiles::Part& part) {
  return files.kind() == PoolKind::kDirectory ? RoundUp(part.bytes, PoolHeap::kPartBytes)
                                              : part.bytes;
}

bool MapZeros(char* at, uint64_t bytes) {
  return mmap(at, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) !=
         MAP_FAILED;
}

}  // namespace

Status SalvageMapping::Map(const PoolFiles& files, const std::vector<ByteRange>& bad_ranges,
                           std::unique_ptr<SalvageMapping>* mapping) {
  std::vector<PoolFiles::Part> parts;
  Status s = files.List(&parts);
  if (!s.ok()) return s;
  std::unique_ptr<SalvageMapping> fresh(new SalvageMapping);
  for (const PoolFiles::Part& part : parts) fresh->bytes_ += PlacesOf(files, part);
  const uint64_t end = fresh->bytes_;
  fresh->bytes_ = RoundUp(end, Pool::kExtentBytesMax);
  const uint64_t unit = std::max(parts[0].alignment, PageBytes());
  s = fresh->ReserveZeros(unit);
  uint64_t pool_offset = 0;
  for (const PoolFiles::Part& part : parts) {
    if (s.ok()) s = fresh->MapPart(part, pool_offset);
    pool_offset += PlacesOf(files, part);
  }
  // Units with bad pages are copied, and may have other bad pages that are not listed yet.
  const FaultGuard guard(fresh->base_, fresh->bytes_);
  if (s.ok() && files.kind() == PoolKind::kDevice) {
    s = BlankInUnits(fresh->base_, end, unit, bad_ranges);
  } else {
    for (const ByteRange& pages : bad_ranges) {
      if (s.ok()) s = fresh->BlankPages(pages);
    }
  }
  if (s.ok()) *mapping = std::move(fresh);
  return s;
}

SalvageMapping::~SalvageMapping() {
  if (reserved_ != nullptr) munmap(reserved_, reserved_bytes_);
}

Status SalvageMapping::ReserveZeros(uint64_t alignment) {
  reserved_bytes_ = RoundUp(bytes_, alignment) + alignment;
  void* const space = mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (space == MAP_FAILED) return PosixError("address space for a pool", errno);
  reserved_ = static_cast<char*>(space);
  const auto begin = reinterpret_cast<uintptr_t>(reserved_);
  base_ = reserved_ + (RoundUp(begin, alignment) - begin);
  return Status::OK();
}

// The mapping is private, so that nothing reaches the file. A device can only be mapped shared, so
// its mapping is not writable.
Status SalvageMapping::MapPart(const PoolFiles::Part& part, uint64_t pool_offset) {
  if (part.bytes == 0) return Status::OK();
  const Descriptor file(OpenDescriptor(part.path, O_RDONLY));
  if (!file.valid()) return PosixError(part.path, errno);
  const bool is_device = part.alignment != 0;
  const int protection = is_device ? PROT_READ : PROT_READ | PROT_WRITE;
  const int flags = (is_device ? MAP_SHARED : MAP_PRIVATE | MAP_NORESERVE) | MAP_FIXED;
  if (mmap(base_ + pool_offset, part.bytes, protection, flags, file.get(), 0) == MAP_FAILED) {
    return PosixError(part.path, errno);
  }
  return Status::OK();
}

Status SalvageMapping::BlankPages(const ByteRange& pages) {
  const uint64_t end = std::min(pages.end, RoundUp(bytes_, PageBytes()));
  if (pages.begin >= end || MapZeros(base_ + pages.begin, end - pages.begin)) return Status::OK();
  return PosixError("memory in place of a pool's bad blocks", errno);
}

}  // namespace leveldb
