#include "benchmarks/machine.h"

#include <dlfcn.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <memory>

#include "leveldb/db.h"

namespace leveldb::bench {

namespace {

constexpr char kUnknown[] = "unknown";

// Returns the value of the first "name : value" line of /proc/cpuinfo.
std::string CpuInfo(const std::string& name) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const size_t colon = line.find(": ");
    if (colon != std::string::npos && line.compare(0, name.size(), name) == 0) {
      return line.substr(colon + 2);
    }
  }
  return kUnknown;
}

std::string Kernel() {
  utsname names{};
  if (uname(&names) != 0) return kUnknown;
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string Date() {
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  char text[40] = "";
  if (localtime_r(&now, &local) == nullptr) return kUnknown;
  return std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &local) == 0 ? kUnknown : text;
}

}  // namespace

std::string FileOfSymbol(const char* name) {
  void* const symbol = dlsym(RTLD_DEFAULT, name);
  Dl_info info{};
  if (symbol == nullptr || dladdr(symbol, &info) == 0) return kUnknown;
  const std::unique_ptr<char, void (*)(void*)> path(realpath(info.dli_fname, nullptr), &std::free);
  return path == nullptr ? info.dli_fname : path.get();
}

Machine DescribeMachine() {
  Machine machine;
  machine.cpu_model = CpuInfo("model name");
  machine.cpu_cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  machine.cpu_cache = CpuInfo("cache size");
  machine.kernel = Kernel();
  machine.date = Date();
  machine.library_version = std::to_string(kMajorVersion) + "." + std::to_string(kMinorVersion);
  // The program may be run with any libleveldb of the same binary interface, so only the file tells
  // which one was measured. The C interface's names are the same in all of them.
  machine.library_file = FileOfSymbol("leveldb_open");
  return machine;
}

}  // namespace leveldb::bench
