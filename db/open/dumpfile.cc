// DumpFile: prints a file of the database for humans. Damage is reported where it is, and what
// follows is printed as usual.
//
//   log       --- offset 0; sequence 12; 2 entries
//             'key' @ 12 : val => 'value'
//             'key' @ 13 : del
//   manifest  --- offset 0
//             one field of the edit per line
//   table     'key' @ 12 : val => 'value'

#include <memory>
#include <string>

#include "db/files/filename.h"
#include "db/open/table_scan.h"
#include "db/version/version_edit.h"
#include "entry/batch_cursor.h"
#include "entry/internal_key.h"
#include "filelog/log_reader.h"
#include "leveldb/dumpfile.h"
#include "leveldb/env.h"
#include "util/text.h"

namespace leveldb {

namespace {

// The text being written. Does nothing after an error.
class DumpText {
 public:
  // `destination` must outlive this object.
  explicit DumpText(WritableFile* destination) : destination_(destination) {}

  void Line(const std::string& text) {
    if (status_.ok()) status_ = destination_->Append(text + "\n");
  }

  void Damage(const std::string& what) { Line("(damaged) " + what); }

  void Entry(const Slice& user_key, SequenceNumber sequence, ValueType type, const Slice& value) {
    std::string text = "'" + Escaped(user_key) + "' @ " + NumberToString(sequence);
    text += type == kTypeValue ? " : val => '" + Escaped(value) + "'" : " : del";
    Line(text);
  }

  const Status& status() const { return status_; }

 private:
  WritableFile* const destination_;
  Status status_;
};

class TableDump final : public TableScanHandler {
 public:
  explicit TableDump(DumpText* text) : text_(text) {}

  bool Entry(const Slice& key, const Slice& value) override {
    ParsedKey parsed;
    if (ParseTableKey(key, &parsed)) {
      text_->Entry(parsed.user_key, parsed.sequence, parsed.type, value);
    } else {
      text_->Line("bad key '" + Escaped(key) + "' => '" + Escaped(value) + "'");
    }
    return text_->status().ok();
  }

  void Damage(uint64_t offset, uint64_t size, const std::string& what) override {
    text_->Damage(NumberToString(size) + " bytes at offset " + NumberToString(offset) + ": " +
                  what);
  }

 private:
  DumpText* const text_;
};

class LogDamageDump final : public LogReader::Reporter {
 public:
  explicit LogDamageDump(DumpText* text) : text_(text) {}

  void Corruption(size_t bytes, const Status& reason) override {
    text_->Damage(NumberToString(bytes) + " bytes passed over: " + reason.ToString());
  }

 private:
  DumpText* const text_;
};

void DumpBatch(const Slice& record, uint64_t offset, DumpText* text) {
  std::string title = "--- offset " + NumberToString(offset);
  if (record.size() < kBatchHeaderSize) {
    text->Line(title);
    text->Damage("a record of " + NumberToString(record.size()) +
                 " bytes is too short for a batch");
    return;
  }
  SequenceNumber sequence = BatchSequence(record);
  text->Line(title + "; sequence " + NumberToString(sequence) + "; " +
             NumberToString(BatchCount(record)) + " entries");
  BatchCursor cursor(record);
  while (cursor.Next() && text->status().ok()) {
    text->Entry(cursor.key(), sequence++, cursor.type(), cursor.value());
  }
  if (!cursor.status().ok()) text->Damage(cursor.status().ToString());
}

void DumpEdit(const Slice& record, uint64_t offset, DumpText* text) {
  text->Line("--- offset " + NumberToString(offset));
  VersionEdit edit;
  const Status status = edit.DecodeFrom(record);
  if (!status.ok()) {
    text->Damage(status.ToString());
    return;
  }
  std::string fields = edit.DebugString();
  if (!fields.empty() && fields.back() == '\n') fields.pop_back();
  text->Line(fields);
}

// Dumps a file in the log format, by calling `dump_record` for each record.
Status DumpRecords(Env* env, const std::string& name, DumpText* text,
                   void (*dump_record)(const Slice& record, uint64_t offset, DumpText* text)) {
  SequentialFile* opened = nullptr;
  const Status status = env->NewSequentialFile(name, &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<SequentialFile> file(opened);
  LogDamageDump reporter(text);
  LogReader reader(file.get(), &reporter, true);
  Slice record;
  std::string scratch;
  while (text->status().ok() && reader.ReadRecord(&record, &scratch)) {
    dump_record(record, reader.LastRecordOffset(), text);
  }
  if (!text->status().ok()) return text->status();
  const std::string tail_bytes = NumberToString(reader.TailBytes()) + " bytes at the end: ";
  if (reader.tail() == LogReader::Tail::kTorn) {
    text->Damage(tail_bytes + "the last record is not complete");
  } else if (reader.tail() == LogReader::Tail::kGarbage) {
    text->Damage(tail_bytes + reader.tail_reason().ToString());
  }
  return text->status();
}

}  // namespace

Status DumpFile(Env* env, const std::string& fname, WritableFile* dst) {
  const size_t slash = fname.rfind('/');
  const std::string name = slash == std::string::npos ? fname : fname.substr(slash + 1);
  uint64_t number;
  FileType type;
  DumpText text(dst);
  if (ParseFileName(name, &number, &type)) {
    if (type == kLogFile) return DumpRecords(env, fname, &text, DumpBatch);
    if (type == kManifestFile) return DumpRecords(env, fname, &text, DumpEdit);
    if (type == kTableFile) {
      TableDump dump(&text);
      const Status status = ScanTable(env, fname, &dump);
      return status.ok() ? text.status() : status;
    }
  }
  return Status::InvalidArgument(fname, "not the name of a log, a manifest or a table");
}

}  // namespace leveldb
