// DeviceUse counts the reads of the process from block devices.
#ifndef BUSHSTORE_BENCHMARKS_DEVICE_ACCOUNT_H_
#define BUSHSTORE_BENCHMARKS_DEVICE_ACCOUNT_H_

#include <cstdint>
#include <optional>
#include <string>

namespace leveldb::bench {

// A member is empty if the system does not report it.
struct DeviceUse {
  std::optional<uint64_t> bytes;
  std::optional<uint64_t> reads;
};

// Returns the reads between two calls of LookAtDevices.
DeviceUse operator-(const DeviceUse& later, const DeviceUse& earlier);

// Returns the value of `name`, for example "read_bytes", in /proc/self/io; nothing if it is
// missing.
std::optional<uint64_t> OwnIoAccount(const std::string& name);

// Returns the number of reads in the text of a control group's account: `io.stat` (version 2), or
// `blkio.throttle.io_serviced` (version 1); nothing if it is neither. A group that has read nothing
// has an empty account.
std::optional<uint64_t> DeviceReadsIn(const std::string& text);

// Returns the reads so far. The bytes are `read_bytes` of /proc/self/io: the kernel counts them for
// the process when it hands a read to a device, also for page faults in mapped files and for
// read-ahead, without a control group. Only control groups count the number of reads, so it is that
// of the whole group whose account is `file`; without a file it is not known.
DeviceUse LookAtDevices(const std::string& file);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_DEVICE_ACCOUNT_H_
