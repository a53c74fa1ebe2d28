#include "db/open/pool_salvage.h"

#include "entry/compact_batch.h"
#include "entry/value_ref.h"
#include "leveldb/iterator.h"
#include "pmem/bptree/tree.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/wal_reader.h"
#include "util/text.h"

namespace leveldb {

PoolSalvage::PoolSalvage(const RepairContext* context, Pool* pool, EntrySorter* sorter,
                         SequenceRange* sequences)
    : context_(context), pool_(pool), extents_(pool), sorter_(sorter), sequences_(sequences) {}

Status PoolSalvage::SaveTree(const TierSurvey::NamedTree& named) {
  const std::string name = "tree #" + NumberToString(named.record.number);
  TreeContext tree_context;
  tree_context.pool = pool_;
  tree_context.extents = &extents_;
  tree_context.comparator = &context_->comparator();
  tree_context.list_chunks = &ListValuePieces;
  TreePtr tree;
  Status status = Tree::Open(tree_context, named.record, &tree);
  if (!status.ok()) {
    NoteDamage(name, status);
    return Status::OK();
  }
  const uint64_t entries_before = entries_;
  std::string last_key;
  std::unique_ptr<Iterator> entries(tree->NewIterator(/*verify_checksums=*/true));
  status = SaveEntries(entries.get(), name, &last_key);
  if (!status.ok()) return status;
  if (!entries->status().ok()) {
    NoteDamage(name, entries->status());
    entries.reset(tree->NewIterator(/*verify_checksums=*/true));
    status = SaveEntriesBackward(entries.get(), name, last_key);
  }
  Log(context_->info_log(), "repair: %s: %llu of %llu entries saved", name.c_str(),
      static_cast<unsigned long long>(entries_ - entries_before),
      static_cast<unsigned long long>(named.record.entries));
  return status;
}

Status PoolSalvage::SaveEntries(Iterator* entries, const std::string& name, std::string* last_key) {
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    const Slice key = entries->key();
    last_key->assign(key.data(), key.size());
    const Status status = SaveEntry(key, entries->value(), name);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

Status PoolSalvage::SaveEntriesBackward(Iterator* entries, const std::string& name,
                                        const std::string& last_key) {
  for (entries->SeekToLast(); entries->Valid(); entries->Prev()) {
    const bool is_saved =
        !last_key.empty() && context_->comparator().Compare(entries->key(), last_key) <= 0;
    if (is_saved) break;
    const Status status = SaveEntry(entries->key(), entries->value(), name);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

Status PoolSalvage::SaveLog(const LogSlot& slot) {
  WalReader reader(*pool_, slot);
  const Status opened = reader.Open();
  if (!opened.ok()) {
    NoteDamage("a log", opened);
    return Status::OK();
  }
  const uint64_t entries_before = entries_;
  Slice record;
  std::string scratch;
  std::string key;
  while (reader.ReadRecord(&record, &scratch)) {
    CompactBatchCursor check(record, reader.start().first_sequence);
    while (check.Next()) continue;
    if (!check.status().ok()) {
      NoteDamage(reader.Name(), check.status());
      continue;
    }
    CompactBatchCursor cursor(record, reader.start().first_sequence);
    while (cursor.Next()) {
      key.clear();
      AppendInternalKey(&key, cursor.key(), cursor.sequence(), cursor.type());
      const Status status = SaveEntry(key, cursor.value(), reader.Name());
      if (!status.ok()) return status;
    }
  }
  if (!reader.status().ok()) NoteDamage(reader.Name(), reader.status());
  Log(context_->info_log(), "repair: %s: %llu entries saved", reader.Name().c_str(),
      static_cast<unsigned long long>(entries_ - entries_before));
  return Status::OK();
}

// Tables know no references: the value goes with the key.
Status PoolSalvage::SaveEntry(const Slice& internal_key, const Slice& value,
                              const std::string& name) {
  ParsedKey parsed;
  if (!ParseInternalKey(internal_key, &parsed)) {
    NoteDamage(name, Status::Corruption("bad key", Escaped(internal_key)));
    return Status::OK();
  }
  Slice found = value;
  ValueType type = parsed.type;
  if (type == kTypeValueRef) {
    ValueRef reference;
    Status status = DecodeValueRef(value, &reference)
                        ? ReadValueInPlace(*pool_, reference, true, &found, &scratch_)
                        : Status::Corruption("a reference to a value that is none");
    if (!status.ok()) {
      NoteDamage(name, status);
      return Status::OK();
    }
    type = kTypeValue;
  }
  key_.clear();
  AppendInternalKey(&key_, parsed.user_key, parsed.sequence, type);
  sequences_->Add(parsed.sequence);
  entries_++;
  return sorter_->Add(key_, found);
}

void PoolSalvage::NoteDamage(const std::string& name, const Status& status) {
  constexpr uint64_t kMaxLines = 100;  // more would only bury the others
  if (++damaged_places_ > kMaxLines) return;
  Log(context_->info_log(), "repair: %s: %s%s", name.c_str(), status.ToString().c_str(),
      damaged_places_ == kMaxLines ? " (and possibly more)" : "");
}

}  // namespace leveldb
