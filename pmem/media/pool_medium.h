// How the bytes of a pool become persistent. This is the one place that decides it: LOG,
// the properties, `bushstore info` and the benchmarks show what is said here.
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
  // How cache lines are written back before a fence, of memory. kNone on persistent memory only
  // where caches survive a power failure (eADR).
  FlushMethod flush = FlushMethod::kNone;
  PersistenceDomain domain = PersistenceDomain::kUnknown;

  // A name for programs: "clwb" (or the instruction that takes its place: "clflushopt", "clflush",
  // "dc cvadp", "dc cvap"), "eadr", "emulated" or "msync".
  std::string Name() const;
  // One line for people, which begins with "persistent memory", "emulated" or "synced like a file".
  std::string Text() const;
};

// What the decision depends on.
struct MediumFacts {
  bool is_device = false;           // /dev/daxX.Y that keeps its contents
  bool all_parts_map_sync = false;  // every file of the pool can be mapped with MAP_SYNC
  bool assume_pmem = false;         // as the user asks
  PersistenceDomain domain = PersistenceDomain::kUnknown;
  FlushMethod best_flush = FlushMethod::kNone;  // of this processor
};

// The decision. A pool is persistent memory if it is a DAX device, or if every part of it can be
// mapped with MAP_SYNC. That is how libpmemobj maps it, whereas libpmem's pmem_is_pmem knows only
// the mappings that libpmem has made itself.
PoolMedium DecideMedium(const MediumFacts& facts);

// NotSupported if the medium is persistent memory and this processor cannot write cache lines back
// to it: nothing would be durable then. `name` is the pool's.
Status CheckMedium(const PoolMedium& medium, const std::string& name);

// Looks at the files of a pool, or where there are none yet, at the directory that they are going
// to be made in. Changes nothing.
PoolMedium MediumOf(const PoolFiles& files, const DeviceInfo& device, bool assume_pmem);

// Whether a file, or a new file in a directory, can be mapped with MAP_SYNC: stores to it are as
// durable as the memory is, without a system call. `if_unknown` if that cannot be tried, as in a
// directory that may not be written to.
bool CanMapSync(const std::string& path, bool if_unknown = false);

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_MEDIUM_H_
