#include "benchmarks/tier_options.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "leveldb/slice.h"
#include "util/text.h"

namespace leveldb::bench {

namespace {

constexpr uint64_t kPoolBytesMin = uint64_t{8} << 20;
constexpr uint64_t kWalPersistBytesMax = uint64_t{1} << 30;
constexpr double kGcRatioMin = 0.01;
constexpr char kPlaceOfMemoryFiles[] = "/dev/shm";

// Returns the error of a share that must be in [least, 1], or "".
std::string BadShare(const std::string& option, double value, double least) {
  if (value >= least && value <= 1) return "";
  char text[80];
  std::snprintf(text, sizeof(text), " must be from %g to 1, and is %g", least, value);
  return option + text;
}

std::string BadSpill(const PmemOptions& pmem, const std::string& prefix) {
  if (pmem.spill_stop <= pmem.spill_start) return "";
  return prefix + "spill_stop must be at most " + prefix + "spill_start";
}

std::string BadSizes(const PmemOptions& pmem, const std::string& prefix) {
  if (pmem.size != 0 && pmem.size < kPoolBytesMin) return prefix + "pm_size must be at least 8M";
  if (pmem.wal_persist_bytes > kWalPersistBytesMax) {
    return prefix + "wal_persist_bytes must be at most 1G";
  }
  return "";
}

}  // namespace

std::string DefaultPoolPath() {
  const char* const path = std::getenv("LEVELDB_PMEM_PATH");
  return path != nullptr && *path != '\0' ? path : kPlaceOfMemoryFiles;
}

bool IsOnTmpfs(const std::string& path) {
  struct statfs system {};
  std::filesystem::path place(path);
  // The file system of /dev is a tmpfs, too, and contains DAX devices.
  std::error_code error;
  if (std::filesystem::is_character_file(place, error)) return false;
  while (statfs(place.c_str(), &system) != 0) {
    if (!place.has_parent_path() || place == place.parent_path()) return false;
    place = place.parent_path();
  }
  return static_cast<uint64_t>(system.f_type) == TMPFS_MAGIC;
}

bool ParseSize(const std::string& text, uint64_t* bytes) {
  Slice rest(text);
  uint64_t number = 0;
  if (!ConsumeDecimal(&rest, &number) || rest.size() > 1) return false;
  int shift = 0;
  if (!rest.empty()) {
    switch (rest[0]) {
      case 'k':
      case 'K':
        shift = 10;
        break;
      case 'm':
      case 'M':
        shift = 20;
        break;
      case 'g':
      case 'G':
        shift = 30;
        break;
      default:
        return false;
    }
  }
  if (number > UINT64_MAX >> shift) return false;
  *bytes = number << shift;
  return true;
}

std::string FormatSize(uint64_t bytes) {
  const struct {
    int shift;
    const char* unit;
  } units[] = {{30, "GiB"}, {20, "MiB"}, {10, "KiB"}};
  char text[40];
  for (const auto& [shift, unit] : units) {
    const uint64_t one = uint64_t{1} << shift;
    if (bytes < one) continue;
    std::snprintf(text, sizeof(text), "%.4g %s",
                  static_cast<double>(bytes) / static_cast<double>(one), unit);
    return text;
  }
  return std::to_string(bytes) + " bytes";
}

std::string FindTierMistake(const PmemOptions& pmem, const std::string& prefix) {
  for (const std::string& mistake :
       {BadSizes(pmem, prefix), BadShare(prefix + "gc_ratio", pmem.gc_ratio, kGcRatioMin),
        BadShare(prefix + "spill_start", pmem.spill_start, 0),
        BadShare(prefix + "spill_stop", pmem.spill_stop, 0), BadSpill(pmem, prefix)}) {
    if (!mistake.empty()) return mistake;
  }
  return "";
}

}  // namespace leveldb::bench
