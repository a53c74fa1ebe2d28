// Where databases and their pools are, as paths that mean the same to every process, and whether
// the two still belong together.
#ifndef BUSHSTORE_DB_OPEN_POOL_PLACE_H_
#define BUSHSTORE_DB_OPEN_POOL_PLACE_H_

#include <string>

#include "db/open/pmem_file.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// The absolute path without links of something that exists, or that could be made in a directory
// that exists. What can't be resolved is returned as an absolute path nevertheless.
std::string CanonicalPath(const std::string& path);

// Whether there is a directory at `path`.
bool IsDirectory(const std::string& path);

// Whether both paths lead to one directory that is there.
bool IsSameDirectory(const std::string& a, const std::string& b);

// Decides where a pool of `id` for the database `owner` is made when the user names `path`.
// IOError if `path` must be a directory and is none.
Status ChoosePoolPath(const std::string& path, bool must_be_directory, const std::string& owner,
                      const PoolId& id, std::string* pool_path);

// Whether a directory has a PMEM file that names the pool `id`, or one that can't be read.
// Directories of other Envs than the default one are not seen.
bool DirectoryNamesPool(const std::string& directory, const std::string& id);

// A pool says which directory it was made for. If a database has been moved since, the file
// POOL.moved beside the pool says where to: the path and a newline.

// Where the database of a pool is now, as far as is known; `made_for` is what the pool says.
std::string CurrentOwner(const std::string& pool_path, const std::string& made_for);

// Makes `owner` the current owner. Nothing but messages and the collection of orphans depends on
// it.
Status NoteOwner(const std::string& pool_path, const std::string& owner);

// Whether a pool that the PMEM file of `dbname` names is another directory's: it says so, and that
// directory names it, too. `dbname` is a mere copy then.
bool PoolIsOfAnother(Env* env, const std::string& dbname, const std::string& pool_path,
                     const PoolId& id, std::string* other);

// Whether what is at the place that the PMEM file of `dbname` names is the pool that it means, or
// what is left of that, so that it may be removed or renamed: it says that it has the id or, where
// nothing can be read, has the name of this directory's pool in a directory of pools, or is what an
// interrupted creation leaves. Another database may use the place by now, and the pool that a mere
// copy names is the original's.
bool PoolIsSurelyOurs(Env* env, const std::string& dbname, const PmemFile& file);

// Pool::Remove, and of POOL.moved as well.
Status RemovePool(const std::string& pool_path);

// Renames a pool, so that a repair's outcome does not name it: NAME.set to NAME.aside.set, its
// parts likewise, and a file of another name to that name with .aside behind it. OK if there is
// none, or only a part because of an earlier call that was interrupted. A device stays as it is,
// and so does what is on a file system that is mounted read-only.
Status SetPoolAside(const std::string& pool_path);

// Whether the file system of what is at a path is mounted read-only.
bool IsOnReadOnlyFileSystem(const std::string& path);

// Whether a pool of this path has been set aside.
bool IsSetAside(const std::string& pool_path);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_POOL_PLACE_H_
