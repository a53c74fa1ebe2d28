#include "db/open/applied_log.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "db/version/level_search.h"
#include "entry/batch_cursor.h"
#include "filelog/log_reader.h"
#include "pmem/group/group_iter.h"

namespace leveldb {

namespace {

struct Less {
  const Comparator* order;
  bool operator()(const std::string& a, const std::string& b) const {
    return order->Compare(a, b) < 0;
  }
};

// The last writes of a log, by key.
using LastWrites = std::map<std::string, KnownVersion, Less>;

class AnyDamage final : public LogReporter {
 public:
  void Corruption(size_t, const Status&) override { found_ = true; }
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

// Adds the writes of a record to `*writes`. Returns false if the record is not a complete batch.
bool NoteWrites(const Slice& record, LastWrites* writes) {
  if (record.size() < kBatchHeaderSize || BatchSequence(record) > kMaxSequenceNumber) return false;
  SequenceNumber sequence = BatchSequence(record);
  BatchCursor cursor(record);
  while (cursor.Next()) {
    KnownVersion& write = (*writes)[cursor.key().ToString()];
    if (write.is_known && write.sequence > sequence) {
      sequence++;
      continue;
    }
    write.is_known = true;
    write.sequence = sequence++;
    write.type = cursor.type();
    write.value = cursor.value().ToString();
  }
  return cursor.status().ok() && sequence <= kMaxSequenceNumber + 1;
}

// Returns whether `found` is that write, or newer. A deletion of an absent key has no effect.
bool Covers(const KnownVersion& found, const KnownVersion& write) {
  if (!found.is_known) return write.type == kTypeDeletion;
  if (found.sequence != write.sequence) return found.sequence > write.sequence;
  if (found.type == kTypeValueRef) return write.type == kTypeValue;
  return found.type == write.type && (write.type == kTypeDeletion || found.value == write.value);
}

struct TableSearch {
  const Comparator* comparator;
  Slice user_key;
  KnownVersion* newest;
  bool is_damaged = false;
};

void OnEntry(void* arg, const Slice& internal_key, const Slice& value) {
  TableSearch* const search = static_cast<TableSearch*>(arg);
  ParsedKey key;
  if (!ParseTableKey(internal_key, &key)) {
    search->is_damaged = true;
    return;
  }
  if (search->comparator->Compare(key.user_key, search->user_key) != 0) return;
  search->newest->Note(key, value);
}

// Uses iterators: with a second caller of the lookup, the compiler would not inline it into Get.
Status FindInTrees(const TreeGroupPtr& group, const Comparator* comparator, const LookupKey& key,
                   KnownVersion* found) {
  std::vector<InternalIterator*> added;
  AppendGroupIterators(group, /*verify_checksums=*/true, nullptr, &added);
  const std::vector<std::unique_ptr<InternalIterator>> trees(added.begin(), added.end());
  for (const std::unique_ptr<InternalIterator>& tree : trees) {
    tree->Seek(key.internal_key());
    if (!tree->status().ok()) return tree->status();
    ParsedKey parsed;
    if (!tree->Valid() || !ParseInternalKey(tree->key(), &parsed)) continue;
    if (comparator->Compare(parsed.user_key, key.user_key()) != 0) continue;
    found->Note(parsed, tree->value());
  }
  return Status::OK();
}

Status FindInVersion(const Version& version, TableCache* table_cache, const LookupKey& key,
                     KnownVersion* found) {
  const Comparator* const comparator = version.comparator()->user_comparator();
  const Slice user_key = key.user_key();
  Status status = FindInTrees(version.group(), comparator, key, found);
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : version.OverlappingUserRange(level, &user_key, &user_key)) {
      if (!status.ok()) return status;
      status = found->LookInto(table_cache, comparator, file->number, file->size, key);
    }
  }
  return status;
}

}  // namespace

void KnownVersion::Note(const ParsedKey& version, const Slice& version_value) {
  if (is_known && sequence >= version.sequence) return;
  is_known = true;
  sequence = version.sequence;
  type = version.type;
  value = version_value.ToString();
}

Status KnownVersion::LookInto(TableCache* table_cache, const Comparator* comparator,
                              uint64_t number, uint64_t size, const LookupKey& key) {
  ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  TableSearch search{comparator, key.user_key(), this};
  const Status status =
      table_cache->Get(options, number, size, key.internal_key(), &search, &OnEntry);
  return search.is_damaged ? Status::Corruption("a table has a damaged key") : status;
}

AppliedLog::AppliedLog(Env* env, const Comparator* comparator, FindNewest find)
    : env_(env), comparator_(comparator), find_(std::move(find)) {}

AppliedLog::AppliedLog(Env* env, TableCache* table_cache, VersionPtr version)
    : AppliedLog(env, version->comparator()->user_comparator(),
                 [table_cache, version](const LookupKey& key, KnownVersion* found) {
                   return FindInVersion(*version, table_cache, key, found);
                 }) {}

bool AppliedLog::IsApplied(const std::string& path) const {
  SequentialFile* opened = nullptr;
  if (!env_->NewSequentialFile(path, &opened).ok()) return false;
  const std::unique_ptr<SequentialFile> file(opened);
  AnyDamage damage;
  LogReader reader(file.get(), &damage, /*checksum=*/true);
  LastWrites writes(Less{comparator_});
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    if (!NoteWrites(record, &writes)) return false;
  }
  if (damage.found()) return false;
  for (const auto& [key, write] : writes) {
    KnownVersion found;
    const LookupKey lookup(key, kMaxSequenceNumber);
    if (!find_(lookup, &found).ok() || !Covers(found, write)) return false;
  }
  return true;
}

}  // namespace leveldb
