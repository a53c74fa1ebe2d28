#include "db/open/pool_salvage.h"

#include "entry/compact_batch.h"
#include "entry/value_ref.h"
#include "pmem/bptree/tree_salvage.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/wal_reader.h"
#include "util/text.h"

namespace leveldb {

TreeContext PoolSalvage::MakeTreeContext() const {
  TreeContext context;
  context.pool = pool_;
  context.comparator = &context_->comparator();
  return context;
}

Status PoolSalvage::SaveTree(const TierSurvey::NamedTree& named) {
  const std::string name = "tree #" + NumberToString(named.record.number);
  const uint64_t entries_before = entries_;
  const Status status = SalvageTree(
      MakeTreeContext(), named.record,
      [&](const Slice& key, const Slice& value) { return SaveEntry(key, value, name); },
      [&](const Status& damage) { NoteDamage(name, damage); });
  Log(context_->info_log(), "repair: %s: %llu of %llu entries saved", name.c_str(),
      static_cast<unsigned long long>(entries_ - entries_before),
      static_cast<unsigned long long>(named.record.entries));
  return status;
}

Status PoolSalvage::SaveFoundTree(const FoundTree& found) {
  const std::string name = "tree #" + NumberToString(found.number);
  const uint64_t entries_before = entries_;
  const Status status = SalvageFoundTree(
      MakeTreeContext(), found,
      [&](const Slice& key, const Slice& value) { return SaveEntry(key, value, name); },
      [&](const Status& damage) { NoteDamage(name, damage); });
  Log(context_->info_log(), "repair: %s, which the manifest does not name: %llu entries saved",
      name.c_str(), static_cast<unsigned long long>(entries_ - entries_before));
  return status;
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

// Saves an entry with its value: tables contain no references.
Status PoolSalvage::SaveEntry(const Slice& internal_key, const Slice& value,
                              const std::string& name) {
  ParsedKey parsed;
  if (!ParseInternalKey(internal_key, &parsed)) {
    NoteDamage(name, Status::Corruption("bad key", Escaped(internal_key)));
    return Status::OK();
  }
  if (!sorter_->TakesType(parsed.type)) return Status::OK();
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
  constexpr uint64_t kMaxLines = 100;  // more lines would hide the others
  if (++damaged_places_ > kMaxLines) return;
  Log(context_->info_log(), "repair: %s: %s%s", name.c_str(), status.ToString().c_str(),
      damaged_places_ == kMaxLines ? " (and possibly more)" : "");
}

}  // namespace leveldb
