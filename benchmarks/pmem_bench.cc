// pmem_bench measures the limits of the medium under a pool, so that every result of db_bench can
// be expressed as a ratio to them, measured on the same machine in the same minute.
//
//   pmem_bench --pm_path=/dev/shm --size=1G
//
// It makes a file in the directory, maps it as a pool is mapped, and writes to it through the same
// interface as the tier (pmem/media/persist.h); that is why it includes the library's internals.
// Each figure is taken --rounds times; the program prints the best and the median, in nanoseconds.
#include <fcntl.h>
#include <gflags/gflags.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/json_writer.h"
#include "benchmarks/paced_time.h"
#include "benchmarks/tier_options.h"
#include "pmem/media/device_info.h"
#include "pmem/media/persist.h"
#include "pmem/media/pool_medium.h"
#include "util/crc32c.h"
#include "util/random.h"

DEFINE_string(pm_path, "", "directory on the medium; empty: LEVELDB_PMEM_PATH, otherwise /dev/shm");
DEFINE_string(disk_path, "", "directory on a disk, for the cost of fdatasync; empty: not measured");
DEFINE_string(size, "1G", "bytes of the file, also with K, M or G; well above the CPU's caches");
DEFINE_int32(rounds, 5, "how often each figure is taken");
DEFINE_bool(huge_pages, false, "advise the kernel to map the file with huge pages");
DEFINE_string(json, "", "write the figures to this file, too");

namespace leveldb::bench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kLine = 64;
constexpr size_t kPage = 4096;
constexpr size_t kKib = 1024;
// The size of a value of 1 KiB and a record around it that holds its key.
constexpr size_t kAppendBytes = 1088;
constexpr size_t kSources = 32;  // the appended data is in the first-level cache
// Sizes of appends that are fenced one by one.
constexpr size_t kGranularities[] = {64, 256, 1024, 4096, 16384, 65536, 524288};
constexpr uint64_t kGranularityBytes = uint64_t{64} << 20;  // bytes written with each granularity
constexpr size_t kFences = 1'000'000;
constexpr size_t kRandomReads = 200'000;
constexpr size_t kDependentReads = 2'000'000;
constexpr size_t kSyncs = 20;
constexpr uint64_t kSizeMin = uint64_t{16} << 20;

[[noreturn]] void Die(const std::string& what, const std::string& why = std::strerror(errno)) {
  std::fprintf(stderr, "pmem_bench: %s: %s.\n", what.c_str(), why.c_str());
  std::exit(1);
}

// Keeps the optimizer from removing a computation.
template <typename T>
void Use(const T& value) {
  asm volatile("" : : "r"(value) : "memory");
}

// ScratchFile is a file without a name, of a given size.
class ScratchFile {
 public:
  ScratchFile(const std::string& directory, uint64_t size) : path_(directory) {
    std::string name = directory + "/pmem_bench.XXXXXX";
    descriptor_ = mkstemp(name.data());
    if (descriptor_ < 0) Die("cannot make a file in " + directory);
    unlink(name.c_str());
    if (ftruncate(descriptor_, static_cast<off_t>(size)) != 0) Die("cannot size " + name);
  }
  ~ScratchFile() { close(descriptor_); }

  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::string& directory() const { return path_; }

  // Frees all its memory, so that it is fresh again.
  void Renew(uint64_t size) const {
    if (ftruncate(descriptor_, 0) != 0 || ftruncate(descriptor_, static_cast<off_t>(size)) != 0) {
      Die("cannot size a file in " + path_);
    }
  }

 private:
  const std::string path_;
  int descriptor_ = -1;
};

// Mapping is the file in memory, mapped as a pool would be: with MAP_SYNC if the file system is
// DAX.
class Mapping {
 public:
  Mapping(const ScratchFile& file, uint64_t size) : size_(size) {
    const int protection = PROT_READ | PROT_WRITE;
    void* address =
        mmap(nullptr, size, protection, MAP_SHARED_VALIDATE | MAP_SYNC, file.descriptor(), 0);
    is_dax_ = address != MAP_FAILED;
    if (!is_dax_) address = mmap(nullptr, size, protection, MAP_SHARED, file.descriptor(), 0);
    if (address == MAP_FAILED) Die("cannot map a file in " + file.directory());
    base_ = static_cast<char*>(address);
    if (FLAGS_huge_pages && madvise(base_, size, MADV_HUGEPAGE) != 0) Die("no huge pages");
  }
  ~Mapping() { munmap(base_, size_); }

  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  char* base() const { return base_; }
  bool is_dax() const { return is_dax_; }

  void TouchAll() const {
    for (uint64_t i = 0; i < size_; i += kPage) static_cast<volatile char*>(base_)[i] = 1;
  }

 private:
  const uint64_t size_;
  char* base_ = nullptr;
  bool is_dax_ = false;
};

// Returns the nanoseconds of each of `count` operations.
double NanosEach(uint64_t count, const std::function<void()>& work) {
  const Clock::time_point began = Clock::now();
  work();
  const std::chrono::duration<double, std::nano> taken = Clock::now() - began;
  return taken.count() / static_cast<double>(count);
}

struct Figure {
  std::string name;
  std::string what;
  double best_nanos;
  double median_nanos;
};

// Limits takes the figures one after the other and stores them.
class Limits {
 public:
  // Takes a figure; `round` returns nanoseconds.
  void Take(const std::string& name, const std::string& what,
            const std::function<double()>& round) {
    std::vector<double> rounds;
    for (int i = 0; i < FLAGS_rounds; ++i) rounds.push_back(round());
    std::sort(rounds.begin(), rounds.end());
    Add({name, what, rounds.front(), rounds[rounds.size() / 2]});
  }

  // Takes a figure at the processor's full speed, which is a figure, too: that of all rounds
  // together, so there is no separate best. `round` counts operations.
  void TakePaced(const std::string& name, const std::string& what,
                 const std::function<void(PacedTime*)>& round) {
    PacedTime all;
    for (int i = 0; i < FLAGS_rounds; ++i) {
      PacedTime time;
      time.Start();
      round(&time);
      all.Merge(time);
    }
    const PacedTime::Result result = all.Sum();
    const double nanos = 1e3 * result.micros_per_operation;
    Add({name + "_paced", what + ", at the best pace", nanos, nanos});
    Add({name + "_pace", "  the arithmetic that tells so", result.pace_nanos, result.pace_nanos});
  }

  const std::vector<Figure>& figures() const { return figures_; }

 private:
  void Add(const Figure& figure) {
    figures_.push_back(figure);
    std::printf("%-64s %12.1f %12.1f\n", figure.what.c_str(), figure.best_nanos,
                figure.median_nanos);
    std::fflush(stdout);
  }

  std::vector<Figure> figures_;
};

// Measures fresh memory: the kernel finds and clears a page at its first touch, and at the first
// touch in another mapping only enters it there.
void TakeFirstTouch(const ScratchFile& file, uint64_t size, Limits* limits) {
  const uint64_t kib = size / kKib;
  limits->Take("first_touch_kib", "first touch of fresh memory, per KiB", [&file, size, kib] {
    file.Renew(size);
    const Mapping mapping(file, size);
    return NanosEach(kib, [&mapping] { mapping.TouchAll(); });
  });
  limits->Take("remap_touch_kib", "first touch of memory written before, mapped again, per KiB",
               [&file, size, kib] {
                 const Mapping mapping(file, size);
                 return NanosEach(kib, [&mapping] { mapping.TouchAll(); });
               });
}

// Measures consecutive appends of records, as to a log or a value extent.
void TakeAppends(const Mapping& mapping, uint64_t size, Persist* persist, Limits* limits) {
  std::string sources(kSources * kAppendBytes, '\0');
  Random random(301);
  for (char& byte : sources) byte = static_cast<char>(random.Next());

  const uint64_t count = size / kAppendBytes;
  const auto append_all = [&](bool with_crc, bool with_fence, PacedTime* time) {
    char* to = mapping.base();
    for (uint64_t i = 0; i < count; ++i, to += kAppendBytes) {
      const char* const from = sources.data() + i % kSources * kAppendBytes;
      if (with_crc) Use(crc32c::Value(from, kAppendBytes));
      persist->Copy(to, from, kAppendBytes);
      if (with_fence) persist->Fence();
      if (time != nullptr) time->Add(1);
    }
    persist->Fence();
  };
  const auto append = [&](bool with_crc, bool with_fence) {
    return NanosEach(count, [&] { append_all(with_crc, with_fence, nullptr); });
  };
  limits->Take("append", "append 1,088 bytes", [&append] { return append(false, false); });
  limits->Take("append_crc", "append 1,088 bytes with a CRC",
               [&append] { return append(true, false); });
  limits->Take("append_fence", "append 1,088 bytes and fence",
               [&append] { return append(false, true); });
  limits->Take("append_crc_fence", "append 1,088 bytes with a CRC, and fence",
               [&append] { return append(true, true); });
  limits->TakePaced("append_fence", "append 1,088 bytes and fence",
                    [&](PacedTime* time) { append_all(false, true, time); });
  limits->TakePaced("append_crc_fence", "append 1,088 bytes with a CRC, and fence",
                    [&](PacedTime* time) { append_all(true, true, time); });
  limits->Take("append_sync", "append 1,088 bytes and sync", [&] {
    return NanosEach(kSyncs, [&] {
      for (size_t i = 0; i < kSyncs; ++i) {
        persist->Copy(mapping.base() + i * kAppendBytes, sources.data(), kAppendBytes);
        const Status status = persist->Sync();
        if (!status.ok()) Die("cannot sync", status.ToString());
      }
    });
  });
}

// Measures what a larger granularity saves: the same bytes with fewer fences.
void TakeGranularities(const Mapping& mapping, uint64_t size, Persist* persist, Limits* limits) {
  std::string source(std::ranges::max(kGranularities), '\0');
  Random random(304);
  for (char& byte : source) byte = static_cast<char>(random.Next());

  for (const size_t bytes : kGranularities) {
    const uint64_t count = std::min(size, kGranularityBytes) / bytes;
    limits->Take("append_fence_" + std::to_string(bytes),
                 "append " + std::to_string(bytes) + " bytes and fence", [&, bytes, count] {
                   return NanosEach(count, [&, bytes, count] {
                     char* to = mapping.base();
                     for (uint64_t i = 0; i < count; ++i, to += bytes) {
                       persist->Copy(to, source.data(), bytes);
                       persist->Fence();
                     }
                   });
                 });
  }
  limits->Take("fence", "fence with nothing to wait for", [persist] {
    return NanosEach(kFences, [persist] {
      for (size_t i = 0; i < kFences; ++i) persist->Fence();
    });
  });
}

// Writes the number of the next line to each line: one cycle through all of them, in an order that
// no prefetcher predicts (Sattolo's shuffle).
void WriteCycle(const Mapping& mapping, uint64_t lines) {
  std::vector<uint32_t> next(lines);
  std::iota(next.begin(), next.end(), 0);
  Random random(302);
  for (uint64_t i = lines - 1; i > 0; --i) std::swap(next[i], next[random.Uniform(i)]);
  for (uint64_t i = 0; i < lines; ++i) {
    std::memcpy(mapping.base() + i * kLine, &next[i], sizeof(next[i]));
  }
}

void TakeCacheMiss(const Mapping& mapping, uint64_t size, Limits* limits) {
  WriteCycle(mapping, size / kLine);
  uint32_t line = 0;
  const auto follow = [&mapping, &line](PacedTime* time) {
    for (size_t i = 0; i < kDependentReads; ++i) {
      std::memcpy(&line, mapping.base() + line * kLine, sizeof(line));
      if (time != nullptr) time->Add(1);
    }
    Use(line);
  };
  limits->Take("dependent_miss", "one dependent cache miss",
               [&follow] { return NanosEach(kDependentReads, [&follow] { follow(nullptr); }); });
  limits->TakePaced("dependent_miss", "one dependent cache miss", follow);
}

// Reads values of 1 KiB at random positions, independent of each other, so that misses overlap.
void TakeRandomReads(const Mapping& mapping, uint64_t size, Limits* limits) {
  Random random(303);
  std::vector<uint64_t> places(kRandomReads);
  const auto read = [&](const std::function<uint64_t(const char*)>& look) {
    for (uint64_t& place : places) place = random.Uniform(size / kKib) * kKib;
    return NanosEach(kRandomReads, [&] {
      uint64_t sum = 0;
      for (const uint64_t place : places) sum += look(mapping.base() + place);
      Use(sum);
    });
  };
  const auto touch = [](const char* value, size_t bytes) {
    uint64_t sum = 0;
    for (size_t i = 0; i < bytes; i += kLine) sum += static_cast<unsigned char>(value[i]);
    return sum;
  };
  limits->Take("touch_line", "one line of a random 1 KiB value",
               [&] { return read([&touch](const char* value) { return touch(value, 1); }); });
  limits->Take("touch_value", "all lines of a random 1 KiB value",
               [&] { return read([&touch](const char* value) { return touch(value, kKib); }); });
  limits->Take("crc_value", "CRC of a random 1 KiB value", [&] {
    return read([](const char* value) -> uint64_t { return crc32c::Value(value, kKib); });
  });
}

void TakeSequentialRead(const Mapping& mapping, uint64_t size, Limits* limits) {
  limits->Take("sequential_read_kib", "sequential read, per KiB", [&mapping, size] {
    return NanosEach(size / kKib, [&mapping, size] {
      uint64_t sum = 0;
      for (uint64_t at = 0; at < size; at += sizeof(uint64_t)) {
        uint64_t word;
        std::memcpy(&word, mapping.base() + at, sizeof(word));
        sum += word;
      }
      Use(sum);
    });
  });
}

void TakeDiskSync(const std::string& directory, Limits* limits) {
  const ScratchFile file(directory, 0);
  const std::string record(kAppendBytes, 'x');
  off_t end = 0;
  limits->Take("fdatasync", "fdatasync of a short write on the disk", [&] {
    return NanosEach(kSyncs, [&] {
      for (size_t i = 0; i < kSyncs; ++i, end += static_cast<off_t>(record.size())) {
        if (pwrite(file.descriptor(), record.data(), record.size(), end) < 0 ||
            fdatasync(file.descriptor()) != 0) {
          Die("cannot write to " + directory);
        }
      }
    });
  });
}

// Returns the option `huge` of the file system of the directory; empty if it has none.
std::string HugePagesOfMount(const std::string& directory) {
  std::error_code error;
  const std::string path = std::filesystem::canonical(directory, error).string() + "/";
  std::ifstream mounts("/proc/self/mounts");
  std::string longest;
  std::string found;
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words(line);
    std::string device, place, type, options;
    words >> device >> place >> type >> options;
    if (!place.ends_with('/')) place += '/';
    if (!path.starts_with(place) || place.size() < longest.size()) continue;
    longest = place;
    const size_t begin = options.find("huge=");
    const size_t end = std::min(options.find(',', begin), options.size());
    found = begin == std::string::npos ? "" : options.substr(begin, end - begin);
  }
  return found;
}

// Returns the setting that applies if a mount has no such option.
std::string HugePagesOfSharedMemory() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
  std::string modes;
  std::getline(file, modes);
  const size_t begin = modes.find('[');
  const size_t end = modes.find(']');
  return begin == std::string::npos || end == std::string::npos
             ? "unknown"
             : modes.substr(begin + 1, end - begin - 1);
}

std::string HugePagesOf(const std::string& directory) {
  const std::string of_mount = HugePagesOfMount(directory);
  return of_mount.empty() ? "shared memory: " + HugePagesOfSharedMemory() : of_mount;
}

PoolMedium MediumOf(const Mapping& mapping, const std::string& directory) {
  DeviceInfo device;
  MediumFacts facts;
  if (DescribeDevice(directory, &device).ok()) facts.domain = device.persistence_domain;
  facts.all_parts_map_sync = mapping.is_dax();
  facts.assume_pmem = IsOnTmpfs(directory);
  facts.best_flush = BestFlushMethod();
  return DecideMedium(facts);
}

// The text about the measured setting.
struct Setting {
  std::string medium;
  std::string persist;
  std::string huge_pages;
};

void WriteJson(const std::string& path, const Setting& setting, const Limits& limits) {
  JsonWriter json;
  json.BeginObject();
  json.Key("medium");
  json.String(setting.medium);
  json.Key("persist");
  json.String(setting.persist);
  json.Key("huge_pages");
  json.String(setting.huge_pages);
  json.Key("nanos");
  json.BeginObject();
  for (const Figure& figure : limits.figures()) {
    json.Key(figure.name);
    json.Number(figure.median_nanos);
  }
  json.EndObject();
  json.EndObject();
  std::ofstream file(path, std::ios::trunc);
  file << json.text();
  file.close();
  if (!file) Die("cannot write " + path);
}

void Run(const std::string& directory, uint64_t size) {
  const ScratchFile file(directory, size);
  Limits limits;
  Setting setting;
  {
    const Mapping mapping(file, size);
    const PoolMedium medium = MediumOf(mapping, directory);
    const std::unique_ptr<Persist> persist = NewPersist({directory, mapping.base(), size, medium});
    setting = {medium.Text(), persist->Name(), HugePagesOf(directory)};
    std::printf("Path:       %s, %s\nMedium:     %s\nPersist:    %s\nHuge pages: %s\n%s\n",
                directory.c_str(), FormatSize(size).c_str(), setting.medium.c_str(),
                setting.persist.c_str(), setting.huge_pages.c_str(), std::string(90, '-').c_str());
    std::printf("%-64s %12s %12s\n", "nanoseconds", "best", "median");
    mapping.TouchAll();
    TakeAppends(mapping, size, persist.get(), &limits);
    TakeGranularities(mapping, size, persist.get(), &limits);
    TakeSequentialRead(mapping, size, &limits);
    TakeCacheMiss(mapping, size, &limits);
    TakeRandomReads(mapping, size, &limits);
  }
  TakeFirstTouch(file, size, &limits);
  if (!FLAGS_disk_path.empty()) TakeDiskSync(FLAGS_disk_path, &limits);
  if (!FLAGS_json.empty()) WriteJson(FLAGS_json, setting, limits);
}

}  // namespace
}  // namespace leveldb::bench

int main(int argc, char** argv) {
  gflags::SetUsageMessage("the limits of the medium under a pool");
  gflags::ParseCommandLineFlags(&argc, &argv, true);
  uint64_t size = 0;
  if (argc > 1 || FLAGS_rounds < 1 || !leveldb::bench::ParseSize(FLAGS_size, &size) ||
      size < leveldb::bench::kSizeMin) {
    std::fprintf(stderr,
                 "pmem_bench: --size is a number from 16M on, --rounds one from 1 on, and "
                 "nothing else is taken; --help tells all flags.\n");
    return 1;
  }
  const std::string path =
      FLAGS_pm_path.empty() ? leveldb::bench::DefaultPoolPath() : FLAGS_pm_path;
  leveldb::bench::Run(path, size / 4096 * 4096);
  return 0;
}
