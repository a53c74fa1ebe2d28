// Canonical paths of databases and their pools, and checks of whether a database and a pool belong
// together.
#ifndef BUSHSTORE_DB_OPEN_POOL_PLACE_H_
#define BUSHSTORE_DB_OPEN_POOL_PLACE_H_

#include <string>

#include "db/open/pmem_file.h"
#include "leveldb/env.h"
#include "leveldb/status.h"
#include "pmem/media/pool.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// Returns the absolute path, with links resolved, of a file that exists or could be created in an
// existing directory. If it cannot be resolved, returns an absolute path nevertheless.
std::string CanonicalPath(const std::string& path);

// Returns whether there is a directory at `path`.
bool IsDirectory(const std::string& path);

// Returns whether both paths lead to the same existing directory.
bool IsSameDirectory(const std::string& a, const std::string& b);

// Chooses the path of a pool of `id` for the database `owner` when the user names `path`. Returns
// IOError if `path` must be a directory and is not one.
Status ChoosePoolPath(const std::string& path, bool must_be_directory, const std::string& owner,
                      const PoolId& id, std::string* pool_path);

// Returns whether a directory has a PMEM file that names the pool `id`, or one that cannot be read.
// Directories of an Env other than the default one are not found.
bool DirectoryNamesPool(const std::string& directory, const std::string& id);

// A pool stores the directory that it was created for. If a database has been moved since, the file
// POOL.moved next to the pool contains the new path and a newline.

// Returns the current directory of a pool's database, as far as known; the pool stores `made_for`.
std::string CurrentOwner(const std::string& pool_path, const std::string& made_for);

// Records `owner` as the current owner. Only messages and the collection of orphans depend on it.
Status NoteOwner(const std::string& pool_path, const std::string& owner);

// Returns whether the pool named by the PMEM file of `dbname` belongs to another directory: the
// pool stores that directory's path, and that directory's PMEM file names the pool. Then `dbname`
// is only a copy.
bool PoolIsOfAnother(Env* env, const std::string& dbname, const std::string& pool_path,
                     const PoolId& id, std::string* other);

// Returns whether the file at the path in the PMEM file of `dbname` is the pool that the PMEM file
// means, or what is left of it, so that it may be removed or renamed. This is so if it has the id;
// or if nothing can be read of it and it has the name of this directory's pool in a directory of
// pools; or if it is the result of an interrupted creation. Another database may use the path by
// now, and the pool that a copy of a directory names belongs to the original.
bool PoolIsSurelyOurs(Env* env, const std::string& dbname, const PmemFile& file);

// Removes a pool, as Pool::Remove does, and its POOL.moved.
Status RemovePool(const std::string& pool_path);

// Renames a pool, so that the result of a repair does not name it: NAME.set to NAME.aside.set, its
// parts likewise, and a file of another name to that name followed by .aside. Returns OK if there
// is none, or only a part because an earlier call was interrupted. Leaves a device unchanged, and
// also files on a file system that is mounted read-only.
Status SetPoolAside(const std::string& pool_path);

// Returns whether the file system that contains `path` is mounted read-only.
bool IsOnReadOnlyFileSystem(const std::string& path);

// Returns whether a pool with this path has been set aside.
bool IsSetAside(const std::string& pool_path);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_POOL_PLACE_H_
