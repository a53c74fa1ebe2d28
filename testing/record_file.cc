#include "testing/record_file.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "filelog/log_reader.h"
#include "filelog/log_writer.h"
#include "leveldb/env.h"

namespace leveldb {
namespace testkit {

namespace {

void Expect(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

std::vector<std::string> ReadRecords(const std::string& path) {
  SequentialFile* opened = nullptr;
  Expect(Env::Default()->NewSequentialFile(path, &opened));
  const std::unique_ptr<SequentialFile> file(opened);
  LogReader reader(file.get(), nullptr, /*checksum=*/true);
  std::vector<std::string> records;
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) records.push_back(record.ToString());
  return records;
}

void WriteRecords(const std::string& path, const std::vector<std::string>& records) {
  WritableFile* opened = nullptr;
  Expect(Env::Default()->NewWritableFile(path, &opened));
  const std::unique_ptr<WritableFile> file(opened);
  LogWriter writer(file.get());
  for (const std::string& record : records) Expect(writer.AddRecord(record));
  Expect(file->Close());
}

}  // namespace testkit
}  // namespace leveldb
