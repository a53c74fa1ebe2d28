#include "pmem/media/bad_blocks.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <utility>

#include "pmem/media/pool_files.h"
#include "pmem/media/sysfs.h"
#include "port/mutex.h"
#include "port/page_bytes.h"
#include "util/posix_io.h"
#include "util/round.h"

namespace leveldb {

namespace {

constexpr uint64_t kBlockBytes = 512;

Mutex pretended_mutex;
std::optional<std::vector<ByteRange>> pretended GUARDED_BY(pretended_mutex);

// Returns the bad ranges of the block device that a file is on, relative to the device's beginning.
std::vector<ByteRange> OfBlockDevice(dev_t device) {
  std::string directory = SysfsDirectory("block", device);
  uint64_t start = 0;
  if (directory.empty()) return {};
  // A partition has no list of its own: the list and its block numbers are those of the whole disk.
  if (ReadSysfsNumber(directory + "/start", &start)) directory = ParentOf(directory);
  std::vector<ByteRange> ranges = ParseBadBlocks(ReadSysfsText(directory + "/badblocks"));
  const uint64_t begin = start * kBlockBytes;
  std::erase_if(ranges, [begin](const ByteRange& range) { return range.end <= begin; });
  for (ByteRange& range : ranges) {
    range = {std::max(range.begin, begin) - begin, range.end - begin};
  }
  return ranges;
}

// Lists the pieces of a file, by FIEMAP.
Status PiecesOf(int fd, const std::string& path, std::vector<FilePiece>* pieces) {
  constexpr uint32_t kAtOnce = 256;
  constexpr size_t kBytes = sizeof(fiemap) + kAtOnce * sizeof(fiemap_extent);
  pieces->clear();
  const auto memory = std::make_unique<uint64_t[]>(kBytes / sizeof(uint64_t) + 1);
  auto* const map = new (memory.get()) fiemap;
  uint64_t from = 0;
  while (true) {
    *map = fiemap{};
    map->fm_start = from;
    map->fm_length = FIEMAP_MAX_OFFSET - from;
    map->fm_flags = FIEMAP_FLAG_SYNC;
    map->fm_extent_count = kAtOnce;
    if (ioctl(fd, FS_IOC_FIEMAP, map) != 0) return PosixError(path, errno);
    const fiemap_extent* const extents = map->fm_extents;
    for (uint32_t i = 0; i < map->fm_mapped_extents; i++) {
      pieces->push_back({extents[i].fe_logical, extents[i].fe_physical, extents[i].fe_length});
      from = extents[i].fe_logical + extents[i].fe_length;
      if ((extents[i].fe_flags & FIEMAP_EXTENT_LAST) != 0) return Status::OK();
    }
    if (map->fm_mapped_extents == 0) return Status::OK();
  }
}

Status OfFile(const PoolFiles::Part& part, std::vector<ByteRange>* ranges) {
  const Descriptor file(OpenDescriptor(part.path, O_RDONLY));
  struct stat status;
  if (!file.valid() || fstat(file.get(), &status) != 0) return PosixError(part.path, errno);
  const std::vector<ByteRange> on_device = OfBlockDevice(status.st_dev);
  ranges->clear();
  if (on_device.empty()) return Status::OK();
  std::vector<FilePiece> pieces;
  Status s = PiecesOf(file.get(), part.path, &pieces);
  if (s.ok()) *ranges = InFile(pieces, on_device);
  return s;
}

// Finds the bad ranges of a DAX device. It is a part of its region, which has the list. The
// device's directory, or the one above it, says where it begins in the region, but only to root.
Status OfDaxDevice(const std::string& path, uint64_t bytes, std::vector<ByteRange>* ranges) {
  struct stat status;
  ranges->clear();
  if (stat(path.c_str(), &status) != 0) return PosixError(path, errno);
  const std::string device = SysfsDirectory("char", status.st_rdev);
  std::string region = ParentOf(device);
  while (!region.empty() && LastPart(region).compare(0, 6, "region") != 0)
    region = ParentOf(region);
  if (region.empty()) return Status::OK();
  const std::vector<ByteRange> in_region = ParseBadBlocks(ReadSysfsText(region + "/badblocks"));
  if (in_region.empty()) return Status::OK();
  uint64_t region_begin = 0;
  uint64_t device_begin = 0;
  bool is_known = ReadSysfsNumber(region + "/resource", &region_begin) && region_begin != 0;
  if (is_known && !ReadSysfsNumber(device + "/resource", &device_begin)) device_begin = 0;
  if (is_known && device_begin == 0) {
    is_known = ReadSysfsNumber(ParentOf(device) + "/resource", &device_begin) && device_begin != 0;
  }
  if (!is_known || device_begin < region_begin) {
    return Status::IOError(path + " is in a region with bad blocks",
                           "only root can find out whether the pool has them; run this, or "
                           "`bushstore repair` of its database, as root");
  }
  *ranges = InFile({{0, device_begin - region_begin, bytes}}, in_region);
  return Status::OK();
}

// Returns the ranges rounded to whole pages, each page once.
std::vector<ByteRange> AsPages(std::vector<ByteRange> ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  std::vector<ByteRange> pages;
  for (const ByteRange& range : ranges) {
    const ByteRange wider{RoundDown(range.begin, PageBytes()), RoundUp(range.end, PageBytes())};
    if (!pages.empty() && wider.begin <= pages.back().end) {
      pages.back().end = std::max(pages.back().end, wider.end);
    } else {
      pages.push_back(wider);
    }
  }
  return pages;
}

}  // namespace

bool Overlaps(const std::vector<ByteRange>& ranges, uint64_t begin, uint64_t n) {
  return std::any_of(ranges.begin(), ranges.end(), [begin, n](const ByteRange& range) {
    return range.begin < begin + n && begin < range.end;
  });
}

std::vector<ByteRange> ParseBadBlocks(const std::string& text) {
  std::vector<ByteRange> ranges;
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    uint64_t first;
    uint64_t count;
    if (!(words >> first >> count) || count == 0) continue;
    ranges.push_back({first * kBlockBytes, (first + count) * kBlockBytes});
  }
  return ranges;
}

std::vector<ByteRange> InFile(const std::vector<FilePiece>& pieces,
                              const std::vector<ByteRange>& on_device) {
  std::vector<ByteRange> found;
  for (const FilePiece& piece : pieces) {
    for (const ByteRange& bad : on_device) {
      const uint64_t begin = std::max(bad.begin, piece.on_device);
      const uint64_t end = std::min(bad.end, piece.on_device + piece.bytes);
      if (begin >= end) continue;
      const uint64_t shift = begin - piece.on_device;
      found.push_back({piece.at + shift, piece.at + shift + (end - begin)});
    }
  }
  std::sort(found.begin(), found.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  return found;
}

Status FindBadRanges(const PoolFiles& files, std::vector<ByteRange>* ranges) {
  ranges->clear();
  {
    MutexLock lock(&pretended_mutex);
    if (pretended.has_value()) {
      *ranges = *pretended;
      return Status::OK();
    }
  }
  std::vector<PoolFiles::Part> parts;
  Status s = files.List(&parts);
  PoolOffset begin = 0;
  for (const PoolFiles::Part& part : parts) {
    std::vector<ByteRange> of_part;
    if (s.ok()) {
      s = files.kind() == PoolKind::kDevice ? OfDaxDevice(part.path, part.bytes, &of_part)
                                            : OfFile(part, &of_part);
    }
    for (const ByteRange& range : of_part) {
      const uint64_t end = std::min(range.end, part.bytes);
      if (range.begin < end) ranges->push_back({begin + range.begin, begin + end});
    }
    begin += part.bytes;
  }
  *ranges = AsPages(std::move(*ranges));
  return s;
}

uint64_t BadBlocksOfDaxDevice(const std::string& path, uint64_t bytes) {
  std::vector<ByteRange> ranges;
  uint64_t bad_bytes = 0;
  if (!OfDaxDevice(path, bytes, &ranges).ok()) return 0;
  for (const ByteRange& range : ranges) bad_bytes += range.end - range.begin;
  return bad_bytes / kBlockBytes;
}

PretendedBadRanges::PretendedBadRanges(std::vector<ByteRange> ranges) {
  MutexLock lock(&pretended_mutex);
  pretended = std::move(ranges);
}

PretendedBadRanges::~PretendedBadRanges() {
  MutexLock lock(&pretended_mutex);
  pretended.reset();
}

}  // namespace leveldb
