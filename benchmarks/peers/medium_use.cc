#include "benchmarks/peers/medium_use.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "benchmarks/device_account.h"
#include "benchmarks/tier_metrics.h"

namespace leveldb::peers {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kLook = std::chrono::milliseconds(20);
// A store whose background work does not end within this time is measured as it is.
constexpr auto kRestMax = std::chrono::minutes(10);
constexpr uint64_t kBlockBytes = 512;  // of st_blocks

}  // namespace

std::optional<uint64_t> WriteCallBytes() {
  return bench::OwnIoAccount("wchar");
}

std::optional<uint64_t> WrittenBytes(ycsbc::Store* store) {
  std::optional<uint64_t> bytes = WriteCallBytes();
  if (bytes.has_value() && store != nullptr) *bytes += bench::PoolBytesWritten(store->Metrics());
  return bytes;
}

double WaitForRest(ycsbc::Store* store, uint64_t quiet_millis) {
  const auto quiet = std::chrono::milliseconds(quiet_millis);
  const Clock::time_point began = Clock::now();
  Clock::time_point last_write = began;
  std::optional<uint64_t> written = WrittenBytes(store);
  while (Clock::now() - last_write < quiet && Clock::now() - began < kRestMax) {
    std::this_thread::sleep_for(std::min<Clock::duration>(kLook, quiet));
    const std::optional<uint64_t> now = WrittenBytes(store);
    if (now == written) continue;
    written = now;
    last_write = Clock::now();
  }
  return std::chrono::duration<double>(last_write - began).count();
}

void SyncFileSystem(const std::string& path) {
  const int directory = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  syncfs(directory);
  close(directory);
}

uint64_t SpaceUsed(const std::string& path) {
  uint64_t blocks = 0;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(path, error), end; !error && at != end;
       at.increment(error)) {
    struct stat status {};
    if (stat(at->path().c_str(), &status) == 0) blocks += static_cast<uint64_t>(status.st_blocks);
  }
  return blocks * kBlockBytes;
}

}  // namespace leveldb::peers
