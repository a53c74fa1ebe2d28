// Fuzzes version edits and manifests. What can be decoded as an edit is encoded as the same edit.
// Whatever a manifest and CURRENT hold, a database opens and serves, or reports damage.
//
// Input: the mode (0: the rest is an edit, 1: a manifest, 2: the edits of a manifest, each preceded
// by its length, 3: CURRENT), the rest.
#include <memory>
#include <string>

#include "db/files/filename.h"
#include "db/version/version_edit.h"
#include "filelog/log_writer.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "testing/fuzz/fuzz_input.h"

namespace leveldb {
namespace fuzz {
namespace {

constexpr char kName[] = "/db";
constexpr int kEntriesMax = 100;

class SilentLogger final : public Logger {
 public:
  void Logv(const char* format, std::va_list arguments) override {}
};

void TakeAsEdit(const Slice& bytes) {
  VersionEdit edit;
  if (!edit.DecodeFrom(bytes).ok()) return;
  std::string encoded;
  edit.EncodeTo(&encoded);
  VersionEdit same;
  Require(same.DecodeFrom(encoded).ok(), "what is written can be read");
  std::string again;
  same.EncodeTo(&again);
  Require(encoded == again, "and is the same");
  Require(edit.DebugString() == same.DebugString(), "also for people");
}

Options MakeOptions(Env* env, Logger* logger) {
  Options options;
  options.env = env;
  options.info_log = logger;
  options.write_buffer_size = 64 << 10;
  return options;
}

// Makes a small database with a table, a manifest and a log that have contents.
void MakeDatabase(const Options& base) {
  Options options = base;
  options.create_if_missing = true;
  DB* opened = nullptr;
  Require(DB::Open(options, kName, &opened).ok(), "a new database opens");
  const std::unique_ptr<DB> db(opened);
  for (int i = 0; i < 30; ++i) {
    const std::string key = "key" + std::to_string(10 + i);
    Require(db->Put(WriteOptions(), key, "value").ok(), "it can be written to");
    if (i == 15) db->CompactRange(nullptr, nullptr);
  }
}

std::string LiveManifest(Env* env) {
  std::string current;
  Require(ReadFileToString(env, CurrentFileName(kName), &current).ok(), "there is a CURRENT");
  current.pop_back();
  return std::string(kName) + "/" + current;
}

void WriteManifest(Env* env, const std::string& path, uint8_t kind, FuzzInput* input) {
  WritableFile* opened = nullptr;
  Require(env->NewWritableFile(path, &opened).ok(), "a file can be made");
  const std::unique_ptr<WritableFile> file(opened);
  if (kind == 1) {
    Require(file->Append(input->Rest()).ok(), "it can be written");
    return;
  }
  LogWriter writer(file.get());
  while (!input->empty()) {
    Require(writer.AddRecord(input->String()).ok(), "records can be written");
  }
}

void Use(DB* db) {
  const std::unique_ptr<Iterator> iterator(db->NewIterator(ReadOptions()));
  int entries = 0;
  for (iterator->SeekToFirst(); iterator->Valid() && entries < kEntriesMax; iterator->Next()) {
    ++entries;
  }
  for (iterator->SeekToLast(); iterator->Valid() && entries > 0; iterator->Prev()) --entries;
  std::string value;
  for (const char* key : {"key20", "key38", "", "zzz"}) {
    static_cast<void>(db->Get(ReadOptions(), key, &value));  // any answer is right
  }
  db->GetProperty("leveldb.sstables", &value);
  db->GetProperty("leveldb.stats", &value);
  const Range range("a", "z");
  uint64_t bytes = 0;
  db->GetApproximateSizes(&range, 1, &bytes);
  // May fail: the manifest may say that no number is left, or that the table is something else.
  static_cast<void>(db->Put(WriteOptions(), "new", "value"));
  db->CompactRange(nullptr, nullptr);
}

void OpenDatabase(uint8_t kind, FuzzInput* input) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  SilentLogger logger;
  Options options = MakeOptions(env.get(), &logger);
  MakeDatabase(options);
  if (kind == 3) {
    Require(WriteStringToFile(env.get(), input->Rest(), CurrentFileName(kName)).ok(),
            "CURRENT can be written");
  } else {
    WriteManifest(env.get(), LiveManifest(env.get()), kind, input);
  }
  options.paranoid_checks = true;
  DB* opened = nullptr;
  const Status status = DB::Open(options, kName, &opened);
  Require(status.ok() == (opened != nullptr), "a database or an error");
  const std::unique_ptr<DB> db(opened);
  if (db != nullptr) Use(db.get());
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  leveldb::fuzz::FuzzInput input(data, size);
  const uint8_t kind = input.Byte() % 4;
  if (kind == 0) {
    leveldb::fuzz::TakeAsEdit(input.Rest());
  } else {
    leveldb::fuzz::OpenDatabase(kind, &input);
  }
  return 0;
}
