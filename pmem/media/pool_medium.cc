#include "pmem/media/pool_medium.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "pmem/media/pool_files.h"
#include "util/posix_io.h"

namespace leveldb {

namespace {

constexpr size_t kTrialBytes = 4096;

// Opens a file for a trial mapping. For a directory, creates a file without a name, which is
// removed when it is closed.
int OpenForTrial(const std::string& path, int* protection) {
  struct stat status;
  *protection = PROT_READ | PROT_WRITE;
  if (stat(path.c_str(), &status) != 0) return -1;
  if (S_ISDIR(status.st_mode)) {
    const int fd = OpenDescriptor(path, O_RDWR | O_TMPFILE, 0600);
    if (fd < 0 || ftruncate(fd, kTrialBytes) == 0) return fd;
    close(fd);
    return -1;
  }
  const int fd = OpenDescriptor(path, O_RDWR);
  if (fd >= 0) return fd;
  *protection = PROT_READ;
  return OpenDescriptor(path, O_RDONLY);
}

// Returns true if all parts can be mapped with MAP_SYNC. For a directory without a pool, says this
// of the files of a new pool there.
bool AllPartsMapSync(const PoolFiles& files, bool if_unknown) {
  std::vector<PoolFiles::Part> parts;
  if (!files.List(&parts).ok()) {
    const bool is_directory = files.kind() == PoolKind::kDirectory && !files.NamesSet();
    return CanMapSync(is_directory ? files.path() : files.directory(), if_unknown);
  }
  return std::all_of(parts.begin(), parts.end(), [if_unknown](const PoolFiles::Part& part) {
    return CanMapSync(part.path, if_unknown);
  });
}

}  // namespace

bool CanMapSync(const std::string& path, bool if_unknown) {
  int protection;
  const Descriptor file(OpenForTrial(path, &protection));
  if (!file.valid()) return if_unknown;
  void* const mapping =
      mmap(nullptr, kTrialBytes, protection, MAP_SHARED_VALIDATE | MAP_SYNC, file.get(), 0);
  if (mapping == MAP_FAILED) return false;
  munmap(mapping, kTrialBytes);
  return true;
}

PoolMedium DecideMedium(const MediumFacts& facts) {
  PoolMedium medium;
  medium.domain = facts.domain;
  const bool is_pmem = facts.is_device || facts.all_parts_map_sync;
  // Memory that does not keep its contents is never treated as persistent memory.
  if (is_pmem && facts.domain != PersistenceDomain::kNone) {
    medium.kind = MediumKind::kPersistentMemory;
    const bool caches_survive = facts.domain == PersistenceDomain::kCpuCache;
    medium.flush = caches_survive ? FlushMethod::kNone : facts.best_flush;
  } else if (facts.assume_pmem || is_pmem) {
    medium.kind = MediumKind::kEmulated;
    medium.flush = facts.best_flush;
  }
  return medium;
}

Status CheckMedium(const PoolMedium& medium, const std::string& name) {
  if (medium.kind != MediumKind::kPersistentMemory || medium.flush != FlushMethod::kNone ||
      medium.domain == PersistenceDomain::kCpuCache) {
    return Status::OK();
  }
  return Status::NotSupported(
      "pool " + name + " is persistent memory that this processor cannot write its caches back to",
      "put the pool on a file system without DAX, or use a processor that has CLFLUSH or DC CVAP");
}

PoolMedium MediumOf(const PoolFiles& files, const DeviceInfo& device, bool assume_pmem) {
  MediumFacts facts;
  const bool is_device = files.kind() == PoolKind::kDevice;
  facts.is_device = is_device && device.keeps_contents;
  facts.all_parts_map_sync = !is_device && AllPartsMapSync(files, device.dax);
  facts.assume_pmem = assume_pmem;
  facts.domain = device.persistence_domain;
  facts.best_flush = BestFlushMethod();
  return DecideMedium(facts);
}

std::string PoolMedium::Name() const {
  if (kind == MediumKind::kPageCache) return "msync";
  if (kind == MediumKind::kEmulated) return "emulated";
  return flush == FlushMethod::kNone ? "eadr" : NameOf(flush);
}

std::string PoolMedium::Text() const {
  if (kind == MediumKind::kPageCache) return "synced like a file (msync)";
  if (kind == MediumKind::kEmulated && domain == PersistenceDomain::kNone) {
    return "emulated: the platform says that nothing survives a power failure";
  }
  if (kind == MediumKind::kEmulated) {
    return "emulated: survives a kill of the process, not a power failure";
  }
  const std::string text = "persistent memory, ";
  switch (domain) {
    case PersistenceDomain::kCpuCache:
      return text + "caches survive a power failure (eADR)";
    case PersistenceDomain::kMemoryController:
      return text + "written back by " + NameOf(flush);
    case PersistenceDomain::kNone:
    case PersistenceDomain::kUnknown:
      break;
  }
  return text + "written back by " + NameOf(flush) +
         "; the platform does not say what survives a power failure";
}

}  // namespace leveldb
