// Fuzzes the record log. Whatever a file holds, reading it ends, goes forward, and returns no more
// than the file has. If the log ends cleanly, records can be appended and are read after the
// others.
//
// Input: options (1: verify checksums, 2: correct them first), how much a read returns, the file.
#include <string>
#include <vector>

#include "filelog/format.h"
#include "filelog/log_reader.h"
#include "filelog/log_writer.h"
#include "testing/fuzz/fuzz_input.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {
namespace fuzz {
namespace {

class StringSource final : public SequentialFile {
 public:
  StringSource(const std::string& bytes, size_t read_most) : rest_(bytes), read_most_(read_most) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    n = std::min({n, rest_.size(), read_most_});
    std::copy(rest_.data(), rest_.data() + n, scratch);
    *result = Slice(scratch, n);
    rest_.remove_prefix(n);
    return Status::OK();
  }
  Status Skip(uint64_t n) override { return Status::NotSupported("Skip"); }

 private:
  Slice rest_;
  const size_t read_most_;
};

class StringSink final : public WritableFile {
 public:
  explicit StringSink(std::string* bytes) : bytes_(bytes) {}

  Status Append(const Slice& data) override {
    bytes_->append(data.data(), data.size());
    return Status::OK();
  }
  Status Close() override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override { return Status::OK(); }

 private:
  std::string* const bytes_;
};

// Corrects the checksums at every position where a fragment can be.
void CorrectChecksums(std::string* file) {
  for (size_t block = 0; block < file->size(); block += kLogBlockSize) {
    const size_t end = std::min(block + kLogBlockSize, file->size());
    size_t at = block;
    while (end - at >= kLogHeaderSize) {
      char* const header = file->data() + at;
      const size_t size = static_cast<uint8_t>(header[4]) | static_cast<uint8_t>(header[5]) << 8;
      if (size > end - at - kLogHeaderSize) break;
      StoreFixed32(header, crc32c::Mask(crc32c::Value(header + 6, 1 + size)));
      at += kLogHeaderSize + size;
    }
  }
}

struct Contents {
  std::vector<std::string> records;
  uint64_t valid_end = 0;
  LogReader::Tail tail = LogReader::Tail::kComplete;
};

Contents ReadAll(const std::string& file, size_t read_most, bool verify) {
  StringSource source(file, read_most);
  LogReader reader(&source, nullptr, verify);
  Contents contents;
  Slice record;
  std::string scratch;
  size_t bytes = 0;
  while (reader.ReadRecord(&record, &scratch)) {
    Require(reader.LastRecordOffset() >= contents.valid_end, "records come one after the other");
    Require(reader.ValidEnd() > reader.LastRecordOffset(), "a record takes room");
    Require(reader.ValidEnd() <= file.size(), "records lie in the file");
    contents.valid_end = reader.ValidEnd();
    bytes += record.size();
    contents.records.push_back(record.ToString());
  }
  Require(!reader.ReadRecord(&record, &scratch), "the end is the end");
  Require(bytes <= file.size(), "no more is read than there is");
  Require(reader.ValidEnd() + reader.TailBytes() == file.size(), "the tail is the rest");
  Require(reader.tail() != LogReader::Tail::kUnreadable, "nothing failed");
  contents.tail = reader.tail();
  return contents;
}

void AppendAndReadAgain(std::string file, const Contents& before) {
  file.resize(before.valid_end);
  StringSink sink(&file);
  LogWriter writer(&sink, file.size());
  const std::string added = "one more";
  Require(writer.AddRecord(added).ok(), "a record can be appended");
  const Contents after = ReadAll(file, file.size(), true);
  Require(!after.records.empty() && after.records.back() == added, "it can be read");
  Require(after.records.size() == before.records.size() + 1, "nothing is lost by it");
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace leveldb;
  using namespace leveldb::fuzz;
  FuzzInput input(data, size);
  const uint8_t options = input.Byte();
  const size_t read_most = 1 + input.Short();
  std::string file = input.Rest().ToString();
  if ((options & 2) != 0) CorrectChecksums(&file);
  const bool verify = (options & 1) != 0;
  const Contents contents = ReadAll(file, read_most, verify);
  if (verify && contents.tail == LogReader::Tail::kComplete) AppendAndReadAgain(file, contents);
  return 0;
}
