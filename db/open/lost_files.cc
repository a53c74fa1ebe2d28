#include "db/open/lost_files.h"

#include <memory>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "leveldb/slice.h"

namespace leveldb {

namespace {

constexpr size_t kChunkSize = 64 << 10;

// Reads a file from its beginning, in chunks of the same sizes whatever the Env returns at a time.
class Chunks {
 public:
  Status Open(Env* env, const std::string& path) {
    SequentialFile* opened = nullptr;
    const Status status = env->NewSequentialFile(path, &opened);
    file_.reset(opened);
    return status;
  }

  // An empty chunk is the end.
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
  // Fails if it is there already. If it can't be made, the move fails.
  static_cast<void>(env_->CreateDir(LostDirectory(dbname_)));
  *target = FreePath(name);
  return env_->RenameFile(dbname_ + "/" + name, *target);
}

Status LostFiles::Keep(const std::string& name, std::string* target) {
  Status status = FindCopy(dbname_ + "/" + name, target);
  // The directory may be new, and what is in it may be of an open that died before that was
  // durable.
  static_cast<void>(env_->CreateDir(LostDirectory(dbname_)));
  if (status.ok()) status = SyncNames(dbname_);
  if (!status.ok()) return status;
  return target->empty() ? Move(name, target) : SyncNames(LostDirectory(dbname_));
}

// Makes the names in a directory durable. An Env does that with the first sync of a new file.
Status LostFiles::SyncNames(const std::string& directory) {
  const std::string temporary = TempFileName(directory, new_number_());
  WritableFile* opened = nullptr;
  Status status = env_->NewWritableFile(temporary, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<WritableFile> file(opened);
  status = file->Sync();
  const Status closed = file->Close();
  static_cast<void>(env_->RemoveFile(temporary));  // the next open removes it otherwise
  return status.ok() ? closed : status;
}

// The same name if it is free, else one of the same kind with a number that no file has.
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

// Sets *copy to a file in lost/ that has the bytes of `path`; empty: there is none.
Status LostFiles::FindCopy(const std::string& path, std::string* copy) const {
  copy->clear();
  std::vector<std::string> names;
  Status status = env_->GetChildren(LostDirectory(dbname_), &names);
  if (status.IsNotFound()) return Status::OK();  // as where it could not be made
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
