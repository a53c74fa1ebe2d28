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

// A directory is tried with a file without a name, which is gone when it is closed.
int OpenForTrial(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return -1;
  if (!S_ISDIR(status.st_mode)) return OpenDescriptor(path, O_RDWR);
  const int fd = OpenDescriptor(path, O_RDWR | O_TMPFILE, 0600);
  if (fd >= 0 && ftruncate(fd, kTrialBytes) != 0) {
    close(fd);
    return -1;
  }
  return fd;
}

bool AllPartsMapSync(const PoolFiles& files) {
  std::vector<PoolFiles::Part> parts;
  if (!files.List(&parts).ok()) return CanMapSync(files.directory());
  return std::all_of(parts.begin(), parts.end(),
                     [](const PoolFiles::Part& part) { return CanMapSync(part.path); });
}

}  // namespace

bool CanMapSync(const std::string& path) {
  const Descriptor file(OpenForTrial(path));
  if (!file.valid()) return false;
  void* const mapping = mmap(nullptr, kTrialBytes, PROT_READ | PROT_WRITE,
                             MAP_SHARED_VALIDATE | MAP_SYNC, file.get(), 0);
  if (mapping == MAP_FAILED) return false;
  munmap(mapping, kTrialBytes);
  return true;
}

PoolMedium DecideMedium(const MediumFacts& facts) {
  PoolMedium medium;
  medium.domain = facts.domain;
  if (facts.is_device || facts.all_parts_map_sync) {
    medium.kind = MediumKind::kPersistentMemory;
    const bool caches_survive = facts.domain == PersistenceDomain::kCpuCache;
    medium.flush = caches_survive ? FlushMethod::kNone : facts.best_flush;
  } else if (facts.assume_pmem) {
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
  facts.is_device = files.kind() == PoolKind::kDevice;
  facts.all_parts_map_sync = !facts.is_device && AllPartsMapSync(files);
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
      return text + "written back by " + NameOf(flush) +
             "; the platform says that nothing survives a power failure";
    case PersistenceDomain::kUnknown:
      break;
  }
  return text + "written back by " + NameOf(flush) +
         "; the platform does not say what survives a power failure";
}

}  // namespace leveldb
