#include "db/files/filename.h"

#include <cassert>
#include <cstdio>
#include <memory>

#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "util/text.h"

namespace leveldb {

namespace {

constexpr char kManifestPrefix[] = "MANIFEST-";

std::string Padded(uint64_t number) {
  assert(number > 0);
  char digits[24];
  std::snprintf(digits, sizeof(digits), "%06llu", static_cast<unsigned long long>(number));
  return digits;
}

std::string Numbered(const std::string& dbname, uint64_t number, const char* suffix) {
  return dbname + "/" + Padded(number) + suffix;
}

bool ParsePlainName(const Slice& name, FileType* type) {
  if (name == "CURRENT") {
    *type = kCurrentFile;
  } else if (name == "LOCK") {
    *type = kLockFile;
  } else if (name == "LOG" || name == "LOG.old") {
    *type = kInfoLogFile;
  } else {
    return false;
  }
  return true;
}

bool ParseSuffix(const Slice& suffix, FileType* type) {
  if (suffix == ".log") {
    *type = kLogFile;
  } else if (suffix == ".ldb" || suffix == ".sst") {
    *type = kTableFile;
  } else if (suffix == ".dbtmp") {
    *type = kTempFile;
  } else {
    return false;
  }
  return true;
}

Status WriteSynced(Env* env, const std::string& file_name, const Slice& contents) {
  WritableFile* raw_file = nullptr;
  Status status = env->NewWritableFile(file_name, &raw_file);
  if (!status.ok()) return status;
  const std::unique_ptr<WritableFile> file(raw_file);
  status = file->Append(contents);
  if (status.ok()) status = file->Sync();
  if (status.ok()) status = file->Close();
  return status;
}

}  // namespace

std::string LogFileName(const std::string& dbname, uint64_t number) {
  return Numbered(dbname, number, ".log");
}

std::string TableFileName(const std::string& dbname, uint64_t number) {
  return Numbered(dbname, number, ".ldb");
}

std::string LegacyTableFileName(const std::string& dbname, uint64_t number) {
  return Numbered(dbname, number, ".sst");
}

std::string ManifestFileName(const std::string& dbname, uint64_t number) {
  return dbname + "/" + kManifestPrefix + Padded(number);
}

std::string TempFileName(const std::string& dbname, uint64_t number) {
  return Numbered(dbname, number, ".dbtmp");
}

std::string CurrentFileName(const std::string& dbname) {
  return dbname + "/CURRENT";
}

std::string LockFileName(const std::string& dbname) {
  return dbname + "/LOCK";
}

std::string InfoLogFileName(const std::string& dbname) {
  return dbname + "/LOG";
}

std::string OldInfoLogFileName(const std::string& dbname) {
  return dbname + "/LOG.old";
}

std::string PmemFileName(const std::string& dbname) {
  return dbname + "/PMEM";
}

bool ParseFileName(const std::string& name, uint64_t* number, FileType* type) {
  Slice rest(name);
  if (ParsePlainName(rest, type)) {
    *number = 0;
    return true;
  }
  const Slice manifest_prefix(kManifestPrefix);
  uint64_t parsed = 0;
  if (rest.starts_with(manifest_prefix)) {
    rest.remove_prefix(manifest_prefix.size());
    if (!ConsumeDecimal(&rest, &parsed) || !rest.empty()) return false;
    *type = kManifestFile;
  } else if (!ConsumeDecimal(&rest, &parsed) || !ParseSuffix(rest, type)) {
    return false;
  }
  *number = parsed;
  return true;
}

Status SetCurrentFile(Env* env, const std::string& dbname, uint64_t manifest_number) {
  const std::string temp_name = TempFileName(dbname, manifest_number);
  const std::string contents = kManifestPrefix + Padded(manifest_number) + "\n";
  Status status = WriteSynced(env, temp_name, contents);
  if (status.ok()) status = env->RenameFile(temp_name, CurrentFileName(dbname));
  if (!status.ok()) {
    // Already failing; if the leftover stays, the next open removes it.
    static_cast<void>(env->RemoveFile(temp_name));
  }
  return status;
}

}  // namespace leveldb
