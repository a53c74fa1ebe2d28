#include "pmem/media/namespace_info.h"

#if defined(BUSHSTORE_NDCTL)

#include <daxctl/libdaxctl.h>
#include <dlfcn.h>
#include <ndctl/libndctl.h>

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

// The names of partitions begin with the device's.
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

// The worst of what the region's modules say of themselves.
const char* HealthOf(const NamespaceLibraries& lib, ndctl_region* region) {
  unsigned int health = 0;
  for (ndctl_dimm* dimm = lib.first_dimm(region); dimm != nullptr;
       dimm = lib.next_dimm(region, dimm)) {
    const unsigned int one = lib.dimm_health(dimm);
    if (one != ~0u) health |= one;  // All bits: it does not say.
  }
  if ((health & ND_SMART_FATAL_HEALTH) != 0) return "fatal";
  if ((health & ND_SMART_CRITICAL_HEALTH) != 0) return "critical";
  if ((health & ND_SMART_NON_CRITICAL_HEALTH) != 0) return "not critical";
  return "ok";
}

void Describe(const NamespaceLibraries& lib, ndctl_region* region, ndctl_namespace* ns,
              DeviceInfo* info) {
  info->namespace_name = lib.namespace_name(ns);
  info->namespace_mode = ModeName(lib.namespace_mode(ns));
  info->health = HealthOf(lib, region);
  for (const badblock* bad = lib.first_bad_block(ns); bad != nullptr;
       bad = lib.next_bad_block(ns)) {
    info->bad_blocks += bad->len;
  }
}

using Holds = bool (*)(const NamespaceLibraries&, ndctl_namespace*, const std::string&);

// Walks all namespaces until one holds the device.
void Ask(const std::string& name, Holds holds, DeviceInfo* info) {
  const NamespaceLibraries* const lib = Libraries();
  ndctl_ctx* context;
  if (lib == nullptr || lib->new_context(&context) != 0) return;
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

}  // namespace

void AskAboutBlockDevice(const std::string& name, DeviceInfo* info) {
  // Others have no namespace, and asking takes a millisecond.
  if (name.compare(0, 4, "pmem") == 0) Ask(name, &HoldsBlockDevice, info);
}

void AskAboutDaxDevice(const std::string& name, DeviceInfo* info) {
  Ask(name, &HoldsDaxDevice, info);
}

}  // namespace leveldb

#else

namespace leveldb {

void AskAboutBlockDevice(const std::string&, DeviceInfo*) {}

void AskAboutDaxDevice(const std::string&, DeviceInfo*) {}

}  // namespace leveldb

#endif
