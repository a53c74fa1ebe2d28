#include "pmem/media/pool_checks.h"

#include <bit>
#include <memory>

#include "pmem/media/pool_front.h"
#include "util/text.h"

namespace leveldb {

bool IsExtentSize(uint64_t bytes) {
  return std::has_single_bit(bytes) && bytes >= Pool::kExtentBytesMin &&
         bytes <= Pool::kExtentBytesMax;
}

Status DescribeDeviceOf(const PoolFiles& files, DeviceInfo* device) {
  const Status s = DescribeDevice(files.path(), device);
  return s.IsNotFound() ? DescribeDevice(files.directory(), device) : s;
}

Status CheckDevice(const PoolOptions& options, const PoolFiles& files, DeviceInfo* device) {
  Status s = DescribeDeviceOf(files, device);
  if (!s.ok()) return s;
  if (options.assume_pmem && !options.assume_pmem_anywhere && !device->memory_backed &&
      !device->dax) {
    return Status::InvalidArgument(
        "pool " + files.path() + " is on " + device->file_system,
        "assume_pmem is for tmpfs and DAX; without it the pool is synced like a file");
  }
  return s;
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
  if (!files.Exist()) return Status::NotFound("there is no pool at " + files.path());
  Status s = files.CheckFree();
  if (s.ok()) s = files.Front(&front);
  if (s.ok()) s = front->FindRoot(files.path(), identity, root);
  if (!s.ok()) return s;
  if (expected != nullptr && identity->id != *expected) {
    return Status::InvalidArgument(
        "pool " + files.path() + " belongs to " + identity->owner,
        "it is pool " + identity->id.Text() + ", not " + expected->Text());
  }
  if (!IsExtentSize(identity->extent_size)) {
    return Status::Corruption("pool " + files.path(), "has an impossible extent size");
  }
  s = PoolRoot(root->data(), *identity, files.path(), nullptr).ReadBytes(&noted);
  if (s.ok()) s = files.Bytes(&bytes);
  if (s.ok() && bytes < noted) {
    s = Status::Corruption(
        "pool " + files.path() + " is cut short",
        "it has " + NumberToString(bytes) + " of " + NumberToString(noted) + " bytes");
  }
  if (s.ok()) s = front->CheckHeap(files.path(), *identity, noted, bytes);
  if (s.ok()) s = TidyParts(files, *front, noted);
  return s;
}

}  // namespace leveldb
