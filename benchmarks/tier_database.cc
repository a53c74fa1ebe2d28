#include "benchmarks/tier_database.h"

#include <filesystem>
#include <system_error>
#include <vector>

#include "benchmarks/tier_options.h"

// These are null with a library without a tier.
namespace leveldb {
__attribute__((weak)) Status PmemOpen(const Options& options, const PmemOptions& pmem_options,
                                      const std::string& name, PmemDB** dbptr);
__attribute__((weak)) Status DescribePools(const std::string& path,
                                           std::vector<PmemPoolInfo>* pools);
__attribute__((weak)) Status DescribePmemDevice(const std::string& path, PmemDeviceInfo* info);
}  // namespace leveldb

namespace leveldb::bench {

Status OpenWithTier(const Options& options, PmemOptions pmem, const std::string& name,
                    const char* asked_by, DB** db) {
  *db = nullptr;
  if (PmemOpen == nullptr) {
    return Status::NotSupported(asked_by, "the library knows no persistent memory");
  }
  pmem.assume_pmem = IsOnTmpfs(pmem.path);
  PmemDB* opened = nullptr;
  const Status status = PmemOpen(options, pmem, name, &opened);
  *db = opened;
  return status;
}

std::string DescribePoolDevice(const PmemOptions& pmem, const std::string& name) {
  std::string device = IsOnTmpfs(pmem.path) ? "tmpfs" : "unknown";
  std::vector<PmemPoolInfo> pools;
  if (DescribePools != nullptr && DescribePools(pmem.path, &pools).ok()) {
    for (const PmemPoolInfo& pool : pools) {
      std::error_code no_such_path;
      if (!std::filesystem::equivalent(pool.database, name, no_such_path)) continue;
      if (!pool.device.empty()) device = pool.device;
    }
  }
  PmemDeviceInfo info;
  const bool is_known = DescribePmemDevice != nullptr && DescribePmemDevice(name, &info).ok();
  return is_known ? device + "; " + info.medium_text : device;
}

std::string DescribePoolMedium(const std::string& name) {
  PmemDeviceInfo info;
  const bool is_known = DescribePmemDevice != nullptr && DescribePmemDevice(name, &info).ok();
  return is_known ? info.medium : "";
}

}  // namespace leveldb::bench
