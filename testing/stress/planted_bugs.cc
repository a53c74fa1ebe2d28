#include "testing/stress/planted_bugs.h"

#include <atomic>
#include <map>
#include <mutex>

#include "db/jobs/visibility_rule.h"
#include "db/state/snapshot_list.h"
#include "pmem/media/extents.h"

namespace leveldb {
namespace testkit {

#define BUSHSTORE_SHOULD_DROP "_ZN7leveldb14VisibilityRule10ShouldDropERKNS_5SliceE"
#define BUSHSTORE_TAKE "_ZN7leveldb12SnapshotList4TakeEm"
#define BUSHSTORE_ADD_REFERENCE "_ZN7leveldb7Extents12AddReferenceEmj"
#define BUSHSTORE_RELEASE "_ZN7leveldb7Extents7ReleaseEmj"

// Member functions as the linker sees them: the object comes first.
bool WrappedShouldDrop(VisibilityRule* rule,
                       const Slice& key) __asm__("__wrap_" BUSHSTORE_SHOULD_DROP);
bool RealShouldDrop(VisibilityRule* rule,
                    const Slice& key) __asm__("__real_" BUSHSTORE_SHOULD_DROP);
const ListedSnapshot* WrappedTake(SnapshotList* list,
                                  SequenceNumber sequence) __asm__("__wrap_" BUSHSTORE_TAKE);
const ListedSnapshot* RealTake(SnapshotList* list,
                               SequenceNumber sequence) __asm__("__real_" BUSHSTORE_TAKE);
void WrappedAddReference(Extents* extents, PoolOffset extent,
                         uint32_t count) __asm__("__wrap_" BUSHSTORE_ADD_REFERENCE);
void RealAddReference(Extents* extents, PoolOffset extent,
                      uint32_t count) __asm__("__real_" BUSHSTORE_ADD_REFERENCE);
void WrappedRelease(Extents* extents, PoolOffset extent,
                    uint32_t count) __asm__("__wrap_" BUSHSTORE_RELEASE);
void RealRelease(Extents* extents, PoolOffset extent,
                 uint32_t count) __asm__("__real_" BUSHSTORE_RELEASE);

#undef BUSHSTORE_SHOULD_DROP
#undef BUSHSTORE_TAKE
#undef BUSHSTORE_ADD_REFERENCE
#undef BUSHSTORE_RELEASE

namespace {

std::atomic<PlantedBug> planted{PlantedBug::kNone};

// For each extent that was freed early, the references that its users still believe to hold.
std::mutex owed_mutex;
std::map<PoolOffset, uint32_t> owed;

void ReleaseForAll(Extents* extents, PoolOffset extent) {
  const std::lock_guard<std::mutex> guard(owed_mutex);
  const auto owing = owed.find(extent);
  if (owing != owed.end() && owing->second > 0) {
    --owing->second;
    return;
  }
  const uint32_t references = extents->references(extent);
  for (uint32_t i = 0; i < references; ++i) {
    RealRelease(extents, extent, 1);
  }
  owed[extent] = references > 0 ? references - 1 : 0;
}

// Counts a reference that a user of an extent that was freed early passes on.
void AddAsOwed(Extents* extents, PoolOffset extent) {
  const std::lock_guard<std::mutex> guard(owed_mutex);
  if (extents->references(extent) == 0) {
    ++owed[extent];
  } else {
    RealAddReference(extents, extent, 1);
  }
}

}  // namespace

bool WrappedShouldDrop(VisibilityRule* rule, const Slice& key) {
  const bool drop = RealShouldDrop(rule, key);
  ParsedKey parsed;
  const bool is_deletion = ParseInternalKey(key, &parsed) && parsed.type == kTypeDeletion;
  return drop || (planted == PlantedBug::kTombstoneDropped && is_deletion);
}

const ListedSnapshot* WrappedTake(SnapshotList* list, SequenceNumber sequence) {
  const bool is_early = planted == PlantedBug::kSnapshotOffByOne && sequence > 0;
  return RealTake(list, is_early ? sequence - 1 : sequence);
}

void WrappedAddReference(Extents* extents, PoolOffset extent, uint32_t count) {
  if (planted != PlantedBug::kExtentFreedInUse) {
    RealAddReference(extents, extent, count);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    AddAsOwed(extents, extent + i * extents->extent_size());
  }
}

void WrappedRelease(Extents* extents, PoolOffset extent, uint32_t count) {
  if (planted != PlantedBug::kExtentFreedInUse) {
    RealRelease(extents, extent, count);
    return;
  }
  for (uint32_t i = 0; i < count; ++i) {
    ReleaseForAll(extents, extent + i * extents->extent_size());
  }
}

void Plant(PlantedBug bug) {
  planted = bug;
}

}  // namespace testkit
}  // namespace leveldb
