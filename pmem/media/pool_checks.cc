#include "pmem/media/pool_checks.h"

#include <algorithm>
#include <bit>
#include <memory>

#include "pmem/media/pool_front.h"
#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

namespace {

Status CheckLength(const std::string& path, uint64_t bytes, uint64_t noted) {
  if (bytes >= noted) return Status::OK();
  return Status::Corruption(
      "pool " + path + " is cut short",
      "it has " + NumberToString(bytes) + " of " + NumberToString(noted) + " bytes");
}

// Reads the pool's length that was last noted, and the present length of its files. Corruption if
// they are shorter, or if libpmemobj's heap does not fit.
Status CheckLengthAndHeap(const PoolFiles& files, PoolFront* front, const PoolRoot& root,
                          uint64_t* noted, uint64_t* bytes) {
  Status s = root.ReadBytes(noted);
  if (s.ok()) s = files.Bytes(bytes);
  if (s.ok()) s = CheckLength(files.path(), *bytes, *noted);
  return s.ok() ? front->CheckHeap(files.path(), root.identity(), *noted, *bytes) : s;
}

}  // namespace

bool IsExtentSize(uint64_t bytes) {
  return std::has_single_bit(bytes) && bytes >= Pool::kExtentBytesMin &&
         bytes <= Pool::kExtentBytesMax;
}

uint64_t ChooseExtentSize(uint64_t pool_bytes) {
  constexpr uint64_t kMostByDefault = 1 << 20;
  return std::clamp(std::bit_floor(pool_bytes / 4096), Pool::kExtentBytesMin, kMostByDefault);
}

Status DescribeDeviceOf(const PoolFiles& files, DeviceInfo* device, NamespaceCatalog* catalog) {
  const Status s = DescribeDevice(files.path(), device, catalog);
  return s.IsNotFound() ? DescribeDevice(files.directory(), device, catalog) : s;
}

Status CheckPoolExists(const PoolFiles& files) {
  if (files.Exist()) return Status::OK();
  return Status::NotFound("there is no pool at " + files.path());
}

Status CheckIdentity(const std::string& path, const PoolIdentity& identity,
                     const PoolId* expected) {
  if (expected != nullptr && identity.id != *expected) {
    return Status::InvalidArgument(
        "pool " + path + " belongs to " + identity.owner,
        "it is pool " + identity.id.Text() + ", not " + expected->Text());
  }
  if (!IsExtentSize(identity.extent_size)) {
    return Status::Corruption("pool " + path, "has an impossible extent size");
  }
  return Status::OK();
}

Status BadMetadata(const std::string& path) {
  return Status::Corruption("pool " + path, "has bad blocks in its metadata");
}

Status CheckBadRanges(const PoolRoot& root, const std::vector<ByteRange>& bad_ranges,
                      uint64_t bytes, const std::string& path) {
  if (bad_ranges.empty()) return Status::OK();
  std::vector<PoolRoot::SlabEntry> slabs;
  Status s = root.ReadSlabs(&slabs);
  if (!s.ok()) return s;
  for (const ByteRange& bad : bad_ranges) {
    const bool is_in_slab =
        std::any_of(slabs.begin(), slabs.end(), [&bad](const PoolRoot::SlabEntry& slab) {
          return bad.begin >= slab.begin && bad.end <= slab.begin + slab.length;
        });
    if (!is_in_slab && bad.begin < bytes) return BadMetadata(path);
  }
  return s;
}

Status CheckNoBadBlocks(const PoolFiles& files) {
  std::vector<ByteRange> bad_ranges;
  const Status s = FindBadRanges(files, &bad_ranges);
  if (!s.ok() || bad_ranges.empty()) return s;
  return Status::IOError(
      "pool " + files.path() + " cannot be made there, because it has bad blocks",
      "make the file or, by `ndctl create-namespace -f -e`, the namespace anew");
}

void LogBadRanges(const std::string& path, const std::vector<ByteRange>& bad_ranges,
                  const ByteRange& part, Logger* info_log) {
  for (const ByteRange& bad : bad_ranges) {
    if (!Overlaps({part}, bad.begin, bad.end - bad.begin)) continue;
    Log(info_log,
        "pool %s: bad blocks in the %llu bytes at %llu: the extents that they are in are not used",
        path.c_str(), static_cast<unsigned long long>(bad.end - bad.begin),
        static_cast<unsigned long long>(bad.begin));
  }
}

Status CheckAlignment(const std::string& path, uint64_t bytes, uint64_t alignment) {
  constexpr uint64_t kAlways = 2 << 20;
  constexpr uint64_t kLarge = 2ull << 30;
  if (alignment <= kAlways || bytes >= kLarge) return Status::OK();
  return Status::InvalidArgument(
      "pool " + path + " is on a device that is aligned to " + NumberToString(alignment) +
          " bytes, which libpmemobj can map from 2 GiB on",
      "make its namespace larger, or anew by `ndctl create-namespace -f -e NAMESPACE -m devdax "
      "--align=2M`");
}

Status CheckRegion(const std::string& path, const DeviceInfo& device) {
  // The kernel permits writes to DAX devices of a read-only region.
  if (!device.region_is_read_only) return Status::OK();
  return Status::IOError(
      "pool " + path + " is on " + device.namespace_name + ", whose region is read-only",
      "its modules do not keep what is written; `bushstore repair` of the "
      "database saves what is there");
}

// libpmemobj's metadata of a pool in use may be in the middle of a change, so such a pool is not
// checked.
Status FindProblem(const std::string& path) {
  const PoolFiles files(path, PoolKind::kDetect);
  std::unique_ptr<Descriptor> lock;
  if (!files.CheckFree(&lock).ok()) return Status::OK();
  std::unique_ptr<PoolFront> front;
  PoolIdentity identity;
  std::string root_bytes;
  uint64_t noted;
  uint64_t bytes;
  std::vector<ByteRange> bad_ranges;
  Status s = FindBadRanges(files, &bad_ranges);
  if (s.ok()) s = files.Front(&front);
  if (s.ok()) s = front->FindRoot(path, &identity, &root_bytes);
  if (!s.ok()) return s;
  const PoolRoot root(root_bytes.data(), identity, path, nullptr);
  s = CheckLengthAndHeap(files, front.get(), root, &noted, &bytes);
  if (s.ok()) s = CheckBadRanges(root, bad_ranges, bytes, path);
  return s;
}

Status CheckDevice(const PoolOptions& options, const PoolFiles& files, DeviceInfo* device,
                   PoolMedium* medium) {
  Status s = DescribeDeviceOf(files, device);
  if (!s.ok()) return s;
  if (options.assume_pmem && !options.assume_pmem_anywhere && !device->memory_backed &&
      !device->dax) {
    return Status::InvalidArgument(
        "pool " + files.path() + " is on " + device->file_system,
        "assume_pmem is for tmpfs and DAX; without it the pool is synced like a file");
  }
  if (files.kind() == PoolKind::kDevice && !device->keeps_contents && !options.assume_pmem) {
    return Status::InvalidArgument("pool " + files.path() +
                                       " would be on memory that a power "
                                       "failure empties",
                                   "assume_pmem treats it as persistent memory");
  }
  s = CheckRegion(files.path(), *device);
  if (s.ok() && files.kind() == PoolKind::kDevice) {
    std::vector<PoolFiles::Part> parts;
    s = files.List(&parts);
    if (s.ok()) s = CheckAlignment(parts[0].path, parts[0].bytes, parts[0].alignment);
  }
  if (!s.ok()) return s;
  *medium = MediumOf(files, *device, options.assume_pmem);
  return CheckMedium(*medium, files.path());
}

Status CheckGrowth(const PoolFiles& files, const PoolMedium& medium, uint64_t bytes) {
  if (files.FreeBytes() < bytes) return PosixError(files.directory(), ENOSPC);
  if (medium.kind != MediumKind::kPersistentMemory || CanMapSync(files.parts_directory())) {
    return Status::OK();
  }
  return Status::IOError("pool " + files.path() + " cannot grow",
                         "new files in " + files.parts_directory() +
                             " cannot be mapped with MAP_SYNC, as the pool is; turn DAX on for "
                             "that directory");
}

bool IsHalfMade(const std::string& path) {
  const PoolFiles files(path, PoolKind::kDetect);
  std::unique_ptr<PoolFront> front;
  return files.kind() != PoolKind::kDirectory && files.Front(&front).ok() && front->IsHalfMade();
}

Status TidyParts(const PoolFiles& files, const PoolFront& front, uint64_t bytes_noted) {
  const uint64_t end = front.HeapEnd();
  uint64_t bytes;
  Status s = files.Bytes(&bytes);
  if (s.ok() && end != 0) {
    if (end < bytes_noted || end > bytes) {
      return Status::Corruption("pool " + files.path(),
                                "libpmemobj's length of the heap is damaged");
    }
    s = files.RemovePartsBehind(end);
  }
  return s.ok() ? files.NumberParts() : s;
}

Status CheckFiles(const PoolFiles& files, const PoolId* expected, PoolIdentity* identity,
                  std::string* root) {
  uint64_t bytes;
  uint64_t noted;
  std::unique_ptr<PoolFront> front;
  Status s = CheckPoolExists(files);
  if (s.ok()) s = files.CheckFree();
  if (s.ok()) s = files.Front(&front);
  if (s.ok()) s = front->FindRoot(files.path(), identity, root);
  if (s.ok()) s = CheckIdentity(files.path(), *identity, expected);
  if (!s.ok()) return s;
  const PoolRoot found(root->data(), *identity, files.path(), nullptr);
  s = CheckLengthAndHeap(files, front.get(), found, &noted, &bytes);
  if (s.ok()) s = TidyParts(files, *front, noted);
  return s;
}

}  // namespace leveldb
