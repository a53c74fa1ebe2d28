// PoolMedium: how the bytes of a pool become persistent. Only this code decides it: LOG, the
// properties, `bushstore info` and the benchmarks report its result.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_MEDIUM_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_MEDIUM_H_

#include <string>

#include "leveldb/status.h"
#include "pmem/media/cache_lines.h"
#include "pmem/media/device_info.h"

namespace leveldb {

class PoolFiles;

enum class MediumKind {
  kPersistentMemory,  // what has been written back and fenced survives a power failure
  kEmulated,          // other memory, treated as if it were persistent
  kPageCache,         // a file: the kernel writes it back on msync
};

struct PoolMedium {
  MediumKind kind = MediumKind::kPageCache;
  // How cache lines of memory are written back before a fence. On persistent memory, kNone only if
  // the caches survive a power failure (eADR).
  FlushMethod flush = FlushMethod::kNone;
  PersistenceDomain domain = PersistenceDomain::kUnknown;

  // A name for programs: "clwb" (or the instruction used instead of it: "clflushopt", "clflush",
  // "dc cvadp", "dc cvap"), "eadr", "emulated" or "msync".
  std::string Name() const;
  // One line of text for messages, which begins with "persistent memory", "emulated" or "synced
  // like a file".
  std::string Text() const;
};

// The facts that the decision depends on.
struct MediumFacts {
  bool is_device = false;           // /dev/daxX.Y that keeps its contents
  bool all_parts_map_sync = false;  // every file of the pool can be mapped with MAP_SYNC
  bool assume_pmem = false;         // requested by the user
  PersistenceDomain domain = PersistenceDomain::kUnknown;
  FlushMethod best_flush = FlushMethod::kNone;  // of this processor
};

// Decides which medium a pool has. A pool is persistent memory if it is a DAX device, or if every
// part of it can be mapped with MAP_SYNC. That is how libpmemobj maps it, whereas libpmem's
// pmem_is_pmem knows only the mappings that libpmem has made itself.
PoolMedium DecideMedium(const MediumFacts& facts);

// NotSupported if the medium is persistent memory and this processor cannot write cache lines back
// to it, so that nothing would be durable. `name` is the pool's.
Status CheckMedium(const PoolMedium& medium, const std::string& name);

// Determines the medium of the files of a pool or, if there are none yet, of the directory in which
// they will be created. Changes nothing.
PoolMedium MediumOf(const PoolFiles& files, const DeviceInfo& device, bool assume_pmem);

// Returns true if a file, or a new file in a directory, can be mapped with MAP_SYNC: stores to it
// are then as durable as the memory is, without a system call. Returns `if_unknown` if that cannot
// be tried, as in a directory that is not writable.
bool CanMapSync(const std::string& path, bool if_unknown = false);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_MEDIUM_H_
