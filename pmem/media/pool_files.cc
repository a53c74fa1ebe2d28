#include "pmem/media/pool_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr char kSetSuffix[] = ".set";
constexpr char kPartsSuffix[] = ".pool";
constexpr char kPartSuffix[] = ".pmem";

// Characters that end a field, a line or the meaningful part of a line in the text that describes a
// pool.
constexpr char kPoolsetSpecials[] = " \t\n\v\f\r#";

bool EndsWith(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

PoolKind Detect(const std::string& path) {
  struct stat status;
  if (EndsWith(path, kSetSuffix)) return PoolKind::kDirectory;
  if (stat(path.c_str(), &status) != 0) return PoolKind::kFile;
  if (S_ISDIR(status.st_mode)) return PoolKind::kDirectory;
  return S_ISCHR(status.st_mode) ? PoolKind::kDevice : PoolKind::kFile;
}

Status RemoveFile(const std::string& path) {
  if (unlink(path.c_str()) != 0 && errno != ENOENT) return PosixError(path, errno);
  return Status::OK();
}

Status WriteDescriptor(int fd, const std::string& path, const std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd, text.data() + written, text.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return PosixError(path, errno);
    written += static_cast<size_t>(n);
  }
  if (fsync(fd) != 0) return PosixError(path, errno);
  return Status::OK();
}

std::string ContentsOf(const std::string& path) {
  std::string contents;
  const Descriptor file(OpenDescriptor(path, O_RDONLY));
  if (!file.valid()) return contents;
  char buffer[4096];
  ssize_t n;
  while ((n = read(file.get(), buffer, sizeof(buffer))) > 0 && contents.size() < (1 << 16)) {
    contents.append(buffer, static_cast<size_t>(n));
  }
  return contents;
}

// Returns the absolute path, which libpmemobj requires, also of a file that does not exist yet.
std::string AbsolutePath(const std::string& path) {
  char* const resolved = realpath(DirectoryOf(path).c_str(), nullptr);
  if (resolved == nullptr) return path;
  const std::string directory(resolved);
  free(resolved);
  return directory + "/" + path.substr(path.rfind('/') + 1);
}

}  // namespace

PoolFiles::PoolFiles(const std::string& path, PoolKind kind)
    : path_(path), kind_(kind == PoolKind::kDetect ? Detect(path) : kind) {}

std::string PoolFiles::directory() const {
  return DirectoryOf(path_);
}

std::string PoolFiles::parts_directory() const {
  const size_t end = EndsWith(path_, kSetSuffix) ? path_.size() - strlen(kSetSuffix) : path_.size();
  return path_.substr(0, end) + kPartsSuffix;
}

Status PoolFiles::ListDirectory(const std::string& directory, std::vector<std::string>* paths) {
  paths->clear();
  DIR* const dir = opendir(directory.c_str());
  if (dir == nullptr) return PosixError(directory, errno);
  while (const dirent* const entry = readdir(dir)) {
    const std::string name(entry->d_name);
    for (const char* const suffix : {kSetSuffix, kPartsSuffix}) {
      if (!EndsWith(name, suffix)) continue;
      paths->push_back(directory + "/" + name.substr(0, name.size() - strlen(suffix)) + kSetSuffix);
    }
  }
  closedir(dir);
  std::sort(paths->begin(), paths->end());
  paths->erase(std::unique(paths->begin(), paths->end()), paths->end());
  return Status::OK();
}

std::string DirectoryPoolPath(const std::string& directory, const std::string& owner,
                              const PoolId& id) {
  constexpr size_t kOwnerLettersMax = 40;
  constexpr size_t kIdLetters = 12;
  std::string name = owner.substr(0, owner.find_last_not_of('/') + 1);
  name.erase(0, name.rfind('/') + 1);
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-';
    if (!plain) c = '_';
  }
  name = name.substr(0, kOwnerLettersMax) + "-" + id.Text().substr(0, kIdLetters);
  return directory + "/" + name + kSetSuffix;
}

bool PoolFiles::NamesSet() const {
  return EndsWith(path_, kSetSuffix);
}

bool PoolFiles::Exist() const {
  if (access(path_.c_str(), F_OK) == 0) return true;
  return kind_ == PoolKind::kDirectory && access(parts_directory().c_str(), F_OK) == 0;
}

Status PoolFiles::List(std::vector<Part>* parts) const {
  parts->clear();
  std::vector<std::string> paths;
  if (kind_ == PoolKind::kDirectory) {
    const std::string dirname = parts_directory();
    DIR* const dir = opendir(dirname.c_str());
    if (dir == nullptr) return PosixError(dirname, errno);
    while (const dirent* const entry = readdir(dir)) {
      if (EndsWith(entry->d_name, kPartSuffix)) paths.push_back(dirname + "/" + entry->d_name);
    }
    closedir(dir);
    if (paths.empty()) return Status::NotFound(dirname, "has no parts of a pool");
    std::sort(paths.begin(), paths.end());
  } else {
    paths.push_back(path_);
  }
  for (const std::string& path : paths) {
    struct stat status;
    if (stat(path.c_str(), &status) != 0) return PosixError(path, errno);
    Part part{path, static_cast<uint64_t>(status.st_size), 0};
    if (kind_ == PoolKind::kDevice) {
      Status s = MeasureDaxDevice(path, &part.bytes, &part.alignment);
      if (!s.ok()) return s;
    } else if (!S_ISREG(status.st_mode)) {
      return Status::InvalidArgument(path, "is no file");
    }
    parts->push_back(part);
  }
  return Status::OK();
}

Status PoolFiles::Bytes(uint64_t* bytes) const {
  std::vector<Part> parts;
  Status s = List(&parts);
  *bytes = 0;
  for (const Part& part : parts) *bytes += part.bytes;
  return s;
}

Status PoolFiles::FirstFile(std::unique_ptr<RawFile>* file) const {
  std::vector<Part> parts;
  Status s = List(&parts);
  if (!s.ok()) return s;
  *file = std::make_unique<RawFile>(parts[0].path, parts[0].bytes, parts[0].alignment);
  return s;
}

Status PoolFiles::Front(std::unique_ptr<PoolFront>* front) const {
  std::unique_ptr<RawFile> file;
  Status s = FirstFile(&file);
  if (!s.ok()) return s;
  *front = std::make_unique<PoolFront>(*file);
  return (*front)->Read();
}

// Opens the file for reading, which is enough for the lock and works on a read-only file system.
Status PoolFiles::CheckFree(std::unique_ptr<Descriptor>* lock) const {
  std::vector<Part> parts;
  Status s = List(&parts);
  if (!s.ok()) return s;
  auto file = std::make_unique<Descriptor>(OpenDescriptor(parts[0].path, O_RDONLY));
  if (!file->valid()) return PosixError(parts[0].path, errno);
  if (flock(file->get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
    if (lock != nullptr) *lock = std::move(file);
    return s;
  }
  return Status::IOError("pool " + path_,
                         "is busy: another process, or another database of this one, has it open, "
                         "and has to close it first");
}

Status PoolFiles::RemovePartsBehind(uint64_t end) const {
  if (kind_ != PoolKind::kDirectory) return Status::OK();
  std::vector<Part> parts;
  Status s = List(&parts);
  uint64_t begin = 0;
  for (const Part& part : parts) {
    if (s.ok() && begin >= end) s = RemoveFile(part.path);
    begin += part.bytes;
  }
  return s;
}

Status PoolFiles::NumberParts() const {
  if (kind_ != PoolKind::kDirectory) return Status::OK();
  std::vector<Part> parts;
  Status s = List(&parts);
  for (size_t i = 0; s.ok() && i < parts.size(); i++) {
    char name[32];
    snprintf(name, sizeof(name), "/%06zu%s", i, kPartSuffix);
    const std::string path = parts_directory() + name;
    if (parts[i].path != path && rename(parts[i].path.c_str(), path.c_str()) != 0) {
      s = PosixError(path, errno);
    }
  }
  return s;
}

uint64_t PoolFiles::FreeBytes() const {
  struct statvfs status;
  if (statvfs(directory().c_str(), &status) != 0) return 0;
  return uint64_t{status.f_bavail} * status.f_frsize;
}

Status PoolFiles::Measure(uint64_t wanted, uint64_t* bytes) const {
  *bytes = wanted != 0 ? wanted : Pool::kDefaultCeiling;
  uint64_t length = 0;
  if (kind_ != PoolKind::kDirectory && Exist()) {
    std::unique_ptr<PoolFront> front;
    Status s = Bytes(&length);
    if (s.ok()) s = Front(&front);
    if (!s.ok()) return s;
    if (!front->IsBlank()) {
      return Status::InvalidArgument("pool " + path_, "cannot be made there: it is not empty");
    }
  }
  if (length != 0) *bytes = length;
  if (wanted != 0 && wanted != *bytes) {
    return Status::InvalidArgument(
        "pool " + path_ + " cannot have " + NumberToString(wanted) + " bytes",
        "what is there has " + NumberToString(length));
  }
  if (*bytes < Pool::kBytesMin) {
    return Status::InvalidArgument(
        "pool " + path_ + " would be too small",
        NumberToString(*bytes) + " bytes; the least is " + NumberToString(Pool::kBytesMin));
  }
  return Status::OK();
}

Status PoolFiles::Allocate(uint64_t bytes) const {
  const Descriptor file(OpenDescriptor(path_, O_RDWR));
  if (!file.valid()) return PosixError(path_, errno);
  const int error = posix_fallocate(file.get(), 0, static_cast<off_t>(bytes));
  return error == 0 ? Status::OK() : PosixError(path_, error);
}

Status PoolFiles::FillHoles() const {
  std::vector<Part> parts;
  Status s = kind_ == PoolKind::kDevice ? Status::OK() : List(&parts);
  for (const Part& part : parts) {
    if (!s.ok()) break;
    const Descriptor file(OpenDescriptor(part.path, O_RDWR));
    struct stat status;
    if (!file.valid() || fstat(file.get(), &status) != 0) return PosixError(part.path, errno);
    constexpr uint64_t kStatBlock = 512;
    if (static_cast<uint64_t>(status.st_blocks) * kStatBlock >= part.bytes) continue;
    const bool filled = fallocate(file.get(), 0, 0, static_cast<off_t>(part.bytes)) == 0;
    // A file system that cannot allocate in advance is accepted as it is.
    if (!filled && errno != EOPNOTSUPP) s = PosixError(part.path, errno);
  }
  return s;
}

Status PoolFiles::Reset(uint64_t length) const {
  if (kind_ == PoolKind::kFile && length == 0) {
    return truncate(path_.c_str(), 0) == 0 ? Status::OK() : PosixError(path_, errno);
  }
  std::unique_ptr<RawFile> file;
  const Status s = FirstFile(&file);
  if (!s.ok()) return s;
  return PoolFront(RawFile(path_, length, file->map_unit())).Blank();
}

Status PoolFiles::MakePartsDirectory() const {
  const std::string dirname = parts_directory();
  if (mkdir(dirname.c_str(), 0700) != 0) return PosixError(dirname, errno);
  return Status::OK();
}

Status PoolFiles::NameParts(std::string* name, std::unique_ptr<Descriptor>* held) const {
  const std::string directory = parts_directory();
  *name = AbsolutePath(directory);
  const size_t special = name->find_first_of(kPoolsetSpecials);
  if (special == std::string::npos) return Status::OK();
  const std::string character = Escaped(name->substr(special, 1));
  *held = std::make_unique<Descriptor>(OpenDescriptor(directory, O_PATH | O_DIRECTORY));
  if (!(*held)->valid()) return PosixError(directory, errno);
  *name = "/proc/self/fd/" + NumberToString(static_cast<uint64_t>((*held)->get()));
  if (access((*name + "/.").c_str(), F_OK) == 0) return Status::OK();
  return Status::InvalidArgument(
      "pool " + path_, "libpmemobj takes no path with '" + character +
                           "' where /proc is not mounted: mount it, or rename the directory");
}

Status PoolFiles::WriteSet(uint64_t reserved_bytes, std::unique_ptr<Descriptor>* held) const {
  std::string parts;
  const Status named = NameParts(&parts, held);
  if (!named.ok()) return named;
  const std::string text =
      "PMEMPOOLSET\nOPTION SINGLEHDR\n" + NumberToString(reserved_bytes) + " " + parts + "\n";
  if (ContentsOf(path_) == text) return Status::OK();
  const std::string fresh = path_ + ".new";
  // An existing file may be left from a crash, or be a link that another user has put there.
  Status removed = RemoveFile(fresh);
  if (!removed.ok()) return removed;
  {
    const Descriptor file(OpenDescriptor(fresh, O_WRONLY | O_CREAT | O_EXCL, 0600));
    if (!file.valid()) return PosixError(fresh, errno);
    Status s = WriteDescriptor(file.get(), fresh, text);
    if (!s.ok()) {
      unlink(fresh.c_str());
      return s;
    }
  }
  if (rename(fresh.c_str(), path_.c_str()) != 0) return PosixError(path_, errno);
  return SyncDirectory(directory());
}

Status PoolFiles::Remove() const {
  std::vector<Part> parts;
  Status s = List(&parts);
  if (s.IsNotFound()) s = Status::OK();
  if (s.ok() && kind_ == PoolKind::kDevice) return Reset(parts[0].bytes);
  // The text is removed first: without it, libpmemobj does not accept the rest as a pool. The part
  // with the header is removed last: as long as it exists, it says which pool the rest belongs to.
  if (s.ok() && kind_ == PoolKind::kDirectory) s = RemoveFile(path_);
  for (size_t i = parts.size(); s.ok() && i > 0; i--) {
    const bool others_are_gone = i == 1 && parts.size() > 1;
    if (others_are_gone) s = SyncDirectory(parts_directory());
    if (s.ok()) s = RemoveFile(parts[i - 1].path);
  }
  if (s.ok() && kind_ == PoolKind::kDirectory) {
    if (rmdir(parts_directory().c_str()) != 0 && errno != ENOENT) {
      s = PosixError(parts_directory(), errno);
    }
  }
  if (s.ok()) s = SyncDirectory(directory());
  return s;
}

}  // namespace leveldb
