#include "db/open/pmem_file.h"

#include <cstring>
#include <memory>
#include <set>

#include "db/files/filename.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr char kComment[] =
    "# The newest data of this database is in the pool named below. A copy of this directory\n"
    "# without that pool is of no use: see `bushstore backup`.\n";
constexpr char kFormat[] = "1";
constexpr const char* kStateNames[] = {"new", "used", "leaving", "aside"};
constexpr const char* kKeys[] = {"format", "pool", "id", "size", "assume_pmem", "state"};

// No path is this long; a longer file is not a PMEM file.
constexpr uint64_t kMaxBytes = 64 << 10;

bool IsPoolId(const std::string& text) {
  return text.size() == 32 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool ParseNumber(const std::string& text, uint64_t* number) {
  Slice rest(text);
  return ConsumeDecimal(&rest, number) && rest.empty();
}

bool ParseState(const std::string& text, PmemFile::State* state) {
  for (const PmemFile::State candidate :
       {PmemFile::kNew, PmemFile::kUsed, PmemFile::kLeaving, PmemFile::kAside}) {
    if (text != kStateNames[candidate]) continue;
    *state = candidate;
    return true;
  }
  return false;
}

bool ParseField(const std::string& key, const std::string& value, PmemFile* file) {
  if (key == "format") return value == kFormat;
  if (key == "pool") {
    file->pool = value;
    return FitsPmemFile(value);
  }
  if (key == "id") {
    file->id = value;
    return IsPoolId(value);
  }
  if (key == "size") return ParseNumber(value, &file->size);
  if (key == "assume_pmem") {
    file->assume_pmem = value != "0";
    file->assume_pmem_anywhere = value == "2";
    return value == "0" || value == "1" || value == "2";
  }
  return key == "state" && ParseState(value, &file->state);
}

std::string TemporaryName(const std::string& dbname) {
  return PmemFileName(dbname) + ".dbtmp";
}

Status WriteSynced(Env* env, const std::string& path, const Slice& text) {
  WritableFile* opened = nullptr;
  Status status = env->NewWritableFile(path, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<WritableFile> file(opened);
  status = file->Append(text);
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  return status;
}

Status RemoveIfThere(Env* env, const std::string& path) {
  return env->FileExists(path) ? env->RemoveFile(path) : Status::OK();
}

}  // namespace

std::string EncodePmemFile(const PmemFile& file) {
  std::string text = kComment;
  text += std::string("format ") + kFormat + "\n";
  text += "pool " + file.pool + "\n";
  text += "id " + file.id + "\n";
  text += "size " + NumberToString(file.size) + "\n";
  const char* const assume_pmem = file.assume_pmem_anywhere ? "2" : "1";
  text += std::string("assume_pmem ") + (file.assume_pmem ? assume_pmem : "0") + "\n";
  text += std::string("state ") + kStateNames[file.state] + "\n";
  return text;
}

Status DecodePmemFile(const Slice& text, PmemFile* file) {
  std::set<std::string> missing(std::begin(kKeys), std::end(kKeys));
  size_t begin = 0;
  while (begin < text.size()) {
    const void* const end = memchr(text.data() + begin, '\n', text.size() - begin);
    if (end == nullptr) return Status::Corruption("the last line is not complete");
    const size_t length = static_cast<size_t>(static_cast<const char*>(end) - text.data()) - begin;
    const std::string line(text.data() + begin, length);
    begin += length + 1;
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == std::string::npos ? "" : line.substr(space + 1);
    if (missing.erase(key) == 0 || !ParseField(key, value, file)) {
      return Status::Corruption("this line makes no sense", Escaped(line));
    }
  }
  if (missing.empty()) return Status::OK();
  return Status::Corruption("there is no line", *missing.begin());
}

bool FitsPmemFile(const std::string& path) {
  if (path.empty() || path[0] != '/') return false;
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) return false;
  }
  return true;
}

Status ReadPmemFile(Env* env, const std::string& dbname, PmemFile* file) {
  const std::string path = PmemFileName(dbname);
  if (!env->FileExists(path)) return Status::NotFound(path, "no such file");
  uint64_t size = 0;
  Status status = env->GetFileSize(path, &size);
  if (status.ok() && size > kMaxBytes) status = Status::Corruption(path, "too long");
  std::string text;
  if (status.ok()) status = ReadFileToString(env, path, &text);
  if (!status.ok()) return status;
  status = DecodePmemFile(text, file);
  return status.ok() ? status : Status::Corruption(path, status.ToString());
}

Status WritePmemFile(Env* env, const std::string& dbname, const PmemFile& file) {
  const std::string temporary = TemporaryName(dbname);
  Status status = WriteSynced(env, temporary, EncodePmemFile(file));
  if (status.ok()) status = env->RenameFile(temporary, PmemFileName(dbname));
  // The write has failed already; a file that remains is overwritten by the next call.
  if (!status.ok()) static_cast<void>(env->RemoveFile(temporary));
  return status;
}

Status RemovePmemFile(Env* env, const std::string& dbname) {
  const Status status = RemoveIfThere(env, TemporaryName(dbname));
  return status.ok() ? RemoveIfThere(env, PmemFileName(dbname)) : status;
}

}  // namespace leveldb
