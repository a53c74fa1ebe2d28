#include "db/open/repair_sources.h"

#include <memory>

#include "db/open/applied_log.h"
#include "db/open/table_scan.h"
#include "entry/batch_cursor.h"
#include "filelog/log_reader.h"
#include "leveldb/env.h"
#include "util/posix_io.h"
#include "util/text.h"

namespace leveldb {

namespace {

// More lines about one file would hide the others.
constexpr uint64_t kMaxLinesPerFile = 20;

void NoteDamage(const RepairContext& context, const std::string& name, uint64_t bytes,
                const std::string& what, DamageReport* damage) {
  damage->places++;
  damage->bytes += bytes;
  if (damage->places > kMaxLinesPerFile) return;
  Log(context.info_log(), "repair: %s: %s%s", name.c_str(), what.c_str(),
      damage->places == kMaxLinesPerFile ? " (and possibly more)" : "");
}

std::string InDirectory(const RepairContext& context, const std::string& name) {
  return context.dbname() + "/" + name;
}

class TableChecker final : public TableScanHandler {
 public:
  TableChecker(const RepairContext& context, const std::string& name, SalvagedTable* table,
               DamageReport* damage)
      : context_(context), name_(name), table_(table), damage_(damage) {}

  bool Entry(const Slice& key, const Slice& value) override {
    ParsedKey parsed;
    if (!ParseTableKey(key, &parsed)) {
      NoteDamage(context_, name_, key.size() + value.size(), "bad key " + Escaped(key), damage_);
      return true;
    }
    table_->entries++;
    table_->sequences.Add(parsed.sequence);
    const bool is_first = table_->largest.empty();
    if (!is_first && context_.comparator().Compare(table_->largest.Encode(), key) >= 0) {
      NoteDamage(context_, name_, 0, "key out of order: " + Escaped(key), damage_);
      return true;
    }
    table_->largest.DecodeFrom(key);
    if (is_first) table_->smallest = table_->largest;
    return true;
  }

  void Damage(uint64_t offset, uint64_t size, const std::string& what) override {
    NoteDamage(context_, name_, size,
               what + " (" + NumberToString(size) + " bytes at " + NumberToString(offset) + ")",
               damage_);
  }

 private:
  const RepairContext& context_;
  const std::string& name_;
  SalvagedTable* const table_;
  DamageReport* const damage_;
};

class TableSalvager final : public TableScanHandler {
 public:
  TableSalvager(EntrySorter* sorter, uint64_t* entries, SequenceRange* sequences)
      : sorter_(sorter), entries_(entries), sequences_(sequences) {
    *entries_ = 0;
  }

  bool Entry(const Slice& key, const Slice& value) override {
    ParsedKey parsed;
    if (!ParseTableKey(key, &parsed) || !sorter_->TakesType(parsed.type)) return true;
    status_ = sorter_->Add(key, value);
    sequences_->Add(parsed.sequence);
    ++*entries_;
    return status_.ok();
  }

  // Ignored: a check has reported it before, if it matters.
  void Damage(uint64_t, uint64_t, const std::string&) override {}

  const Status& status() const { return status_; }

 private:
  EntrySorter* const sorter_;
  uint64_t* const entries_;
  SequenceRange* const sequences_;
  Status status_;
};

class LogDamageReporter final : public LogReader::Reporter {
 public:
  LogDamageReporter(const RepairContext& context, const std::string& name, DamageReport* damage)
      : context_(context), name_(name), damage_(damage) {}

  void Corruption(size_t bytes, const Status& status) override {
    if (IsShortage(status)) shortage_ = status;
    NoteDamage(context_, name_, bytes, status.ToString() + " (" + NumberToString(bytes) + " bytes)",
               damage_);
  }

  // Returns the first shortage of memory or descriptors: then the contents of the log are not
  // known.
  const Status& shortage() const { return shortage_; }

 private:
  const RepairContext& context_;
  const std::string& name_;
  DamageReport* const damage_;
  Status shortage_;
};

// Adds the entries of a batch whose first one gets the number `sequence`.
Status AddBatch(const Slice& batch, SequenceNumber sequence, EntrySorter* sorter, uint64_t* entries,
                SequenceRange* sequences) {
  std::string key;
  for (BatchCursor cursor(batch); cursor.Next(); sequence++) {
    if (!sorter->TakesType(cursor.type())) continue;
    key.clear();
    AppendInternalKey(&key, cursor.key(), sequence, cursor.type());
    const Status status = sorter->Add(key, cursor.value());
    if (!status.ok()) return status;
    sequences->Add(sequence);
    ++*entries;
  }
  return Status::OK();
}

// Adds the intact batches of a log to `*sorter`, and returns in `*tail` how the log ended.
Status ReadLog(const RepairContext& context, const std::string& name, EntrySorter* sorter,
               uint64_t* entries, SequenceRange* sequences, RecordNumbering* numbering,
               DamageReport* damage, LogReader::Tail* tail) {
  SequentialFile* opened = nullptr;
  const Status status = context.env()->NewSequentialFile(InDirectory(context, name), &opened);
  if (!status.ok()) return status;
  const std::unique_ptr<SequentialFile> file(opened);
  numbering->BeginLog(InDirectory(context, name));
  LogDamageReporter reporter(context, name, damage);
  LogReader reader(file.get(), &reporter, true);
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) {
    bool applies;
    SequenceNumber first;
    const Status sound = numbering->Number(record, &applies, &first);
    if (!sound.ok()) reporter.Corruption(record.size(), sound);
    if (!sound.ok() || !applies) continue;
    const Status added = AddBatch(record, first, sorter, entries, sequences);
    if (!added.ok()) return added;
  }
  if (!reporter.shortage().ok()) return reporter.shortage();
  if (numbering->skipped() > 0) {
    Log(context.info_log(), "repair: %s: %llu records are there twice; they are saved once",
        name.c_str(), static_cast<unsigned long long>(numbering->skipped()));
  }
  *tail = reader.tail();
  if (*tail == LogReader::Tail::kTorn || *tail == LogReader::Tail::kGarbage) {
    damage->end_bytes = reader.TailBytes();
    Log(context.info_log(), "repair: %s: ends with %llu bytes that are no whole record",
        name.c_str(), static_cast<unsigned long long>(reader.TailBytes()));
  }
  return status;
}

}  // namespace

Status CheckTable(const RepairContext& context, const std::string& name, SalvagedTable* table,
                  DamageReport* damage) {
  const std::string path = InDirectory(context, name);
  TableChecker checker(context, name, table, damage);
  const Status status = context.env()->GetFileSize(path, &table->size);
  return status.ok() ? ScanTable(context.env(), path, &checker) : status;
}

Status SalvageTable(const RepairContext& context, const std::string& name, EntrySorter* sorter,
                    uint64_t* entries, SequenceRange* sequences) {
  TableSalvager salvager(sorter, entries, sequences);
  const Status status = ScanTable(context.env(), InDirectory(context, name), &salvager);
  return status.ok() ? salvager.status() : status;
}

Status SalvageLog(const RepairContext& context, const std::string& name, EntrySorter* sorter,
                  uint64_t* entries, SequenceRange* sequences, RecordNumbering* numbering,
                  DamageReport* damage) {
  const RecordNumbering numbering_before = *numbering;
  LogReader::Tail tail = LogReader::Tail::kUnreadable;
  // What cannot be read once may be readable a moment later. Entries may be added twice.
  for (int attempt = 0; attempt < 2 && tail == LogReader::Tail::kUnreadable; attempt++) {
    *entries = 0;
    *damage = DamageReport();
    *numbering = numbering_before;
    const Status status =
        ReadLog(context, name, sorter, entries, sequences, numbering, damage, &tail);
    if (!status.ok()) return status;
  }
  return Status::OK();
}

bool IsAppliedLog(const RepairContext& context, const std::vector<SalvagedTable>& tables,
                  const std::string& name) {
  const InternalKeyComparator& order = context.comparator();
  const AppliedLog applied(
      context.env(), order.user_comparator(), [&](const LookupKey& key, KnownVersion* found) {
        Status status;
        for (const SalvagedTable& table : tables) {
          if (order.CompareUserKeys(key.user_key(), table.smallest.user_key()) < 0) continue;
          if (order.CompareUserKeys(key.user_key(), table.largest.user_key()) > 0) continue;
          if (!status.ok()) break;
          status = found->LookInto(context.table_cache, order.user_comparator(), table.number,
                                   table.size, key);
        }
        return status;
      });
  return applied.IsApplied(context.dbname() + "/" + name);
}

}  // namespace leveldb
