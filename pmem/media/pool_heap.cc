#include "pmem/media/pool_heap.h"

#include <dlfcn.h>
#include <libpmemobj.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>

#include "leveldb/slice.h"
#include "pmem/media/steady_mmap.h"
#include "port/import_binding.h"
#include "port/mutex.h"

namespace leveldb {

namespace {

constexpr char kLibraryName[] = "libpmemobj.so.1";
constexpr uint64_t kSlabType = 1;
// The header that libpmemobj puts before each object: objects that fill whole chunks together with
// it waste nothing.
constexpr uint64_t kObjectHeaderBytes = 16;

template <typename Function>
bool FindSymbol(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

}  // namespace

struct PoolHeap::Library {
  decltype(&pmemobj_create) create;
  decltype(&pmemobj_open) open;
  decltype(&pmemobj_close) close;
  decltype(&pmemobj_errormsg) errormsg;
  decltype(&pmemobj_ctl_set) ctl_set;
  decltype(&pmemobj_ctl_exec) ctl_exec;
  decltype(&pmemobj_root) root;
  decltype(&pmemobj_alloc) alloc;
  decltype(&pmemobj_first) first;
  decltype(&pmemobj_next) next;
  decltype(&pmemobj_alloc_usable_size) alloc_usable_size;
  decltype(&pmemobj_reserve) reserve;
  decltype(&pmemobj_cancel) cancel;
  decltype(&pmemobj_ctl_get) ctl_get;

  Status failure;

  Library() {
    void* const self = dlopen(kLibraryName, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (self == nullptr) {
      const char* const why = dlerror();
      failure =
          Status::NotSupported("persistent memory needs libpmemobj.so.1 (install libpmemobj1)",
                               why != nullptr ? why : "");
      return;
    }
    if (!FindSymbol(self, "pmemobj_create", &create) || !FindSymbol(self, "pmemobj_open", &open) ||
        !FindSymbol(self, "pmemobj_close", &close) ||
        !FindSymbol(self, "pmemobj_errormsg", &errormsg) ||
        !FindSymbol(self, "pmemobj_ctl_set", &ctl_set) ||
        !FindSymbol(self, "pmemobj_ctl_get", &ctl_get) ||
        !FindSymbol(self, "pmemobj_ctl_exec", &ctl_exec) ||
        !FindSymbol(self, "pmemobj_root", &root) || !FindSymbol(self, "pmemobj_alloc", &alloc) ||
        !FindSymbol(self, "pmemobj_first", &first) || !FindSymbol(self, "pmemobj_next", &next) ||
        !FindSymbol(self, "pmemobj_alloc_usable_size", &alloc_usable_size) ||
        !FindSymbol(self, "pmemobj_reserve", &reserve) ||
        !FindSymbol(self, "pmemobj_cancel", &cancel)) {
      failure = Status::NotSupported("libpmemobj.so.1 lacks a function", dlerror());
      return;
    }
    // The import has either name, depending on how libpmemobj was compiled. If neither can be
    // bound, pools on a disk are opened and grown with libpmemobj's own calls of mmap.
    for (const char* const name : {"mmap", "mmap64"}) {
      static_cast<void>(BindImport(reinterpret_cast<const void*>(open), name,
                                   reinterpret_cast<const void*>(&SteadyMmap)));
    }
  }
};

// While one exists, libpmemobj neither counts unsafe shutdowns in the pools that it creates nor
// refuses to open pools without the count: see pool_header.h. The setting belongs to the process,
// which may have pools of its own, so it is restored. A libpmemobj that does not know the setting
// has no count.
class PoolHeap::WithoutShutdownState {
 public:
  explicit WithoutShutdownState(const Library& library) : library_(library), lock_(&TheMutex()) {
    is_known_ = library_.ctl_get(nullptr, kSetting, &before_) == 0;
    int off = 0;
    if (is_known_) library_.ctl_set(nullptr, kSetting, &off);
  }
  ~WithoutShutdownState() {
    if (is_known_) library_.ctl_set(nullptr, kSetting, &before_);
  }
  WithoutShutdownState(const WithoutShutdownState&) = delete;
  WithoutShutdownState& operator=(const WithoutShutdownState&) = delete;

 private:
  static constexpr char kSetting[] = "sds.at_create";

  static Mutex& TheMutex() {
    static Mutex mutex;
    return mutex;
  }

  const Library& library_;
  const MutexLock lock_;
  bool is_known_;
  int before_ = 1;
};

Status PoolHeap::Load(const Library** library) {
  static const Library loaded;
  *library = &loaded;
  return loaded.failure;
}

// Returns the error of a failed libpmemobj call. libpmemobj's message becomes part of the status
// message; errno determines the kind. EINVAL, or no errno, means that libpmemobj does not accept
// the pool. Every other value is an error of the system, which says nothing about the pool.
Status PoolHeap::Failure(const Library& library, const std::string& context) {
  const int error = errno;
  const char* const message = library.errormsg();
  const std::string why = message != nullptr ? message : "";
  switch (error) {
    case EAGAIN:
      return Status::IOError("pool " + context +
                                 " is busy: another process, or another database of this one, "
                                 "has it open, and has to close it first",
                             why);
    case ENOENT:
      return Status::NotFound("pool " + context, why);
    case 0:
    case EINVAL:
      return Status::Corruption("pool " + context, why);
    default:
      return Status::IOError("pool " + context, why);
  }
}

PoolHeap::PoolHeap(const Library* library, const std::string& path, void* pool)
    : library_(library), path_(path), pool_(pool) {}

PoolHeap::~PoolHeap() {
  library_->close(static_cast<PMEMobjpool*>(pool_));
}

Status PoolHeap::Configure() {
  uint64_t no_automatic_growth = 0;
  if (library_->ctl_set(static_cast<PMEMobjpool*>(pool_), "heap.size.granularity",
                        &no_automatic_growth) != 0) {
    return Status::IOError("pool " + path_, "libpmemobj does not take a setting");
  }
  return Status::OK();
}

Status PoolHeap::Create(const std::string& path, uint64_t bytes, std::unique_ptr<PoolHeap>* heap) {
  const Library* library;
  Status s = Load(&library);
  if (!s.ok()) return s;
  const WithoutShutdownState without(*library);
  errno = 0;
  PMEMobjpool* const pool = library->create(path.c_str(), kLayout, bytes, 0600);
  if (pool == nullptr) return Failure(*library, path);
  heap->reset(new PoolHeap(library, path, pool));
  return (*heap)->Configure();
}

Status PoolHeap::Open(const std::string& path, std::unique_ptr<PoolHeap>* heap) {
  const Library* library;
  Status s = Load(&library);
  if (!s.ok()) return s;
  const WithoutShutdownState without(*library);
  errno = 0;
  PMEMobjpool* const pool = library->open(path.c_str(), kLayout);
  if (pool == nullptr) return Failure(*library, path);
  heap->reset(new PoolHeap(library, path, pool));
  return (*heap)->Configure();
}

Status PoolHeap::Root(size_t bytes, PoolOffset* pool_offset, uint64_t* pool_number) {
  errno = 0;
  const PMEMoid root = library_->root(static_cast<PMEMobjpool*>(pool_), bytes);
  if (root.off == 0) return Failure(*library_, path_);
  *pool_offset = root.off;
  *pool_number = root.pool_uuid_lo;
  return Status::OK();
}

Status PoolHeap::Extend(uint64_t bytes) {
  assert(bytes % kPartBytes == 0);
  errno = 0;
  if (library_->ctl_exec(static_cast<PMEMobjpool*>(pool_), "heap.size.extend", &bytes) == 0) {
    return Status::OK();
  }
  const std::string error = errno != 0 ? strerror(errno) : "";
  const char* const message = library_->errormsg();
  return Status::IOError("pool " + path_ + " cannot grow",
                         (message != nullptr ? message : "") + (": " + error));
}

uint64_t PoolHeap::LargestObject(uint64_t at_most) const {
  // Binary search over numbers of chunks: `fits` fit, `too_many` do not.
  uint64_t fits = 0;
  uint64_t too_many = (at_most + kObjectHeaderBytes) / kChunkBytes + 1;
  while (too_many - fits > 1) {
    const uint64_t chunks = fits + (too_many - fits) / 2;
    pobj_action action;
    const PMEMoid object = library_->reserve(static_cast<PMEMobjpool*>(pool_), &action,
                                             chunks * kChunkBytes - kObjectHeaderBytes, kSlabType);
    if (object.off != 0) {
      library_->cancel(static_cast<PMEMobjpool*>(pool_), &action, 1);
      fits = chunks;
    } else {
      too_many = chunks;
    }
  }
  return fits == 0 ? 0 : fits * kChunkBytes - kObjectHeaderBytes;
}

Status PoolHeap::Allocate(void* object, uint64_t bytes) {
  static_assert(sizeof(PMEMoid) == 16);
  if (library_->alloc(static_cast<PMEMobjpool*>(pool_), static_cast<PMEMoid*>(object), bytes,
                      kSlabType, nullptr, nullptr) != 0) {
    const char* const message = library_->errormsg();
    return Status::IOError("pool " + path_ + " has no room for a slab",
                           message != nullptr ? message : "");
  }
  return Status::OK();
}

// Walks the objects, because libpmemobj takes any offset that it is given for an object's and reads
// what is before it.
uint64_t PoolHeap::ObjectBytes(PoolOffset pool_offset) const {
  PMEMoid object = library_->first(static_cast<PMEMobjpool*>(pool_));
  while (object.off != 0 && object.off != pool_offset) object = library_->next(object);
  return object.off == 0 ? 0 : library_->alloc_usable_size(object);
}

}  // namespace leveldb
