#include "pmem/media/namespace_info.h"

#if defined(BUSHSTORE_NDCTL)

#include <daxctl/libdaxctl.h>
#include <dlfcn.h>
#include <ndctl/libndctl.h>

#include <cstdarg>

namespace leveldb {

namespace {

// The functions of both libraries that are used here.
struct NamespaceLibraries {
  decltype(&ndctl_new) new_context;
  decltype(&ndctl_unref) unref;
  decltype(&ndctl_bus_get_first) first_bus;
  decltype(&ndctl_bus_get_next) next_bus;
  decltype(&ndctl_region_get_first) first_region;
  decltype(&ndctl_region_get_next) next_region;
  decltype(&ndctl_region_get_first_dimm) first_dimm;
  decltype(&ndctl_region_get_next_dimm) next_dimm;
  decltype(&ndctl_region_get_persistence_domain) persistence_domain;
  decltype(&ndctl_region_get_ro) region_is_read_only;
  decltype(&ndctl_set_log_fn) set_log;
  decltype(&ndctl_get_daxctl_ctx) daxctl_context;
  decltype(&daxctl_set_log_fn) set_daxctl_log;
  decltype(&ndctl_dimm_get_health) dimm_health;
  decltype(&ndctl_namespace_get_first) first_namespace;
  decltype(&ndctl_namespace_get_next) next_namespace;
  decltype(&ndctl_namespace_get_devname) namespace_name;
  decltype(&ndctl_namespace_get_mode) namespace_mode;
  decltype(&ndctl_namespace_get_block_device) namespace_block_device;
  decltype(&ndctl_namespace_get_pfn) namespace_pfn;
  decltype(&ndctl_namespace_get_btt) namespace_btt;
  decltype(&ndctl_namespace_get_dax) namespace_dax;
  decltype(&ndctl_pfn_get_block_device) pfn_block_device;
  decltype(&ndctl_btt_get_block_device) btt_block_device;
  decltype(&ndctl_dax_get_daxctl_region) dax_region;
  decltype(&ndctl_namespace_get_first_badblock) first_bad_block;
  decltype(&ndctl_namespace_get_next_badblock) next_bad_block;
  decltype(&daxctl_dev_get_first) first_dax_device;
  decltype(&daxctl_dev_get_next) next_dax_device;
  decltype(&daxctl_dev_get_devname) dax_device_name;

  bool complete = true;

  NamespaceLibraries() {
    void* const ndctl = dlopen("libndctl.so.6", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    void* const daxctl = dlopen("libdaxctl.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (ndctl == nullptr || daxctl == nullptr) {
      complete = false;
      return;
    }
    Find(ndctl, "ndctl_new", &new_context);
    Find(ndctl, "ndctl_unref", &unref);
    Find(ndctl, "ndctl_bus_get_first", &first_bus);
    Find(ndctl, "ndctl_bus_get_next", &next_bus);
    Find(ndctl, "ndctl_region_get_first", &first_region);
    Find(ndctl, "ndctl_region_get_next", &next_region);
    Find(ndctl, "ndctl_region_get_first_dimm", &first_dimm);
    Find(ndctl, "ndctl_region_get_next_dimm", &next_dimm);
    Find(ndctl, "ndctl_region_get_persistence_domain", &persistence_domain);
    Find(ndctl, "ndctl_region_get_ro", &region_is_read_only);
    Find(ndctl, "ndctl_set_log_fn", &set_log);
    Find(ndctl, "ndctl_get_daxctl_ctx", &daxctl_context);
    Find(daxctl, "daxctl_set_log_fn", &set_daxctl_log);
    Find(ndctl, "ndctl_dimm_get_health", &dimm_health);
    Find(ndctl, "ndctl_namespace_get_first", &first_namespace);
    Find(ndctl, "ndctl_namespace_get_next", &next_namespace);
    Find(ndctl, "ndctl_namespace_get_devname", &namespace_name);
    Find(ndctl, "ndctl_namespace_get_mode", &namespace_mode);
    Find(ndctl, "ndctl_namespace_get_block_device", &namespace_block_device);
    Find(ndctl, "ndctl_namespace_get_pfn", &namespace_pfn);
    Find(ndctl, "ndctl_namespace_get_btt", &namespace_btt);
    Find(ndctl, "ndctl_namespace_get_dax", &namespace_dax);
    Find(ndctl, "ndctl_pfn_get_block_device", &pfn_block_device);
    Find(ndctl, "ndctl_btt_get_block_device", &btt_block_device);
    Find(ndctl, "ndctl_dax_get_daxctl_region", &dax_region);
    Find(ndctl, "ndctl_namespace_get_first_badblock", &first_bad_block);
    Find(ndctl, "ndctl_namespace_get_next_badblock", &next_bad_block);
    Find(daxctl, "daxctl_dev_get_first", &first_dax_device);
    Find(daxctl, "daxctl_dev_get_next", &next_dax_device);
    Find(daxctl, "daxctl_dev_get_devname", &dax_device_name);
  }

  template <typename Function>
  void Find(void* library, const char* name, Function* function) {
    *function = reinterpret_cast<Function>(dlsym(library, name));
    if (*function == nullptr) complete = false;
  }
};

const NamespaceLibraries* Libraries() {
  static const NamespaceLibraries libraries;
  return libraries.complete ? &libraries : nullptr;
}

// Returns true if `name` is the device or a partition of it: the name of a partition begins with
// the device's.
bool IsPartOf(const std::string& name, const char* device) {
  const std::string whole = device != nullptr ? device : "";
  if (whole.empty() || name.compare(0, whole.size(), whole) != 0) return false;
  const std::string rest = name.substr(whole.size());
  return rest.empty() ||
         (rest[0] == 'p' && rest.find_first_not_of("0123456789", 1) == std::string::npos);
}

bool HoldsBlockDevice(const NamespaceLibraries& lib, ndctl_namespace* ns, const std::string& name) {
  if (ndctl_pfn* const pfn = lib.namespace_pfn(ns))
    return IsPartOf(name, lib.pfn_block_device(pfn));
  if (ndctl_btt* const btt = lib.namespace_btt(ns))
    return IsPartOf(name, lib.btt_block_device(btt));
  return IsPartOf(name, lib.namespace_block_device(ns));
}

bool HoldsDaxDevice(const NamespaceLibraries& lib, ndctl_namespace* ns, const std::string& name) {
  ndctl_dax* const dax = lib.namespace_dax(ns);
  daxctl_region* const region = dax != nullptr ? lib.dax_region(dax) : nullptr;
  if (region == nullptr) return false;
  for (daxctl_dev* device = lib.first_dax_device(region); device != nullptr;
       device = lib.next_dax_device(device)) {
    if (name == lib.dax_device_name(device)) return true;
  }
  return false;
}

const char* ModeName(ndctl_namespace_mode mode) {
  switch (mode) {
    case NDCTL_NS_MODE_FSDAX:
      return "fsdax";
    case NDCTL_NS_MODE_SECTOR:
      return "sector";
    case NDCTL_NS_MODE_RAW:
      return "raw";
    case NDCTL_NS_MODE_DEVDAX:
      return "devdax";
    default:
      return "unknown";
  }
}

// Returns the worst health that the region's modules report; empty if none reports any.
const char* HealthOf(const NamespaceLibraries& lib, ndctl_region* region) {
  unsigned int health = 0;
  bool is_known = false;
  for (ndctl_dimm* dimm = lib.first_dimm(region); dimm != nullptr;
       dimm = lib.next_dimm(region, dimm)) {
    const unsigned int one = lib.dimm_health(dimm);
    if (one == ~0u) continue;  // all bits set: not reported
    health |= one;
    is_known = true;
  }
  if (!is_known) return "";
  if ((health & ND_SMART_FATAL_HEALTH) != 0) return "fatal";
  if ((health & ND_SMART_CRITICAL_HEALTH) != 0) return "critical";
  if ((health & ND_SMART_NON_CRITICAL_HEALTH) != 0) return "not critical";
  return "ok";
}

PersistenceDomain DomainOf(const NamespaceLibraries& lib, ndctl_region* region) {
  switch (lib.persistence_domain(region)) {
    case PERSISTENCE_NONE:
      return PersistenceDomain::kNone;
    case PERSISTENCE_MEM_CTRL:
      return PersistenceDomain::kMemoryController;
    case PERSISTENCE_CPU_CACHE:
      return PersistenceDomain::kCpuCache;
    default:
      return PersistenceDomain::kUnknown;
  }
}

void Describe(const NamespaceLibraries& lib, ndctl_region* region, ndctl_namespace* ns,
              DeviceInfo* info) {
  info->namespace_name = lib.namespace_name(ns);
  info->namespace_mode = ModeName(lib.namespace_mode(ns));
  info->health = HealthOf(lib, region);
  info->persistence_domain = DomainOf(lib, region);
  info->region_is_read_only = lib.region_is_read_only(region) == 1;
  for (const badblock* bad = lib.first_bad_block(ns); bad != nullptr;
       bad = lib.next_bad_block(ns)) {
    info->bad_blocks += bad->len;
  }
}

// Drops the libraries' messages, which otherwise go to the program's standard error.
template <typename Context>
void Discard(Context*, int, const char*, int, const char*, const char*, va_list) {}

using Holds = bool (*)(const NamespaceLibraries&, ndctl_namespace*, const std::string&);

// Searches all namespaces until one holds the device, and describes it.
void Ask(const std::string& name, Holds holds, DeviceInfo* info) {
  const NamespaceLibraries* const lib = Libraries();
  ndctl_ctx* context;
  if (lib == nullptr || lib->new_context(&context) != 0) return;
  lib->set_log(context, &Discard<ndctl_ctx>);
  lib->set_daxctl_log(lib->daxctl_context(context), &Discard<daxctl_ctx>);
  bool found = false;
  for (ndctl_bus* bus = lib->first_bus(context); bus != nullptr && !found;
       bus = lib->next_bus(bus)) {
    for (ndctl_region* region = lib->first_region(bus); region != nullptr && !found;
         region = lib->next_region(region)) {
      for (ndctl_namespace* ns = lib->first_namespace(region); ns != nullptr && !found;
           ns = lib->next_namespace(ns)) {
        found = holds(*lib, ns, name);
        if (found) Describe(*lib, region, ns, info);
      }
    }
  }
  lib->unref(context);
}

void AskLibraries(const std::string& name, bool is_block_device, DeviceInfo* info) {
  Ask(name, is_block_device ? &HoldsBlockDevice : &HoldsDaxDevice, info);
}

}  // namespace

}  // namespace leveldb

#else

namespace leveldb {

namespace {

void AskLibraries(const std::string&, bool, DeviceInfo*) {}

}  // namespace

}  // namespace leveldb

#endif

namespace leveldb {

namespace {

void AskOnce(const std::string& name, bool is_block_device,
             std::map<std::string, DeviceInfo>* answers, DeviceInfo* info) {
  const auto [answer, is_new] = answers->try_emplace(name);
  if (is_new) AskLibraries(name, is_block_device, &answer->second);
  info->namespace_name = answer->second.namespace_name;
  info->namespace_mode = answer->second.namespace_mode;
  info->health = answer->second.health;
  info->bad_blocks = answer->second.bad_blocks;
  info->persistence_domain = answer->second.persistence_domain;
  info->region_is_read_only = answer->second.region_is_read_only;
}

}  // namespace

void NamespaceCatalog::AskAboutBlockDevice(const std::string& name, DeviceInfo* info) {
  // Other devices have no namespace, and a query takes a millisecond.
  if (name.compare(0, 4, "pmem") == 0) AskOnce(name, true, &answers_, info);
}

void NamespaceCatalog::AskAboutDaxDevice(const std::string& name, DeviceInfo* info) {
  AskOnce(name, false, &answers_, info);
}

}  // namespace leveldb
