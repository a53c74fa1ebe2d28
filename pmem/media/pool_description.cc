#include "pmem/media/pool_description.h"

#include <memory>
#include <vector>

#include "pmem/media/bad_blocks.h"
#include "pmem/media/pool_checks.h"
#include "pmem/media/pool_files.h"
#include "pmem/media/pool_front.h"
#include "pmem/media/pool_root.h"

namespace leveldb {

Status DescribePool(const std::string& path, PoolDescription* description,
                    NamespaceCatalog* catalog) {
  const PoolFiles files(path, PoolKind::kDetect);
  PoolIdentity identity;
  std::string bytes;
  std::unique_ptr<PoolFront> front;
  std::vector<ByteRange> bad_ranges;
  Status s = FindBadRanges(files, &bad_ranges);
  if (s.ok() && Overlaps(bad_ranges, 0, PoolFront::MetadataEnd())) s = BadMetadata(files.path());
  if (s.ok()) s = files.Front(&front);
  if (s.ok() && files.kind() != PoolKind::kDirectory && front->IsBlank()) {
    s = Status::NotFound("there is no pool at " + files.path() + " yet");
  }
  if (s.ok()) s = front->FindRoot(files.path(), &identity, &bytes);
  if (!s.ok()) return s;
  *description = PoolDescription();
  description->path = files.path();
  description->kind = files.kind();
  description->id = identity.id;
  description->owner = identity.owner;
  description->extent_size = identity.extent_size;

  const PoolRoot root(bytes.data(), identity, path, nullptr);
  uint64_t clean_epoch = 0;
  std::vector<PoolRoot::SlabEntry> slabs;
  s = files.Bytes(&description->bytes);
  if (s.ok()) s = root.ReadEpoch(&description->epoch);
  if (s.ok()) s = root.ReadCleanEpoch(&clean_epoch);
  if (s.ok()) s = root.ReadCeiling(&description->ceiling);
  if (s.ok()) s = root.ReadSlabs(&slabs);
  if (s.ok()) s = DescribeDeviceOf(files, &description->device, catalog);
  description->clean = clean_epoch == description->epoch;
  for (const PoolRoot::SlabEntry& slab : slabs) description->slab_bytes += slab.length;
  description->logs = root.Logs().size();
  return s;
}

}  // namespace leveldb
