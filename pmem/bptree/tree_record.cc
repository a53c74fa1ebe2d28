#include "pmem/bptree/tree_record.h"

#include "util/coding.h"
#include "util/text.h"

namespace leveldb {

namespace {

bool ReadKey(SliceReader* reader, InternalKey* key) {
  Slice bytes;
  ParsedKey parsed;
  return reader->ReadLengthPrefixed(&bytes) && ParseInternalKey(bytes, &parsed) &&
         key->DecodeFrom(bytes);
}

}  // namespace

void TreeRecord::EncodeTo(std::string* dst) const {
  AppendVarint64(dst, number);
  AppendVarint64(dst, footer_offset);
  AppendVarint32(dst, footer_bytes);
  AppendFixed32(dst, footer_crc);
  AppendFixed64(dst, salt);
  AppendVarint64(dst, entries);
  AppendVarint64(dst, leaf_bytes);
  AppendVarint64(dst, user_bytes);
  AppendLengthPrefixed(dst, smallest.Encode());
  AppendLengthPrefixed(dst, largest.Encode());
}

bool TreeRecord::DecodeFrom(SliceReader* reader) {
  return reader->ReadVarint64(&number) && reader->ReadVarint64(&footer_offset) &&
         reader->ReadVarint32(&footer_bytes) && reader->ReadFixed32(&footer_crc) &&
         reader->ReadFixed64(&salt) && reader->ReadVarint64(&entries) &&
         reader->ReadVarint64(&leaf_bytes) && reader->ReadVarint64(&user_bytes) &&
         ReadKey(reader, &smallest) && ReadKey(reader, &largest) &&
         footer_offset != kNoPoolOffset && entries > 0;
}

std::string TreeRecord::DebugString() const {
  return "#" + NumberToString(number) + " [" + smallest.DebugString() + " .. " +
         largest.DebugString() + "] " + NumberToString(entries) + " entries";
}

}  // namespace leveldb
