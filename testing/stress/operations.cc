#include "testing/stress/operations.h"

#include <algorithm>
#include <iterator>

#include "testing/stress/key_space.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr uint64_t kRefusedMax = 30;
constexpr size_t kBatchMax = 12;
constexpr size_t kHeldMax = 4;

}  // namespace

Operations::Operations(const Site& site, uint32_t thread, const Numbers& numbers, uint64_t seed)
    : site_(site),
      thread_(thread),
      dice_(seed),
      sync_percent_(numbers.Get("sync", 0)),
      value_size_max_(std::max<uint64_t>(numbers.Get("value_max", 300), kValueSizeMin)) {
  const auto add = [&](const char* name, Step step, Figure figure) {
    choices_.push_back(Choice{step, figure, numbers.Get(name, 0)});
    weights_ += choices_.back().weight;
  };
  add("put", &Operations::Put, Figure::kPuts);
  add("delete", &Operations::Delete, Figure::kDeletes);
  add("batch", &Operations::Batch, Figure::kBatches);
  add("get", &Operations::Get, Figure::kGets);
  add("peek", &Operations::Peek, Figure::kPeeks);
  add("scan", &Operations::Scan, Figure::kScans);
  add("snapshot", &Operations::UseSnapshot, Figure::kSnapshots);
  add("iterator", &Operations::UseIterator, Figure::kIterators);
  add("walk", &Operations::Walk, Figure::kWalks);
  add("flush", &Operations::Flush, Figure::kFlushes);
  add("compact", &Operations::Compact, Figure::kCompacts);
  add("property", &Operations::AskProperty, Figure::kProperties);
  add("sizes", &Operations::AskSizes, Figure::kSizes);
  add("drain", &Operations::Drain, Figure::kDrains);
}

Operations::~Operations() {
  iterators_.clear();
  for (const HeldSnapshot& held : snapshots_) {
    site_.db->ReleaseSnapshot(held.snapshot);
  }
}

void Operations::Run(uint64_t count) {
  for (uint64_t i = 0; i < count && weights_ > 0; ++i) {
    const bool is_over = site_.findings->any() || refused_ > kRefusedMax ||
                         !site_.expected->HasRoom(thread_, kBatchMax);
    if (is_over) {
      return;
    }
    const Choice& choice = Draw();
    (this->*choice.step)();
    site_.figures->Add(choice.figure);
    if (site_.step) site_.step();
  }
}

const Operations::Choice& Operations::Draw() {
  uint64_t draw = dice_.Below(weights_);
  size_t i = 0;
  while (draw >= choices_[i].weight) {
    draw -= choices_[i++].weight;
  }
  return choices_[i];
}

uint32_t Operations::OwnKey() {
  const uint32_t keys = site_.expected->keys_per_thread();
  // Some keys are written more often than others.
  const uint64_t within = dice_.OneIn(3) ? 1 + keys / 8 : keys;
  return thread_ * keys + static_cast<uint32_t>(dice_.Below(std::min<uint64_t>(within, keys)));
}

uint32_t Operations::AnyKey() {
  return static_cast<uint32_t>(dice_.Below(site_.expected->keys()));
}

uint32_t Operations::ValueSize() {
  return static_cast<uint32_t>(dice_.Between(kValueSizeMin, value_size_max_));
}

ReadOptions Operations::DrawReadOptions() {
  ReadOptions options;
  options.verify_checksums = dice_.OneIn(2);
  options.fill_cache = dice_.OneIn(2);
  return options;
}

// ---- writes ------------------------------------------------------------------------------------

void Operations::Write(const std::vector<KeyChange>& changes, bool as_batch) {
  WriteOptions options;
  options.sync = dice_.Below(100) < sync_percent_;
  uint64_t bytes = 0;
  for (const KeyChange& change : changes) {
    bytes += site_.keys->Spell(change.key).size() + (change.size == kAbsent ? 0 : change.size);
  }
  Moment carried = site_.expected->Returned();
  const uint64_t number = site_.expected->Begin(thread_, changes, bytes);
  if (site_.step) site_.step();
  const Status status = WriteToStore(changes, number, as_batch, options);
  if (site_.step) site_.step();
  const bool excused = status.ok() || site_.IsExcused(status);
  site_.expected->End(thread_, status.ok());
  if (status.ok()) {
    refused_ = 0;
    carried[thread_] = number;
    if (options.sync && site_.promise != nullptr) site_.promise->Synced(carried);
  } else if (excused) {
    ++refused_;
    site_.figures->Add(Figure::kFailedWrites);
  } else {
    site_.findings->ExpectOk(status, "a write");
  }
}

Status Operations::WriteToStore(const std::vector<KeyChange>& changes, uint64_t number,
                                bool as_batch, const WriteOptions& options) {
  if (!as_batch) {
    const std::string key = site_.keys->Spell(changes[0].key, dice_.Next());
    return changes[0].size == kAbsent
               ? site_.db->Delete(options, key)
               : site_.db->Put(options, key, MakeValue(changes[0].key, number, changes[0].size));
  }
  WriteBatch batch;
  for (const KeyChange& change : changes) {
    const std::string key = site_.keys->Spell(change.key, dice_.Next());
    if (dice_.OneIn(8)) {
      batch.Put(key, MakeValue(change.key, number, kValueSizeMin));  // has no effect
    }
    if (change.size == kAbsent) {
      batch.Delete(key);
    } else {
      batch.Put(key, MakeValue(change.key, number, change.size));
    }
  }
  return site_.db->Write(options, &batch);
}

void Operations::Put() {
  Write({KeyChange{OwnKey(), ValueSize()}}, false);
}

void Operations::Delete() {
  Write({KeyChange{OwnKey(), kAbsent}}, false);
}

void Operations::Batch() {
  std::vector<KeyChange> changes;
  const uint64_t count = dice_.Below(kBatchMax + 1);
  for (uint64_t i = 0; i < count; ++i) {
    const KeyChange change{OwnKey(), dice_.OneIn(3) ? kAbsent : ValueSize()};
    const bool is_new = std::none_of(changes.begin(), changes.end(), [&](const KeyChange& other) {
      return other.key == change.key;
    });
    if (is_new) changes.push_back(change);
  }
  Write(changes, true);
}

// ---- reads -------------------------------------------------------------------------------------

void Operations::Get() {
  CheckGet(site_, OwnKey(), DrawReadOptions(), nullptr, &dice_);
}

void Operations::Peek() {
  CheckGet(site_, AnyKey(), DrawReadOptions(), nullptr, &dice_);
}

void Operations::Scan() {
  CheckedCursor cursor(site_, DrawReadOptions(), nullptr);
  const uint64_t moves = dice_.Between(1, 30);
  for (uint64_t i = 0; i < moves && !site_.findings->any() && cursor.Move(&dice_); ++i) {
  }
}

void Operations::UseSnapshot() {
  if (snapshots_.empty() || (snapshots_.size() < kHeldMax && dice_.OneIn(2))) {
    HeldSnapshot held;
    held.bounds.low = site_.expected->Returned();
    held.snapshot = site_.db->GetSnapshot();
    held.bounds.high = site_.expected->Begun();
    snapshots_.push_back(held);
    return;
  }
  const size_t which = dice_.Below(snapshots_.size());
  const HeldSnapshot held = snapshots_[which];
  ReadOptions options = DrawReadOptions();
  options.snapshot = held.snapshot;
  for (int i = 0; i < 5; ++i) {
    CheckGet(site_, AnyKey(), options, &held.bounds, &dice_);
  }
  CheckedCursor cursor(site_, options, &held.bounds);
  for (int i = 0; i < 10 && !site_.findings->any() && cursor.Move(&dice_); ++i) {
  }
  if (dice_.OneIn(4)) {
    CheckAll(site_, held.snapshot, held.bounds, "a snapshot");
  }
  if (dice_.OneIn(2)) {
    site_.db->ReleaseSnapshot(held.snapshot);
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(which));
  }
}

void Operations::UseIterator() {
  if (iterators_.empty() || (iterators_.size() < kHeldMax && dice_.OneIn(3))) {
    iterators_.emplace_back(site_, DrawReadOptions(), nullptr);
  }
  const auto held =
      std::next(iterators_.begin(), static_cast<std::ptrdiff_t>(dice_.Below(iterators_.size())));
  bool is_sound = true;
  for (uint64_t i = dice_.Below(20); i > 0 && is_sound && !site_.findings->any(); --i) {
    is_sound = held->Move(&dice_);
  }
  if (!is_sound || dice_.OneIn(4)) {
    iterators_.erase(held);
  }
}

void Operations::Walk() {
  Bounds bounds;
  bounds.low = site_.expected->Returned();
  const Snapshot* const snapshot = site_.db->GetSnapshot();
  bounds.high = site_.expected->Begun();
  CheckAll(site_, snapshot, bounds, "a walk over everything");
  site_.db->ReleaseSnapshot(snapshot);
}

// ---- the rest ----------------------------------------------------------------------------------

void Operations::Flush() {
  const Slice beyond("\xff\xff\xff");
  site_.db->CompactRange(&beyond, &beyond);
}

void Operations::Compact() {
  const std::string a = site_.keys->Spell(AnyKey());
  const std::string b = site_.keys->Spell(AnyKey());
  const bool in_order = site_.keys->comparator()->Compare(a, b) <= 0;
  const Slice begin = in_order ? a : b;
  const Slice end = in_order ? b : a;
  const uint64_t ends = dice_.Below(4);
  site_.db->CompactRange((ends & 1) != 0 ? &begin : nullptr, (ends & 2) != 0 ? &end : nullptr);
}

void Operations::AskProperty() {
  static const char* const kProperties[] = {
      "leveldb.stats",      "leveldb.sstables",
      "leveldb.pmem",       "leveldb.approximate-memory-usage",
      "leveldb.pmem.stats", "leveldb.num-files-at-level0",
      "leveldb.nonsense",   "leveldb.pmem.background-error"};
  std::string text;
  const char* const name = kProperties[dice_.Below(std::size(kProperties))];
  const bool known = site_.db->GetProperty(name, &text);
  if (!known && (name == kProperties[0] || name == kProperties[5])) {
    site_.findings->Report(std::string("no property ") + name);
  }
}

void Operations::AskSizes() {
  const std::string a = site_.keys->Spell(AnyKey());
  const std::string b = site_.keys->Spell(AnyKey());
  const Range range(a, b);
  uint64_t size = 0;
  site_.db->GetApproximateSizes(&range, 1, &size);
  if (size > (uint64_t{1} << 40)) {
    site_.findings->Report("an approximate size of " + std::to_string(size));
  }
}

void Operations::Drain() {
  if (site_.promise != nullptr) site_.promise->Draining();
  const Status status = site_.db->Drain();
  if (!status.ok() && !site_.IsExcused(status)) {
    site_.findings->ExpectOk(status, "a drain");
  }
}

}  // namespace testkit
}  // namespace leveldb
