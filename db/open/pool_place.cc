#include "db/open/pool_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "pmem/media/pool_checks.h"
#include "pmem/media/pool_description.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr char kSetSuffix[] = ".set";
constexpr char kPartsSuffix[] = ".pool";
constexpr char kAsideSuffix[] = ".aside";
constexpr char kMovedSuffix[] = ".moved";

bool HasSuffix(const std::string& text, const std::string& suffix) {
  return text.size() > suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

Status RenameIfThere(const std::string& from, const std::string& to) {
  if (rename(from.c_str(), to.c_str()) == 0 || errno == ENOENT) return Status::OK();
  return Status::IOError(from, strerror(errno));
}

}  // namespace

std::string CanonicalPath(const std::string& path) {
  std::error_code error;
  std::filesystem::path canonical = std::filesystem::weakly_canonical(path, error);
  if (error) canonical = std::filesystem::absolute(path, error);
  if (error) return path;
  std::string text = canonical.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

bool IsDirectory(const std::string& path) {
  struct stat found;
  return stat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);
}

bool IsSameDirectory(const std::string& a, const std::string& b) {
  struct stat of_a, of_b;
  return stat(a.c_str(), &of_a) == 0 && stat(b.c_str(), &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

Status ChoosePoolPath(const std::string& path, bool must_be_directory, const std::string& owner,
                      const PoolId& id, std::string* pool_path) {
  if (IsDirectory(path)) {
    *pool_path = DirectoryPoolPath(CanonicalPath(path), owner, id);
  } else if (must_be_directory || path.back() == '/') {
    return Status::IOError(path, "is no directory: no pool can be made in it");
  } else {
    *pool_path = CanonicalPath(path);
  }
  if (FitsPmemFile(*pool_path)) return Status::OK();
  const auto control = std::find_if(pool_path->begin(), pool_path->end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  return Status::InvalidArgument(
      "no pool can be made at " + Escaped(*pool_path),
      "the path has the control character '" +
          Escaped(Slice(pool_path->data() + (control - pool_path->begin()),
                        control == pool_path->end() ? 0 : 1)) +
          "', which the file PMEM cannot hold: choose another name");
}

bool DirectoryNamesPool(const std::string& directory, const std::string& id) {
  PmemFile file;
  const Status status = ReadPmemFile(Env::Default(), directory, &file);
  if (status.IsNotFound()) return false;
  return !status.ok() || file.id == id;
}

std::string CurrentOwner(const std::string& pool_path, const std::string& made_for) {
  std::string text;
  const Status status = ReadFileToString(Env::Default(), pool_path + kMovedSuffix, &text);
  if (!status.ok() || text.empty() || text.back() != '\n') return made_for;
  text.pop_back();
  return text;
}

Status NoteOwner(const std::string& pool_path, const std::string& owner) {
  return WriteStringToFile(Env::Default(), owner + "\n", pool_path + kMovedSuffix);
}

bool PoolIsOfAnother(Env* env, const std::string& dbname, const std::string& pool_path,
                     const PoolId& id, std::string* other) {
  PoolDescription found;
  if (env != Env::Default() || !DescribePool(pool_path, &found).ok() || found.id != id) {
    return false;
  }
  for (const std::string& owner : {CurrentOwner(pool_path, found.owner), found.owner}) {
    *other = owner;
    if (!IsSameDirectory(owner, dbname) && DirectoryNamesPool(owner, id.Text())) return true;
  }
  return false;
}

bool PoolIsSurelyOurs(Env* env, const std::string& dbname, const PmemFile& file) {
  PoolId id;
  if (!PoolId::FromText(file.id, &id)) return false;
  PoolDescription found;
  std::string other;
  if (DescribePool(file.pool, &found).ok()) {
    return found.id == id && !PoolIsOfAnother(env, dbname, file.pool, id, &other);
  }
  if (file.state == PmemFile::kNew && IsHalfMade(file.pool)) return true;
  const std::string directory = file.pool.substr(0, file.pool.rfind('/'));
  return file.pool == DirectoryPoolPath(directory, CanonicalPath(dbname), id);
}

Status RemovePool(const std::string& pool_path) {
  const Status status = Pool::Remove(pool_path);
  const std::string note = pool_path + kMovedSuffix;
  if (!status.ok() || !Env::Default()->FileExists(note)) return status;
  return Env::Default()->RemoveFile(note);
}

bool IsOnReadOnlyFileSystem(const std::string& path) {
  return access(path.c_str(), W_OK) != 0 && errno == EROFS;
}

Status SetPoolAside(const std::string& pool_path) {
  struct stat found;
  if (stat(pool_path.c_str(), &found) == 0 && S_ISCHR(found.st_mode)) return Status::OK();
  if (IsOnReadOnlyFileSystem(pool_path)) return Status::OK();
  if (!HasSuffix(pool_path, kSetSuffix)) return RenameIfThere(pool_path, pool_path + kAsideSuffix);
  const std::string stem = pool_path.substr(0, pool_path.size() - strlen(kSetSuffix));
  const Status status = RenameIfThere(pool_path, stem + kAsideSuffix + kSetSuffix);
  if (!status.ok()) return status;
  return RenameIfThere(stem + kPartsSuffix, stem + kAsideSuffix + kPartsSuffix);
}

bool IsSetAside(const std::string& pool_path) {
  return HasSuffix(pool_path, kAsideSuffix) ||
         HasSuffix(pool_path, std::string(kAsideSuffix) + kSetSuffix);
}

}  // namespace leveldb
