#include "db/read/point_get.h"

#include <utility>

#include "db/version/level_search.h"
#include "pmem/group/group_lookup.h"

namespace leveldb {

namespace {

// A lookup in tables: its arguments, and the answer of the table that was just searched.
class TableLookup {
 public:
  TableLookup(const ReadView& view, TableCache* table_cache, const ReadOptions& options,
              const LookupKey& key, std::string* value, LookupTrace* trace)
      : version_(*view.version),
        comparator_(*version_.comparator()),
        table_cache_(table_cache),
        options_(options),
        key_(key),
        value_(value),
        trace_(trace) {}

  Status Run() {
    for (const FileMetaPtr& file : version_.files(0)) {
      if (FileOverlapsRange(comparator_.user_comparator(), *file, &user_key_, &user_key_) &&
          Ask(file, 0)) {
        return status_;
      }
    }
    for (int level = 1; level < kNumLevels; level++) {
      const LevelFiles& files = version_.level(level);
      if (files.empty()) continue;
      const size_t index = FindFile(comparator_, files, key_.internal_key());
      if (index == files.size()) continue;
      const FileMetaPtr& file = files[index];
      if (comparator_.CompareUserKeys(user_key_, file->smallest.user_key()) < 0) continue;
      if (Ask(file, level)) return status_;
    }
    return Status::NotFound(Slice());
  }

 private:
  enum Answer { kNothing, kValue, kTombstone, kDamaged };

  // Searches a table. Returns true if the lookup ends here; status_ then is the result.
  bool Ask(const FileMetaPtr& file, int level) {
    if (first_asked_ == nullptr) {
      first_asked_ = &file;
      first_level_ = level;
    } else if (trace_->file == nullptr) {
      trace_->file = first_asked_;
      trace_->level = first_level_;
    }
    answer_ = kNothing;
    status_ = table_cache_->Get(options_, file->number, file->size, key_.internal_key(), this,
                                &TableLookup::OnEntry);
    if (!status_.ok()) return true;
    switch (answer_) {
      case kNothing:
        return false;
      case kValue:
        return true;
      case kTombstone:
        status_ = Status::NotFound(Slice());
        return true;
      case kDamaged:
        status_ = Status::Corruption("corrupted key for ", user_key_);
        return true;
    }
    return false;
  }

  static void OnEntry(void* arg, const Slice& internal_key, const Slice& value) {
    TableLookup* const lookup = static_cast<TableLookup*>(arg);
    ParsedKey found;
    if (!ParseTableKey(internal_key, &found)) {
      lookup->answer_ = kDamaged;
    } else if (lookup->comparator_.CompareUserKeys(found.user_key, lookup->user_key_) != 0) {
      lookup->answer_ = kNothing;
    } else if (found.type == kTypeDeletion) {
      lookup->answer_ = kTombstone;
    } else {
      lookup->answer_ = kValue;
      lookup->value_->assign(value.data(), value.size());
    }
  }

  const Version& version_;
  const InternalKeyComparator& comparator_;
  TableCache* const table_cache_;
  const ReadOptions& options_;
  const LookupKey& key_;
  const Slice user_key_ = key_.user_key();
  std::string* const value_;
  LookupTrace* const trace_;
  const FileMetaPtr* first_asked_ = nullptr;
  int first_level_ = 0;
  Status status_;
  Answer answer_ = kNothing;
};

// Searches a memtable. Returns true if the lookup ends here; `*status` then is the result.
bool FindInMemtable(const MemTable& memtable, const LookupKey& key, const ValueResolver& values,
                    std::string* value, Status* status) {
  ValueType type;
  Slice content;
  if (!memtable.Find(key, &type, &content)) return false;
  *status = type == kTypeDeletion ? Status::NotFound(Slice()) : values.Copy(type, content, value);
  return true;
}

// Searches the trees. Returns true if the lookup ends here; `*status` then is the result.
bool FindInGroup(const GroupLookup& lookup, const ReadOptions& options, const ValueResolver& values,
                 std::string* value, Status* status) {
  TreeHit hit;
  *status = lookup.Run(options.verify_checksums, &hit);
  if (!status->ok()) return true;
  if (!hit.found) return false;
  *status = hit.type == kTypeDeletion ? Status::NotFound(Slice())
                                      : values.Copy(hit.type, hit.value, value);
  return true;
}

// Prefetches the filters of the memtables, then what the lookup in the trees begins with: the
// filters' lines arrive meanwhile, those of the trees while the memtables are searched.
Status FindInView(const ReadView& view, TableCache* table_cache, const ReadOptions& options,
                  const LookupKey& key, const ValueResolver& values, std::string* value,
                  LookupTrace* trace) {
  view.memtable->Prefetch(key);
  if (view.immutable != nullptr) view.immutable->Prefetch(key);
  const TreeGroup& group = *view.version->group();
  const GroupLookup lookup(group, key);
  Status status;
  if (FindInMemtable(*view.memtable, key, values, value, &status)) return status;
  if (view.immutable != nullptr && FindInMemtable(*view.immutable, key, values, value, &status)) {
    return status;
  }
  if (!group.empty()) {
    trace->asked_group = true;
    if (FindInGroup(lookup, options, values, value, &status)) return status;
  }
  if (!view.version->has_files()) return Status::NotFound(Slice());
  return TableLookup(view, table_cache, options, key, value, trace).Run();
}

}  // namespace

Status PointGet(const ReadView& view, TableCache* table_cache, const ReadOptions& options,
                const LookupKey& key, const ValueResolver& values, std::string* value,
                LookupTrace* trace) {
  Status found = FindInView(view, table_cache, options, key, values, value, trace);
  Status pool = values.CheckPool();
  if (!pool.ok()) found = std::move(pool);
  return found;
}

}  // namespace leveldb
