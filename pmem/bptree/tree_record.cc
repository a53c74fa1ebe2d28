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
  AppendVarint64(dst, fence_place);
  AppendVarint32(dst, fence_bytes);
  AppendFixed32(dst, fence_crc);
  AppendFixed64(dst, salt);
  AppendVarint64(dst, entries);
  AppendVarint64(dst, leaf_bytes);
  AppendVarint64(dst, user_bytes);
  AppendLengthPrefixed(dst, smallest.Encode());
  AppendLengthPrefixed(dst, largest.Encode());
}

bool TreeRecord::DecodeFrom(SliceReader* reader) {
  return reader->ReadVarint64(&number) && reader->ReadVarint64(&fence_place) &&
         reader->ReadVarint32(&fence_bytes) && reader->ReadFixed32(&fence_crc) &&
         reader->ReadFixed64(&salt) && reader->ReadVarint64(&entries) &&
         reader->ReadVarint64(&leaf_bytes) && reader->ReadVarint64(&user_bytes) &&
         ReadKey(reader, &smallest) && ReadKey(reader, &largest) && fence_place != kNoPlace &&
         entries > 0;
}

std::string TreeRecord::DebugString() const {
  return "#" + NumberToString(number) + " [" + smallest.DebugString() + " .. " +
         largest.DebugString() + "] " + NumberToString(entries) + " entries";
}

}  // namespace leveldb
