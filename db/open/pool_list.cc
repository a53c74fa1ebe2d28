// DescribePools and RemoveOrphanPool: for pools that need not be open and may be in use.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "db/open/pmem_file.h"
#include "db/open/pool_place.h"
#include "leveldb/env.h"
#include "leveldb/pmem.h"
#include "pmem/media/bad_block_contents.h"
#include "pmem/media/namespace_info.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_checks.h"
#include "pmem/media/pool_description.h"

namespace leveldb {

namespace {

// Determines whether the pool still has a database, and records how that is known.
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

std::string ProblemText(const Status& status) {
  const char* const remedy = "; `bushstore repair` of its database saves what can be read";
  return status.ToString() + (status.IsCorruption() ? remedy : "");
}

void ListBadRanges(PmemPoolInfo* info) {
  std::vector<BadRangeContents> ranges;
  const Status status = DescribeBadRanges(info->path, &ranges);
  if (!status.ok() && info->problem.empty()) info->problem = status.ToString();
  for (const BadRangeContents& bad : ranges) {
    info->bad_ranges.push_back({bad.range.begin, bad.range.end - bad.range.begin, bad.contents});
  }
}

// Describes one pool. The error is also in `info->problem`.
Status DescribeOne(const std::string& path, NamespaceCatalog* catalog, PmemPoolInfo* info) {
  *info = PmemPoolInfo();
  info->path = path;
  info->is_set_aside = IsSetAside(path);
  PoolDescription found;
  const Status status = DescribePool(path, &found, catalog);
  if (!status.ok()) {
    info->problem = ProblemText(status);
    if (!status.IsNotFound()) ListBadRanges(info);
    return status;
  }
  Status problem = CheckRegion(path, found.device);
  if (problem.ok()) problem = FindProblem(path);
  if (!problem.ok()) info->problem = ProblemText(problem);
  info->id = found.id.Text();
  info->database = CurrentOwner(path, found.owner);
  info->device = found.device.Text();
  info->health = found.device.health;
  info->size = found.bytes;
  info->ceiling = found.ceiling;
  info->extent_size = found.extent_size;
  info->epoch = found.epoch;
  info->was_closed = found.clean;
  FindDatabase(info);
  ListBadRanges(info);
  return status;
}

// Describes the pools in a directory, followed by the files that a repair has set aside there.
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
  NamespaceCatalog catalog;
  for (const std::string& pool : paths) {
    PmemPoolInfo info;
    DescribeOne(pool, &catalog, &info).ok();  // problems are in the description
    pools->push_back(std::move(info));
  }
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
  PmemPoolInfo info;
  NamespaceCatalog catalog;
  const Status status = DescribeOne(pool_path, &catalog, &info);
  if (!named.ok()) {
    const bool may_become_one = status.IsNotFound() && Env::Default()->FileExists(place);
    if (may_become_one) return Status::OK();
    if (!status.ok()) return Status::IOError(info.problem);
  }
  pools->push_back(std::move(info));
  return Status::OK();
}

Status RemoveOrphanPool(const PmemPoolInfo& pool) {
  if (!pool.is_orphan && !pool.is_set_aside) {
    return Status::InvalidArgument(pool.path, "is not known to be without a database");
  }
  PmemPoolInfo now;
  NamespaceCatalog catalog;
  DescribeOne(pool.path, &catalog, &now).ok();  // a damaged pool is removed, too
  const bool is_the_same = now.id == pool.id && (now.is_orphan || now.is_set_aside);
  if (now.problem.empty() && !is_the_same) {
    return Status::InvalidArgument(pool.path, "has a database again");
  }
  return RemovePool(pool.path);
}

}  // namespace leveldb
