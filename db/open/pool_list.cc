// DescribePools and RemoveOrphanPool: pools looked at from outside, whether in use or not.

#include <algorithm>
#include <string>
#include <vector>

#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/env.h"
#include "leveldb/pmem.h"
#include "pmem/media/pool.h"

namespace leveldb {

namespace {

// Tells whether the pool still has a database, and how that is known.
void FindDatabase(PmemPoolInfo* info) {
  const std::string& database = info->database;
  if (info->is_set_aside || database.empty() || DirectoryNamesPool(database, info->id)) return;
  info->is_orphan = true;
  PmemFile file;
  if (!IsDirectory(database)) {
    info->orphan_because = database + " is not there any more";
  } else if (ReadPmemFile(Env::Default(), database, &file).ok()) {
    info->orphan_because = "the database in " + database + " has another pool now";
  } else {
    info->orphan_because = "the database in " + database + " has no pool any more";
  }
}

PmemPoolInfo DescribeOne(const std::string& path) {
  PmemPoolInfo info;
  info.path = path;
  info.is_set_aside = IsSetAside(path);
  PoolDescription found;
  const Status status = Pool::Describe(path, &found);
  if (!status.ok()) {
    info.problem = status.ToString();
    return info;
  }
  info.id = found.id.Text();
  info.database = CurrentOwner(path, found.owner);
  info.device = found.device.Text();
  info.health = found.device.health;
  info.size = found.bytes;
  info.ceiling = found.ceiling;
  info.extent_size = found.extent_size;
  info.epoch = found.epoch;
  info.was_closed = found.clean;
  FindDatabase(&info);
  return info;
}

// The pools in a directory, with the files that a repair has set aside there at the end.
Status DescribeDirectory(const std::string& path, std::vector<PmemPoolInfo>* pools) {
  std::vector<std::string> paths;
  Status status = Pool::ListPools(path, &paths);
  if (!status.ok()) return status;
  std::vector<std::string> names;
  status = Env::Default()->GetChildren(path, &names);
  std::sort(names.begin(), names.end());
  for (const std::string& name : names) {
    const std::string child = path + "/" + name;
    const bool is_listed = std::find(paths.begin(), paths.end(), child) != paths.end();
    if (!is_listed && IsSetAside(name) && !IsDirectory(child)) paths.push_back(child);
  }
  for (const std::string& pool : paths) pools->push_back(DescribeOne(pool));
  return status;
}

}  // namespace

Status DescribePools(const std::string& path, std::vector<PmemPoolInfo>* pools) {
  pools->clear();
  const std::string place = CanonicalPath(path);
  PmemFile file;
  const Status named = ReadPmemFile(Env::Default(), place, &file);
  if (!named.ok() && !named.IsNotFound()) return named;
  if (!named.ok() && IsDirectory(place)) return DescribeDirectory(place, pools);
  const std::string pool_path = named.ok() ? file.pool : place;
  PmemPoolInfo info = DescribeOne(pool_path);
  if (!info.problem.empty() && !named.ok()) return Status::IOError(info.problem);
  pools->push_back(std::move(info));
  return Status::OK();
}

Status RemoveOrphanPool(const PmemPoolInfo& pool) {
  if (!pool.is_orphan && !pool.is_set_aside) {
    return Status::InvalidArgument(pool.path, "is not known to be without a database");
  }
  const PmemPoolInfo now = DescribeOne(pool.path);
  const bool is_the_same = now.id == pool.id && (now.is_orphan || now.is_set_aside);
  if (now.problem.empty() && !is_the_same) {
    return Status::InvalidArgument(pool.path, "has a database again");
  }
  return RemovePool(pool.path);
}

}  // namespace leveldb
