#include "db/version/version_edit.h"

#include <cassert>

#include "db/version/level_limits.h"
#include "util/coding.h"
#include "util/text.h"

namespace leveldb {

namespace {

enum Tag : uint32_t {
  kComparatorTag = 1,
  kLogNumberTag = 2,
  kNextFileNumberTag = 3,
  kLastSequenceTag = 4,
  kCompactPointerTag = 5,
  kDeletedFileTag = 6,
  kNewFileTag = 7,
  kPrevLogNumberTag = 9,
};

void AppendNumberField(std::string* record, Tag tag, const std::optional<uint64_t>& number) {
  if (!number.has_value()) return;
  AppendVarint32(record, tag);
  AppendVarint64(record, *number);
}

void AppendLevelField(std::string* record, Tag tag, int level) {
  AppendVarint32(record, tag);
  AppendVarint32(record, static_cast<uint32_t>(level));
}

Status Damaged(const char* field) {
  return Status::Corruption("version edit: damaged field", field);
}

Status ReadNumber(SliceReader* reader, const char* field, std::optional<uint64_t>* number) {
  uint64_t value = 0;
  if (!reader->ReadVarint64(&value)) return Damaged(field);
  *number = value;
  return Status::OK();
}

Status ReadLevel(SliceReader* reader, const char* field, int* level) {
  uint32_t value = 0;
  if (!reader->ReadVarint32(&value)) return Damaged(field);
  if (value >= kNumLevels) {
    return Status::Corruption("version edit: no such level",
                              std::string(field) + " at level " + NumberToString(value));
  }
  *level = static_cast<int>(value);
  return Status::OK();
}

bool ReadKey(SliceReader* reader, InternalKey* key) {
  Slice encoded;
  return reader->ReadLengthPrefixed(&encoded) && key->DecodeFrom(encoded);
}

Status ReadCompactPointer(SliceReader* reader, VersionEdit* edit) {
  constexpr char kField[] = "compaction pointer";
  int level = 0;
  const Status status = ReadLevel(reader, kField, &level);
  if (!status.ok()) return status;
  InternalKey key;
  if (!ReadKey(reader, &key)) return Damaged(kField);
  edit->SetCompactPointer(level, key);
  return status;
}

Status ReadDeletedFile(SliceReader* reader, VersionEdit* edit) {
  constexpr char kField[] = "deleted file";
  int level = 0;
  const Status status = ReadLevel(reader, kField, &level);
  if (!status.ok()) return status;
  uint64_t number = 0;
  if (!reader->ReadVarint64(&number)) return Damaged(kField);
  edit->RemoveFile(level, number);
  return status;
}

Status ReadNewFile(SliceReader* reader, VersionEdit* edit) {
  constexpr char kField[] = "new file";
  int level = 0;
  const Status status = ReadLevel(reader, kField, &level);
  if (!status.ok()) return status;
  uint64_t number = 0;
  uint64_t size = 0;
  InternalKey smallest;
  InternalKey largest;
  if (!reader->ReadVarint64(&number) || number == 0) return Damaged(kField);
  if (!reader->ReadVarint64(&size)) return Damaged(kField);
  if (!ReadKey(reader, &smallest) || !ReadKey(reader, &largest)) return Damaged(kField);
  edit->AddFile(level, number, size, smallest, largest);
  return status;
}

void AppendLine(std::string* text, const char* name, const std::optional<uint64_t>& number) {
  if (!number.has_value()) return;
  text->append(name).append(": ");
  AppendNumber(text, *number);
  text->push_back('\n');
}

void AppendLevelAndNumber(std::string* text, const char* name, int level, uint64_t number) {
  text->append(name).append(": level ");
  AppendNumber(text, static_cast<uint64_t>(level));
  text->append(" #");
  AppendNumber(text, number);
}

}  // namespace

void VersionEdit::SetCompactPointer(int level, const InternalKey& key) {
  assert(level >= 0);
  assert(level < kNumLevels);
  compact_pointers_.push_back({level, key});
}

void VersionEdit::RemoveFile(int level, uint64_t number) {
  assert(level >= 0);
  assert(level < kNumLevels);
  deleted_files_.push_back({level, number});
}

void VersionEdit::AddFile(int level, uint64_t number, uint64_t size, const InternalKey& smallest,
                          const InternalKey& largest) {
  assert(level >= 0);
  assert(level < kNumLevels);
  new_files_.push_back({level, number, size, smallest, largest});
}

void VersionEdit::EncodeTo(std::string* record) const {
  if (comparator_.has_value()) {
    AppendVarint32(record, kComparatorTag);
    AppendLengthPrefixed(record, *comparator_);
  }
  AppendNumberField(record, kLogNumberTag, log_number_);
  AppendNumberField(record, kPrevLogNumberTag, prev_log_number_);
  AppendNumberField(record, kNextFileNumberTag, next_file_number_);
  AppendNumberField(record, kLastSequenceTag, last_sequence_);
  for (const CompactPointer& pointer : compact_pointers_) {
    AppendLevelField(record, kCompactPointerTag, pointer.level);
    AppendLengthPrefixed(record, pointer.key.Encode());
  }
  for (const DeletedFile& file : deleted_files_) {
    AppendLevelField(record, kDeletedFileTag, file.level);
    AppendVarint64(record, file.number);
  }
  for (const NewFile& file : new_files_) {
    AppendLevelField(record, kNewFileTag, file.level);
    AppendVarint64(record, file.number);
    AppendVarint64(record, file.size);
    AppendLengthPrefixed(record, file.smallest.Encode());
    AppendLengthPrefixed(record, file.largest.Encode());
  }
  pmem_.EncodeTo(record);
}

Status VersionEdit::DecodeFrom(const Slice& record) {
  Clear();
  SliceReader reader(record);
  while (!reader.empty()) {
    uint32_t tag = 0;
    if (!reader.ReadVarint32(&tag)) return Damaged("tag");
    const Status status = DecodeField(tag, &reader);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

Status VersionEdit::DecodeField(uint32_t tag, SliceReader* reader) {
  switch (tag) {
    case kComparatorTag: {
      Slice name;
      if (!reader->ReadLengthPrefixed(&name)) return Damaged("comparator name");
      if (PmemEdit::IsMark(name)) return pmem_.DecodeMark(name, reader);
      SetComparatorName(name);
      return Status::OK();
    }
    case kLogNumberTag:
      return ReadNumber(reader, "log number", &log_number_);
    case kPrevLogNumberTag:
      return ReadNumber(reader, "previous log number", &prev_log_number_);
    case kNextFileNumberTag:
      return ReadNumber(reader, "next file number", &next_file_number_);
    case kLastSequenceTag:
      return ReadNumber(reader, "last sequence", &last_sequence_);
    case kCompactPointerTag:
      return ReadCompactPointer(reader, this);
    case kDeletedFileTag:
      return ReadDeletedFile(reader, this);
    case kNewFileTag:
      return ReadNewFile(reader, this);
    default:
      if (PmemEdit::OwnsTag(tag)) return pmem_.DecodeField(tag, reader);
      return Status::Corruption("version edit: unknown tag", NumberToString(tag));
  }
}

std::string VersionEdit::DebugString() const {
  std::string text;
  if (comparator_.has_value()) text.append("comparator: " + Escaped(*comparator_) + "\n");
  AppendLine(&text, "log number", log_number_);
  AppendLine(&text, "previous log number", prev_log_number_);
  AppendLine(&text, "next file number", next_file_number_);
  AppendLine(&text, "last sequence", last_sequence_);
  for (const CompactPointer& pointer : compact_pointers_) {
    text.append("compaction pointer: level ");
    AppendNumber(&text, static_cast<uint64_t>(pointer.level));
    text.append(" " + pointer.key.DebugString() + "\n");
  }
  for (const DeletedFile& file : deleted_files_) {
    AppendLevelAndNumber(&text, "deleted file", file.level, file.number);
    text.push_back('\n');
  }
  for (const NewFile& file : new_files_) {
    AppendLevelAndNumber(&text, "new file", file.level, file.number);
    text.append(" ");
    AppendNumber(&text, file.size);
    text.append(" bytes " + file.smallest.DebugString() + " .. " + file.largest.DebugString() +
                "\n");
  }
  return text + pmem_.DebugString();
}

}  // namespace leveldb
