#include "db/open/lost_files.h"

#include <memory>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "leveldb/slice.h"

namespace leveldb {

namespace {

constexpr size_t kChunkSize = 64 << 10;

// Reads a file from its beginning, in chunks whose sizes do not depend on how much the Env returns.
class Chunks {
 public:
  Status Open(Env* env, const std::string& path) {
    SequentialFile* opened = nullptr;
    const Status status = env->NewSequentialFile(path, &opened);
    file_.reset(opened);
    return status;
  }

  // Reads the next chunk. An empty chunk means the end.
  Status Next(std::string* chunk) {
    chunk->clear();
    Status status;
    Slice piece;
    do {
      status = file_->Read(kChunkSize - chunk->size(), &piece, scratch_.get());
      if (status.ok()) chunk->append(piece.data(), piece.size());
    } while (status.ok() && !piece.empty() && chunk->size() < kChunkSize);
    return status;
  }

 private:
  std::unique_ptr<SequentialFile> file_;
  const std::unique_ptr<char[]> scratch_ = std::make_unique<char[]>(kChunkSize);
};

}  // namespace

Status LostFiles::Move(const std::string& name, std::string* target) {
  // CreateDir fails if the directory exists. If it cannot be created, the move fails.
  static_cast<void>(env_->CreateDir(LostDirectory(dbname_)));
  *target = FreePath(name);
  return env_->RenameFile(dbname_ + "/" + name, *target);
}

Status LostFiles::Keep(const std::string& name, std::string* target) {
  Status status = FindCopy(dbname_ + "/" + name, target);
  // The directory may be new, and its contents may be from an open that crashed before they were
  // durable.
  static_cast<void>(env_->CreateDir(LostDirectory(dbname_)));
  if (status.ok()) status = SyncNames(dbname_);
  if (!status.ok()) return status;
  return target->empty() ? Move(name, target) : SyncNames(LostDirectory(dbname_));
}

// Makes the names in a directory durable: an Env does so at the first sync of a new file.
Status LostFiles::SyncNames(const std::string& directory) {
  const std::string temporary = TempFileName(directory, new_number_());
  WritableFile* opened = nullptr;
  Status status = env_->NewWritableFile(temporary, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<WritableFile> file(opened);
  status = file->Sync();
  const Status closed = file->Close();
  static_cast<void>(env_->RemoveFile(temporary));  // if this fails, the next open removes it
  return status.ok() ? closed : status;
}

// Returns the path for the same name if it is free, else for a name of the same kind with an unused
// number.
std::string LostFiles::FreePath(const std::string& name) {
  const std::string lost = LostDirectory(dbname_);
  uint64_t number;
  FileType type = kTempFile;
  ParseFileName(name, &number, &type);
  std::string path = lost + "/" + name;
  while (env_->FileExists(path)) {
    number = new_number_();
    path = type == kTableFile ? TableFileName(lost, number)
           : type == kLogFile ? LogFileName(lost, number)
                              : ManifestFileName(lost, number);
  }
  return path;
}

// Sets *copy to a file in lost/ that has the bytes of `path`, or to "" if there is none.
Status LostFiles::FindCopy(const std::string& path, std::string* copy) const {
  copy->clear();
  std::vector<std::string> names;
  Status status = env_->GetChildren(LostDirectory(dbname_), &names);
  if (status.IsNotFound()) return Status::OK();  // also if it could not be created
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (!ParseFileName(name, &number, &type) || type == kTempFile) continue;
    const std::string other = LostDirectory(dbname_) + "/" + name;
    bool same = false;
    if (status.ok()) status = HasSameBytes(path, other, &same);
    if (status.ok() && same) *copy = other;
  }
  return status;
}

Status LostFiles::HasSameBytes(const std::string& a, const std::string& b, bool* same) const {
  uint64_t size_of_a = 0;
  uint64_t size_of_b = 0;
  Status status = env_->GetFileSize(a, &size_of_a);
  if (status.ok()) status = env_->GetFileSize(b, &size_of_b);
  *same = size_of_a == size_of_b;
  if (!status.ok() || !*same) return status;
  Chunks chunks_of_a;
  Chunks chunks_of_b;
  status = chunks_of_a.Open(env_, a);
  if (status.ok()) status = chunks_of_b.Open(env_, b);
  std::string chunk_of_a;
  std::string chunk_of_b;
  do {
    if (status.ok()) status = chunks_of_a.Next(&chunk_of_a);
    if (status.ok()) status = chunks_of_b.Next(&chunk_of_b);
    *same = status.ok() && chunk_of_a == chunk_of_b;
  } while (*same && !chunk_of_a.empty());
  return status;
}

}  // namespace leveldb
