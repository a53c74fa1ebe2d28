#include "testing/workload.h"

#include <memory>

#include "leveldb/write_batch.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr int kKeys = 60;
constexpr size_t kValueSizeMax = 3000;

std::string Key(uint64_t number) {
  return "key" + std::to_string(1000 + number);
}

// Names the write that a value comes from, which the value states before the slash.
std::string Origin(const std::optional<std::string>& value) {
  return value ? "the value of write " + value->substr(0, value->find('/')) : "nothing";
}

}  // namespace

::testing::AssertionResult Workload::Run(DB* db, int batches, int* failed_writes) {
  *failed_writes = 0;
  for (int i = 0; i < batches; ++i) {
    Write write;
    WriteBatch batch;
    for (uint64_t edits = dice_.Between(1, 4); edits > 0; --edits) {
      const std::string key = Key(dice_.Below(kKeys));
      if (dice_.OneIn(6)) {
        write.edits[key] = std::nullopt;
        batch.Delete(key);
      } else {
        const std::string value =
            std::to_string(writes_.size()) + "/" + dice_.Bytes(dice_.Below(kValueSizeMax));
        write.edits[key] = value;
        batch.Put(key, value);
      }
    }
    WriteOptions options;
    options.sync = dice_.OneIn(8);
    write.acknowledged = db->Write(options, &batch).ok();
    *failed_writes += write.acknowledged ? 0 : 1;
    writes_.push_back(write);
    if (write.acknowledged && options.sync) {
      synced_writes_ = writes_.size();
    }
    if (dice_.OneIn(40)) {
      db->CompactRange(nullptr, nullptr);
    }
    const auto result = dice_.OneIn(10)
                            ? CheckScan(db, true, dice_.OneIn(2), writes_.size())
                            : CheckKey(db, Key(dice_.Below(kKeys)), true, writes_.size());
    if (!result) {
      return result;
    }
  }
  return ::testing::AssertionSuccess();
}

bool Workload::MayHold(const std::string& key, const Value& value, size_t certain_writes) const {
  for (size_t i = writes_.size(); i > 0; --i) {
    const Write& write = writes_[i - 1];
    const auto edit = write.edits.find(key);
    if (edit == write.edits.end()) {
      continue;
    }
    if (edit->second == value) {
      return true;
    }
    if (write.acknowledged && i <= certain_writes) {
      return false;
    }
  }
  return !value.has_value();
}

::testing::AssertionResult Workload::CheckKey(DB* db, const std::string& key, bool errors_allowed,
                                              size_t certain_writes) {
  std::string text;
  const Status status = db->Get(ReadOptions(), key, &text);
  if (!status.ok() && !status.IsNotFound()) {
    return errors_allowed ? ::testing::AssertionSuccess()
                          : ::testing::AssertionFailure() << "get: " << status.ToString();
  }
  const Value value = status.ok() ? Value(text) : std::nullopt;
  if (!MayHold(key, value, certain_writes)) {
    return ::testing::AssertionFailure() << key << " holds " << Origin(value) << " after "
                                         << writes_.size() << " writes, which cannot be";
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult Workload::CheckScan(DB* db, bool errors_allowed, bool backwards,
                                               size_t certain_writes) {
  const std::unique_ptr<Iterator> iterator(db->NewIterator(ReadOptions()));
  std::map<std::string, std::string> found;
  // A caller that checks the status sees an error before anything that is wrong because of it.
  for (backwards ? iterator->SeekToLast() : iterator->SeekToFirst();
       iterator->Valid() && iterator->status().ok();
       backwards ? iterator->Prev() : iterator->Next()) {
    found[iterator->key().ToString()] = iterator->value().ToString();
  }
  const bool whole = iterator->status().ok();
  if (!whole && !errors_allowed) {
    return ::testing::AssertionFailure() << "scan: " << iterator->status().ToString();
  }
  for (int i = 0; i < kKeys; ++i) {
    const auto entry = found.find(Key(i));
    if (entry == found.end() && !whole) {
      continue;  // the iterator has reported that it did not see everything
    }
    const Value value = entry == found.end() ? std::nullopt : Value(entry->second);
    if (!MayHold(Key(i), value, certain_writes)) {
      return ::testing::AssertionFailure()
             << "a scan " << (backwards ? "backwards" : "forwards") << " shows " << Origin(value)
             << " for " << Key(i) << " after " << writes_.size() << " writes, which cannot be";
    }
  }
  return ::testing::AssertionSuccess();
}

::testing::AssertionResult Workload::CheckAll(DB* db, bool errors_allowed) {
  for (int i = 0; i < kKeys; ++i) {
    const auto result = CheckKey(db, Key(i), errors_allowed, writes_.size());
    if (!result) {
      return result;
    }
  }
  const auto forwards = CheckScan(db, errors_allowed, false, writes_.size());
  return forwards ? CheckScan(db, errors_allowed, true, writes_.size()) : forwards;
}

::testing::AssertionResult Workload::CheckSynced(DB* db) {
  for (int i = 0; i < kKeys; ++i) {
    const auto result = CheckKey(db, Key(i), false, synced_writes_);
    if (!result) {
      return result;
    }
  }
  return CheckScan(db, false, false, synced_writes_);
}

}  // namespace testkit
}  // namespace leveldb
