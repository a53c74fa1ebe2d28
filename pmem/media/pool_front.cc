#include "pmem/media/pool_front.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "util/coding.h"
#include "util/posix_io.h"

namespace leveldb {

namespace {

// The root is among the first objects that libpmemobj allocates, behind its 4 MiB of journals.
constexpr uint64_t kFrontBytes = 8 << 20;
constexpr size_t kRootAlignment = 64;

constexpr size_t kHeaderBytes = 4096;

// libpmemobj's descriptor after the header says where its lanes are. A lane holds three journals,
// one behind the other, each with a head of 64 bytes; the second word of a head is the place at
// which the journal goes on, and 0 if it does not.
constexpr size_t kLanesOffsetAt = 4096 + 1024;
constexpr size_t kLanesAt = 8192;
constexpr size_t kLanes = 1024;
constexpr size_t kLaneBytes = 3072;
constexpr size_t kJournalsAt[] = {0, 64 + 192, 64 + 192 + 64 + 640};
constexpr size_t kNextAt = 8;

}  // namespace

Status PoolFront::Read() {
  const Descriptor file(OpenDescriptor(path_, O_RDONLY));
  if (!file.valid()) return PosixError(path_, errno);
  const size_t wanted = std::min(kFrontBytes, bytes_);
  if (is_device_) {
    // Devices can only be mapped. Files are read: one that shrinks meanwhile must not fault.
    void* const mapping = mmap(nullptr, wanted, PROT_READ, MAP_SHARED, file.get(), 0);
    if (mapping == MAP_FAILED) return PosixError(path_, errno);
    front_.assign(static_cast<const char*>(mapping), wanted);
    munmap(mapping, wanted);
    return Status::OK();
  }
  front_.resize(wanted);
  size_t filled = 0;
  while (filled < wanted) {
    const ssize_t got =
        pread(file.get(), front_.data() + filled, wanted - filled, static_cast<off_t>(filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return PosixError(path_, errno);
    if (got == 0) break;
    filled += static_cast<size_t>(got);
  }
  front_.resize(filled);
  return Status::OK();
}

bool PoolFront::IsBlank() const {
  return front_.find_first_not_of('\0') >= std::min(front_.size(), kHeaderBytes);
}

Status PoolFront::FindRoot(const std::string& name, PoolIdentity* identity,
                           std::string* root) const {
  for (size_t at = 0; at + PoolRoot::kBytes <= front_.size(); at += kRootAlignment) {
    if (memcmp(front_.data() + at, PoolRoot::kMagic, PoolRoot::kMagicBytes) != 0) continue;
    Status s = PoolRoot::ReadIdentity(front_.data() + at, name, identity);
    if (!s.ok()) return s;
    // Data may hold a copy of some root; it does not name this place.
    if (identity->here != at) continue;
    root->assign(front_, at, PoolRoot::kBytes);
    return s;
  }
  return Status::Corruption("no root of a BushStore pool in " + name,
                            "it is damaged, or no pool of ours");
}

Status PoolFront::CheckJournals(const std::string& name) const {
  if (front_.size() < kLanesAt + kLanes * kLaneBytes) {
    return Status::Corruption("pool " + name, "is cut short");
  }
  if (LoadFixed64(front_.data() + kLanesOffsetAt) != kLanesAt ||
      LoadFixed64(front_.data() + kLanesOffsetAt + 8) != kLanes ||
      LoadFixed64(front_.data() + kLanesOffsetAt + 16) != kLanesAt + kLanes * kLaneBytes) {
    return Status::OK();
  }
  for (size_t lane = 0; lane < kLanes; lane++) {
    for (const size_t journal : kJournalsAt) {
      const size_t head = kLanesAt + lane * kLaneBytes + journal;
      if (LoadFixed64(front_.data() + head + kNextAt) == 0) continue;
      return Status::Corruption("pool " + name, "has a damaged journal of libpmemobj");
    }
  }
  return Status::OK();
}

Status PoolFront::Blank() const {
  const size_t bytes = std::min(kFrontBytes, bytes_);
  if (bytes == 0) return Status::OK();
  const Descriptor file(OpenDescriptor(path_, O_RDWR));
  if (!file.valid()) return PosixError(path_, errno);
  void* const mapping = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
  if (mapping == MAP_FAILED) return PosixError(path_, errno);
  memset(mapping, 0, bytes);
  const bool synced = msync(mapping, bytes, MS_SYNC) == 0;
  const int error = errno;
  munmap(mapping, bytes);
  return synced ? Status::OK() : PosixError(path_, error);
}

}  // namespace leveldb
