#include "db/open/database_check.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "db/files/filename.h"
#include "db/open/lost_files.h"
#include "db/open/table_scan.h"
#include "db/state/memtable_iterator.h"
#include "db/version/level_iterator.h"
#include "entry/value_ref.h"
#include "pmem/bptree/tree.h"
#include "pmem/group/group_iter.h"
#include "pmem/value/value_reader.h"
#include "pmem/wal/wal_reader.h"
#include "util/text.h"

namespace leveldb {

namespace {

// More findings would hide the others.
constexpr uint64_t kMaxFindingsTold = 1000;

ReadOptions Thorough() {
  ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  return options;
}

// Passes the damage that a scan finds to a function.
class DamageTeller final : public TableScanHandler {
 public:
  using Tell = std::function<void(const std::string&)>;

  DamageTeller(Tell damaged, Tell unreadable)
      : damaged_(std::move(damaged)), unreadable_(std::move(unreadable)) {}

  bool Entry(const Slice&, const Slice&) override { return true; }

  void Damage(uint64_t offset, uint64_t size, const std::string& what) override {
    damaged_(what + PoolOffset(offset, size));
  }

  void Unreadable(uint64_t offset, uint64_t size, const std::string& what) override {
    unreadable_(what + PoolOffset(offset, size));
  }

 private:
  static std::string PoolOffset(uint64_t offset, uint64_t size) {
    return " (" + NumberToString(size) + " bytes at " + NumberToString(offset) + ")";
  }

  const Tell damaged_;
  const Tell unreadable_;
};

}  // namespace

Status DatabaseCheck::Run() {
  view_ = parts_.state->current_view.Pin();
  CheckTables();
  CheckTrees();
  CheckOrder();
  CheckExtents();
  CountFilesInLost();
  Say(findings_ == 0 ? "nothing is wrong" : NumberToString(findings_) + " things are wrong");
  return first_.ok() ? unread_ : first_;
}

// Reports the number of files in lost/. They are not part of the database, and their contents may
// be missing from it.
void DatabaseCheck::CountFilesInLost() {
  const std::string lost = LostDirectory(parts_.state->dbname());
  std::vector<std::string> names;
  uint64_t files = 0;
  if (!parts_.state->env()->GetChildren(lost, &names).ok()) return;  // most have none
  for (const std::string& name : names) {
    uint64_t number;
    FileType type;
    if (ParseFileName(name, &number, &type)) files++;
  }
  if (files == 0) return;
  const std::string& dbname = parts_.state->dbname();
  Say(NumberToString(files) + " files are set aside in " + lost +
      ": a repair, or an open that could not apply all of a log, has put them there; to have what "
      "is in a log, move it to " +
      dbname + " and repair that (`bushstore repair " + dbname + "`)");
}

void DatabaseCheck::CheckTables() {
  uint64_t tables = 0;
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : version().files(level)) {
      CheckTable(file->number);
      tables++;
    }
  }
  Say(NumberToString(tables) + " tables read");
}

void DatabaseCheck::CheckTable(uint64_t number) {
  const DbState& state = *parts_.state;
  std::string path = TableFileName(state.dbname(), number);
  if (!state.env()->FileExists(path)) path = LegacyTableFileName(state.dbname(), number);
  DamageTeller teller([&](const std::string& what) { Found(path + ": " + what); },
                      [&](const std::string& what) { CouldNotRead(path + ": " + what); });
  const Status status = ScanTable(state.env(), path, &teller);
  if (!status.ok()) Failed(path, status);
}

void DatabaseCheck::CheckTrees() {
  const TreeGroup& group = *version().group();
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : group.trees(level)) {
      const Status status = tree->Check([this](const std::string& finding) { Found(finding); });
      static_cast<void>(status);  // the first of the findings just reported
    }
  }
  Say(NumberToString(group.tree_count()) + " trees read");
}

// Opens the sources that NewSourceIterator merges, one by one.
std::vector<DatabaseCheck::Source> DatabaseCheck::OpenSources() const {
  std::vector<Source> sources;
  const auto add = [&](const std::string& name, Iterator* entries) {
    sources.push_back({name, std::unique_ptr<Iterator>(entries)});
    entries->SeekToFirst();
  };
  TableCache* const cache = parts_.table_cache.get();
  add("the memtable", NewMemTableIterator(*view_->memtable));
  if (view_->immutable != nullptr) add("the memtable", NewMemTableIterator(*view_->immutable));
  std::vector<InternalIterator*> of_group;
  AppendGroupIterators(version().group(), /*verify_checksums=*/true, nullptr, &of_group);
  for (Iterator* const entries : of_group) add("the group of trees", entries);
  for (const FileMetaPtr& file : version().files(0)) {
    add("table #" + NumberToString(file->number),
        cache->NewIterator(Thorough(), file->number, file->size));
  }
  for (int level = 1; level < kNumLevels; level++) {
    add("level " + NumberToString(static_cast<uint64_t>(level)),
        NewLevelIterator(Thorough(), version().comparator(), cache, version().shared_level(level)));
  }
  return sources;
}

// Reads all sources in the order of internal keys. With the newest version of a user key first, the
// sources of its versions must not go back to newer ones.
void DatabaseCheck::CheckOrder() {
  const InternalKeyComparator& comparator = parts_.state->comparator();
  const std::vector<Source> sources = OpenSources();
  std::vector<size_t> heap;  // of sources, the one with the least key in front
  const auto is_behind = [&](size_t a, size_t b) {
    const int order = comparator.Compare(sources[a].entries->key(), sources[b].entries->key());
    return order != 0 ? order > 0 : a > b;
  };
  const auto push = [&](size_t i) {
    if (!sources[i].entries->Valid()) return;
    heap.push_back(i);
    std::push_heap(heap.begin(), heap.end(), is_behind);
  };
  for (size_t i = 0; i < sources.size(); i++) push(i);

  std::string user_key;
  bool has_user_key = false;
  size_t last_source = 0;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end(), is_behind);
    const size_t i = heap.back();
    heap.pop_back();
    CheckEntry(sources[i]);
    const Slice key = sources[i].entries->key();
    if (key.size() >= kTrailerSize) {
      const Slice found = ExtractUserKey(key);
      const bool is_same = has_user_key && comparator.CompareUserKeys(found, user_key) == 0;
      if (is_same && i < last_source) {
        Found(sources[i].name + " has an older version of " + Escaped(found) + " than " +
              sources[last_source].name + ", which is looked into later");
      }
      user_key.assign(found.data(), found.size());
      has_user_key = true;
      last_source = i;
    }
    sources[i].entries->Next();
    push(i);
  }
  for (const Source& source : sources) {
    const Status status = source.entries->status();
    if (!status.ok()) Failed(source.name, status);
  }
  Say(NumberToString(entries_) + " entries and " + NumberToString(references_) +
      " values in the pool read");
}

void DatabaseCheck::CheckEntry(const Source& source) {
  ParsedKey parsed;
  entries_++;
  if (!ParseInternalKey(source.entries->key(), &parsed)) {
    Found(source.name + ": bad key " + Escaped(source.entries->key()));
  } else if (parsed.type == kTypeValueRef) {
    CheckReference(source.name, source.entries->value());
  }
}

void DatabaseCheck::CheckReference(const std::string& source, const Slice& encoded) {
  references_++;
  ValueRef reference;
  if (!DecodeValueRef(encoded, &reference) || parts_.tier == nullptr) {
    Found(source + ": a reference to a value that is none");
    return;
  }
  const Status status = CheckValue(*parts_.tier->pool(), reference);
  if (!status.ok()) Failed(source, status);
}

void DatabaseCheck::CheckExtents() {
  PmemTier* const tier = parts_.tier.get();
  if (tier == nullptr) return;
  const Pool& pool = *tier->pool();
  uint64_t bytes_of_trees = 0;
  std::set<PoolOffset> shared;  // by several trees or logs
  for (int level = 0; level < kGroupLevels; level++) {
    for (const TreePtr& tree : version().group()->trees(level)) {
      bytes_of_trees += tree->pool_bytes();
      for (const ValueExtentUse& use : tree->value_extents()) shared.insert(use.extent);
    }
  }
  const std::vector<LogSlot> logs = pool.root()->Logs();
  for (const LogSlot& slot : logs) {
    WalReader reader(pool, slot);
    Status status = reader.Open();
    Slice record;
    std::string scratch;
    while (status.ok() && reader.ReadRecord(&record, &scratch)) continue;
    if (status.ok()) status = reader.status();
    if (!status.ok()) Failed("log #" + NumberToString(slot.number), status);
    for (const PoolOffset extent : reader.extents()) shared.insert(extent);
    for (const PoolOffset extent : reader.value_extents()) shared.insert(extent);
  }
  const uint64_t expected = bytes_of_trees + shared.size() * pool.extent_size();
  const uint64_t used = tier->extents()->used_bytes();
  if (used != expected) {
    Found("pool " + pool.path() + " has " + NumberToString(used) + " bytes in use, and " +
          NumberToString(expected) + " are named by trees and logs");
  }
  Say(NumberToString(logs.size()) + " logs read, " + NumberToString(used / pool.extent_size()) +
      " extents of the pool are in use");
}

void DatabaseCheck::Found(const std::string& finding) {
  if (first_.ok()) first_ = Status::Corruption(finding);
  if (++findings_ <= kMaxFindingsTold) Say(finding);
}

void DatabaseCheck::CouldNotRead(const std::string& what) {
  if (unread_.ok()) unread_ = Status::IOError(what);
  if (++findings_ <= kMaxFindingsTold) Say(what);
}

// Reports a failure. A missing table is damage, not a read error.
void DatabaseCheck::Failed(const std::string& where, const Status& status) {
  const std::string what = where + ": " + status.ToString();
  status.IsIOError() ? CouldNotRead(what) : Found(what);
}

void DatabaseCheck::Say(const std::string& line) {
  report_->append(line + "\n");
}

}  // namespace leveldb
