#include "testing/contents.h"

#include <cstdint>
#include <cstdio>
#include <memory>

namespace leveldb {
namespace testkit {

namespace {

Status ReadForwards(DB* db, const ReadOptions& options, Contents* contents) {
  const std::unique_ptr<Iterator> iterator(db->NewIterator(options));
  for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    contents->emplace_back(iterator->key().ToString(), iterator->value().ToString());
  }
  return iterator->status();
}

Status CompareBackwards(DB* db, const ReadOptions& options, const Contents& contents) {
  const std::unique_ptr<Iterator> iterator(db->NewIterator(options));
  size_t left = contents.size();
  for (iterator->SeekToLast(); iterator->Valid() && left > 0; iterator->Prev()) {
    --left;
    if (iterator->key() != contents[left].first || iterator->value() != contents[left].second) {
      if (!iterator->status().ok()) return iterator->status();
      return Status::Corruption("backwards differs from forwards at", iterator->key());
    }
  }
  if (!iterator->status().ok()) {
    return iterator->status();
  }
  if (left != 0 || iterator->Valid()) {
    return Status::Corruption("backwards and forwards find different numbers of entries");
  }
  return Status::OK();
}

Status CompareGets(DB* db, const ReadOptions& options, const Contents& contents) {
  std::string value;
  for (const auto& [key, expected] : contents) {
    const Status status = db->Get(options, key, &value);
    if (status.IsNotFound()) {
      return Status::Corruption("Get finds nothing where the iterator shows", key);
    }
    if (!status.ok()) return status;
    if (value != expected) {
      return Status::Corruption("Get and the iterator give different values for", key);
    }
  }
  return Status::OK();
}

uint32_t Fnv1a(const std::string& bytes) {
  uint32_t hash = 2166136261u;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 16777619u;
  }
  return hash;
}

}  // namespace

Status ReadContents(DB* db, Contents* contents, const Snapshot* snapshot) {
  contents->clear();
  ReadOptions options;
  options.verify_checksums = true;
  // Without a snapshot the three passes would not be comparable under concurrent writes.
  const Snapshot* const own = snapshot == nullptr ? db->GetSnapshot() : nullptr;
  options.snapshot = own != nullptr ? own : snapshot;
  Status status = ReadForwards(db, options, contents);
  if (status.ok()) {
    status = CompareBackwards(db, options, *contents);
  }
  if (status.ok()) {
    status = CompareGets(db, options, *contents);
  }
  if (own != nullptr) {
    db->ReleaseSnapshot(own);
  }
  return status;
}

std::string DumpText(const Contents& contents) {
  std::string text;
  char digits[32];
  for (const auto& [key, value] : contents) {
    for (const char byte : key) {
      std::snprintf(digits, sizeof(digits), "%02x", static_cast<unsigned char>(byte));
      text += digits;
    }
    std::snprintf(digits, sizeof(digits), " %zu %08x\n", value.size(), Fnv1a(value));
    text += digits;
  }
  return text;
}

}  // namespace testkit
}  // namespace leveldb
