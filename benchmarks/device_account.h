// What the process reads from block devices.
#ifndef BUSHSTORE_BENCHMARKS_DEVICE_ACCOUNT_H_
#define BUSHSTORE_BENCHMARKS_DEVICE_ACCOUNT_H_

#include <cstdint>
#include <optional>
#include <string>

namespace leveldb::bench {

// Nothing where the system does not tell.
struct DeviceUse {
  std::optional<uint64_t> bytes;
  std::optional<uint64_t> reads;
};

// Reads that the system has carried out between two looks.
DeviceUse operator-(const DeviceUse& later, const DeviceUse& earlier);

// What /proc/self/io says under `name`, as in "read_bytes"; nothing if it does not.
std::optional<uint64_t> OwnIoAccount(const std::string& name);

// The number of reads in the text of a control group's account: `io.stat` (version 2), or
// `blkio.throttle.io_serviced` (version 1). Nothing if it is neither. A group that has read nothing
// has an empty account.
std::optional<uint64_t> DeviceReadsIn(const std::string& text);

// Bytes are those of `read_bytes` in /proc/self/io: the kernel counts them for the process when it
// hands a read to a device, also for page faults in mapped files and for read-ahead, and needs no
// control group for it. The number of reads is known to control groups only, so it is that of the
// whole group of which `file` is the account; without a file it is not known.
DeviceUse LookAtDevices(const std::string& file);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_DEVICE_ACCOUNT_H_
