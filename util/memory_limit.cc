#include "util/memory_limit.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace leveldb {

namespace {

// Returns the number at the beginning of the file, or UINT64_MAX if there is none: version 2 writes
// "max" for no limit.
uint64_t ReadLimit(const std::string& fname) {
  std::ifstream file(fname);
  uint64_t limit = 0;
  return file >> limit ? limit : UINT64_MAX;
}

// Returns the least limit of the group and its parents. In a container `root` may be the group's
// own directory, with the path as the machine sees it: a file that does not exist sets no limit.
uint64_t LeastLimit(const std::string& root, std::string group, const std::string& file) {
  uint64_t least = ReadLimit(root + "/" + file);
  while (group.size() > 1) {
    least = std::min(least, ReadLimit(root + group + "/" + file));
    group.resize(group.rfind('/'));
  }
  return least;
}

// Returns whether the comma-separated list has the name.
bool Lists(const std::string& list, const std::string& name) {
  return ("," + list + ",").find("," + name + ",") != std::string::npos;
}

uint64_t MachineMemory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return UINT64_MAX;
  return static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes);
}

}  // namespace

uint64_t MemoryLimit() {
  return std::min(MachineMemory(), CgroupMemoryLimit("/proc", "/sys/fs/cgroup"));
}

// Each line of the file is "hierarchy:controllers:/path of the group"; version 2 lists no
// controllers.
uint64_t CgroupMemoryLimit(const std::string& proc, const std::string& cgroup) {
  uint64_t least = UINT64_MAX;
  std::ifstream groups(proc + "/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t list = line.find(':');
    const size_t path = list == std::string::npos ? list : line.find(':', list + 1);
    if (path == std::string::npos || line.compare(path + 1, 1, "/") != 0) continue;
    const std::string controllers = line.substr(list + 1, path - list - 1);
    const std::string group = line.substr(path + 1);
    if (controllers.empty()) {
      least = std::min(least, LeastLimit(cgroup, group, "memory.max"));
      least = std::min(least, LeastLimit(cgroup, group, "memory.high"));
    } else if (Lists(controllers, "memory")) {
      least = std::min(least, LeastLimit(cgroup + "/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace leveldb
