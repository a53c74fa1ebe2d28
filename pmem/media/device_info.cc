#include "pmem/media/device_info.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "pmem/media/bad_blocks.h"
#include "pmem/media/namespace_info.h"
#include "pmem/media/sysfs.h"
#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

namespace {

// The magic numbers of statfs(2) of file systems that pools are put on.
struct FileSystemName {
  uint32_t magic;
  const char* name;
  bool memory_backed;
};

constexpr FileSystemName kFileSystems[] = {
    {0x01021994, "tmpfs", true}, {0x858458f6, "ramfs", true},      {0x958458f6, "hugetlbfs", true},
    {0x0000ef53, "ext4", false}, {0x58465342, "xfs", false},       {0x9123683e, "btrfs", false},
    {0x2fc12fc1, "zfs", false},  {0x794c7630, "overlayfs", false}, {0xf2f52010, "f2fs", false},
    {0x00006969, "nfs", false},  {0x65735546, "fuse", false},
};

void NameFileSystem(uint32_t magic, DeviceInfo* info) {
  for (const FileSystemName& known : kFileSystems) {
    if (known.magic != magic) continue;
    info->file_system = known.name;
    info->memory_backed = known.memory_backed;
    return;
  }
  char text[32];
  snprintf(text, sizeof(text), "file system 0x%x", magic);
  info->file_system = text;
}

// Returns true if the kernel maps this file directly to the medium.
bool IsDaxFile(const std::string& path) {
  struct statx attributes;
  if (statx(AT_FDCWD, path.c_str(), 0, STATX_BASIC_STATS, &attributes) != 0) return false;
#if defined(STATX_ATTR_DAX)
  return (attributes.stx_attributes & STATX_ATTR_DAX) != 0;
#else
  return false;
#endif
}

// Returns true if the file system is mounted so that files created in it are mapped directly to the
// medium. The kernel reports this only for files, so for a directory the mount options are read.
bool IsOnDaxMount(dev_t device) {
  std::ifstream mounts("/proc/self/mountinfo");
  const std::string wanted = NumberToString(major(device)) + ":" + NumberToString(minor(device));
  std::string line;
  while (std::getline(mounts, line)) {
    if (MountIsDax(line, wanted)) return true;
  }
  return false;
}

// Returns the unit in multiples of which a device is mapped. Kernels report it in the device's
// directory or, before Linux 5.10, in the region's.
uint64_t AlignmentOf(const std::string& directory) {
  constexpr uint64_t kUsual = uint64_t{2} << 20;
  uint64_t alignment;
  for (const char* const name : {"/align", "/../dax_region/align"}) {
    if (ReadSysfsNumber(directory + name, &alignment) && alignment != 0) return alignment;
  }
  return kUsual;
}

Status FindDaxDirectory(const std::string& path, const struct stat& status,
                        std::string* directory) {
  *directory = SysfsDirectory("char", status.st_rdev);
  if (!directory->empty() && LastPart(ResolvedPath(*directory + "/subsystem")) == "dax") {
    return Status::OK();
  }
  return Status::InvalidArgument(path, "is a device, but not of persistent memory");
}

Status DescribeCharacterDevice(const std::string& path, const struct stat& status,
                               NamespaceCatalog* catalog, DeviceInfo* info) {
  std::string directory;
  Status s = FindDaxDirectory(path, status, &directory);
  if (s.ok()) s = MeasureDaxDevice(path, &info->device_bytes, &info->alignment);
  if (!s.ok()) return s;
  info->file_system = "devdax";
  info->dax = true;
  // Other devices are high-bandwidth or volatile memory, or memory that only a request to the host
  // makes durable.
  info->keeps_contents = directory.find("/ndbus") != std::string::npos &&
                         directory.find("/virtio") == std::string::npos;
  catalog->AskAboutDaxDevice(LastPart(directory), info);
  // libndctl lists the bad blocks of block devices only.
  info->bad_blocks = std::max(info->bad_blocks, BadBlocksOfDaxDevice(path, info->device_bytes));
  return Status::OK();
}

}  // namespace

bool MountIsDax(const std::string& line, const std::string& device) {
  std::istringstream words(line);
  std::string number, parent, which, word, options;
  words >> number >> parent >> which;
  while (words >> word) options = word;  // the last word has the file system's options
  if (which != device) return false;
  std::istringstream each(options);
  while (std::getline(each, word, ',')) {
    if (word == "dax" || word == "dax=always") return true;
  }
  return false;
}

Status MeasureDaxDevice(const std::string& path, uint64_t* bytes, uint64_t* alignment) {
  struct stat status;
  std::string directory;
  if (stat(path.c_str(), &status) != 0) return PosixError(path, errno);
  Status s = FindDaxDirectory(path, status, &directory);
  if (!s.ok()) return s;
  if (!ReadSysfsNumber(directory + "/size", bytes)) return PosixError(directory + "/size", EIO);
  *alignment = AlignmentOf(directory);
  return s;
}

Status DescribeDevice(const std::string& path, DeviceInfo* info, NamespaceCatalog* catalog) {
  *info = DeviceInfo();
  NamespaceCatalog own;
  if (catalog == nullptr) catalog = &own;
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return PosixError(path, errno);
  if (S_ISCHR(status.st_mode)) return DescribeCharacterDevice(path, status, catalog, info);

  struct statfs file_system;
  if (statfs(path.c_str(), &file_system) != 0) return PosixError(path, errno);
  NameFileSystem(static_cast<uint32_t>(file_system.f_type), info);
  info->dax = S_ISDIR(status.st_mode) ? IsOnDaxMount(status.st_dev) : IsDaxFile(path);
  info->block_device = LastPart(SysfsDirectory("block", status.st_dev));
  if (!info->block_device.empty()) catalog->AskAboutBlockDevice(info->block_device, info);
  return Status::OK();
}

const char* NameOf(PersistenceDomain domain) {
  switch (domain) {
    case PersistenceDomain::kNone:
      return "none";
    case PersistenceDomain::kMemoryController:
      return "memory_controller";
    case PersistenceDomain::kCpuCache:
      return "cpu_cache";
    case PersistenceDomain::kUnknown:
      break;
  }
  return "";
}

std::string DeviceInfo::Text() const {
  std::string text = file_system;
  if (!block_device.empty()) text += " on " + block_device;
  if (dax) {
    text += ", DAX";
  } else {
    text += memory_backed ? ", in memory" : ", page cache";
  }
  if (!namespace_name.empty()) text += ", namespace " + namespace_name;
  if (!namespace_mode.empty()) text += " (" + namespace_mode + ")";
  if (region_is_read_only) text += ", read-only";
  if (!health.empty()) text += ", health " + health;
  if (bad_blocks != 0) text += ", " + NumberToString(bad_blocks) + " bad blocks";
  return text;
}

}  // namespace leveldb
