// libpmemobj 1 with the refusals of libpmemobj 2, which is in no Debian release yet. With its
// libpmemobj.so.1 first on the search path of libraries, pools obey the rules of 2.1.2 on a device
// that keeps no count of unsafe shutdowns:
//   * a pool is made only while the setting sds.at_create is 0;
//   * a pool is opened only while it is 0, and only if the pool has no unsafe-shutdown state.
#include <dlfcn.h>
#include <fcntl.h>
#include <libpmemobj.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

// Returns the real library's function of that name.
template <typename Function>
Function Real(Function, const char* name) {
  static void* const library = dlopen(BUSHSTORE_REAL_PMEMOBJ, RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, name);
  if (symbol == nullptr) {
    std::fprintf(stderr, "%s has no %s\n", BUSHSTORE_REAL_PMEMOBJ, name);
    std::abort();
  }
  return reinterpret_cast<Function>(symbol);
}

#define REAL(function) Real(&function, #function)

thread_local const char* refusal = nullptr;

bool ShutdownsAreCounted() {
  int at_create = 1;
  REAL(pmemobj_ctl_get)(nullptr, "sds.at_create", &at_create);
  return at_create != 0;
}

// Returns the first file of a pool; for a poolset, its name is derived from the set's.
std::string FirstFile(const std::string& path) {
  const std::string suffix = ".set";
  const bool is_set = path.size() > suffix.size() &&
                      path.compare(path.size() - suffix.size(), suffix.size(), suffix) == 0;
  return is_set ? path.substr(0, path.size() - suffix.size()) + ".pool/000000.pmem" : path;
}

bool HasShutdownState(const char* path) {
  constexpr off_t kIncompatibleAt = 16;
  constexpr uint32_t kShutdownState = 4;
  uint32_t features = 0;
  const int fd = open(FirstFile(path).c_str(), O_RDONLY);
  if (fd < 0) return false;
  const bool is_read = pread(fd, &features, sizeof(features), kIncompatibleAt) == sizeof(features);
  close(fd);
  return is_read && (features & kShutdownState) != 0;
}

PMEMobjpool* Refuse(const char* why) {
  refusal = why;
  errno = EINVAL;
  return nullptr;
}

}  // namespace

#pragma GCC visibility push(default)

extern "C" {

PMEMobjpool* pmemobj_create(const char* path, const char* layout, size_t poolsize, mode_t mode) {
  if (ShutdownsAreCounted()) return Refuse("the device has no unsafe shutdown count");
  refusal = nullptr;
  return REAL(pmemobj_create)(path, layout, poolsize, mode);
}

PMEMobjpool* pmemobj_open(const char* path, const char* layout) {
  if (ShutdownsAreCounted()) return Refuse("the device has no unsafe shutdown count");
  if (HasShutdownState(path)) return Refuse("the pool has an unsafe-shutdown state");
  refusal = nullptr;
  return REAL(pmemobj_open)(path, layout);
}

const char* pmemobj_errormsg(void) {
  return refusal != nullptr ? refusal : REAL(pmemobj_errormsg)();
}

void pmemobj_close(PMEMobjpool* pool) {
  REAL(pmemobj_close)(pool);
}

int pmemobj_ctl_get(PMEMobjpool* pool, const char* name, void* value) {
  return REAL(pmemobj_ctl_get)(pool, name, value);
}

int pmemobj_ctl_set(PMEMobjpool* pool, const char* name, void* value) {
  return REAL(pmemobj_ctl_set)(pool, name, value);
}

int pmemobj_ctl_exec(PMEMobjpool* pool, const char* name, void* value) {
  return REAL(pmemobj_ctl_exec)(pool, name, value);
}

PMEMoid pmemobj_root(PMEMobjpool* pool, size_t size) {
  return REAL(pmemobj_root)(pool, size);
}

int pmemobj_alloc(PMEMobjpool* pool, PMEMoid* object, size_t size, uint64_t type,
                  pmemobj_constr constructor, void* argument) {
  return REAL(pmemobj_alloc)(pool, object, size, type, constructor, argument);
}

PMEMoid pmemobj_first(PMEMobjpool* pool) {
  return REAL(pmemobj_first)(pool);
}

PMEMoid pmemobj_next(PMEMoid object) {
  return REAL(pmemobj_next)(object);
}

size_t pmemobj_alloc_usable_size(PMEMoid object) {
  return REAL(pmemobj_alloc_usable_size)(object);
}

PMEMoid pmemobj_reserve(PMEMobjpool* pool, struct pobj_action* action, size_t size, uint64_t type) {
  return REAL(pmemobj_reserve)(pool, action, size, type);
}

void pmemobj_cancel(PMEMobjpool* pool, struct pobj_action* actions, size_t count) {
  REAL(pmemobj_cancel)(pool, actions, count);
}

}  // extern "C"

#pragma GCC visibility pop
