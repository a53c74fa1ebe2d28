// DescribePmemDevice: describes the memory of a path, with or without a pool.

#include <string>

#include "db/files/filename.h"
#include "db/open/pmem_environment.h"
#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/env.h"
#include "leveldb/pmem.h"
#include "pmem/media/device_info.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_description.h"
#include "pmem/media/pool_files.h"
#include "pmem/media/pool_medium.h"

namespace leveldb {

namespace {

// Returns whether the pool at `path` is treated as persistent memory, according to the database's
// file PMEM. If there is no pool, returns whether a new one would be.
bool IsAssumed(const std::string& path, const DeviceInfo& device) {
  PmemFile file;
  if (ReadPmemFile(Env::Default(), path, &file).ok()) return file.assume_pmem;
  PoolDescription pool;
  if (DescribePool(path, &pool).ok()) {
    const std::string database = CurrentOwner(path, pool.owner);
    return ReadPmemFile(Env::Default(), database, &file).ok() && file.id == pool.id.Text() &&
           file.assume_pmem;
  }
  return device.memory_backed && ReadPmemEnvironment().assume_pmem;
}

}  // namespace

Status DescribePmemDevice(const std::string& path, PmemDeviceInfo* info) {
  *info = PmemDeviceInfo();
  const std::string place = CanonicalPath(path);
  PmemFile file;
  const bool is_database = ReadPmemFile(Env::Default(), place, &file).ok();
  info->path = is_database ? file.pool : place;
  DeviceInfo device;
  Status status = DescribeDevice(info->path, &device);
  if (is_database && status.IsNotFound()) {
    // The pool is missing; its device may still exist.
    status = DescribeDevice(info->path.substr(0, info->path.rfind('/') + 1), &device);
    if (status.IsNotFound()) {
      return Status::NotFound("the pool of " + place + " should be at " + info->path,
                              "there is no such directory; mount its file system, or correct " +
                                  PmemFileName(place) + " if the pool was moved");
    }
  }
  if (!status.ok()) return status;
  info->file_system = device.file_system;
  info->block_device = device.block_device;
  info->dax = device.dax;
  info->namespace_name = device.namespace_name;
  info->namespace_mode = device.namespace_mode;
  info->health = device.health;
  info->bad_blocks = device.bad_blocks;
  info->persistence_domain = NameOf(device.persistence_domain);
  const PoolMedium medium =
      MediumOf(PoolFiles(info->path, PoolKind::kDetect), device, IsAssumed(place, device));
  info->medium = medium.Name();
  info->medium_text = medium.Text();
  return status;
}

}  // namespace leveldb
