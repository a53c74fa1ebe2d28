#include "testing/random_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "testing/status_checks.h"
#include "testing/store.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr size_t kPoolKeys = 600;
constexpr size_t kHeldSnapshotsMax = 8;
constexpr size_t kHeldIteratorsMax = 5;
constexpr size_t kHistoryLength = 25;

// Draws keys that tend to reveal bugs: empty, shared prefixes, extreme bytes, both cases of
// letters.
std::vector<std::string> MakePool(Dice* dice) {
  std::vector<std::string> pool = {"", std::string(1, '\0'), std::string("\xff\xff\xff", 3)};
  while (pool.size() < kPoolKeys) {
    std::string key;
    switch (dice->Below(4)) {
      case 0:
        key = dice->Bytes(dice->Between(1, 12));
        break;
      case 1:
        key = "common/prefix/" + std::to_string(dice->Below(2000));
        break;
      case 2:
        key = dice->Text(dice->Between(1, 6));
        break;
      default:
        key = pool[dice->Below(pool.size())] + static_cast<char>(dice->Below(256));
        break;
    }
    if (dice->OneIn(4) && !key.empty() && key[0] >= 'a' && key[0] <= 'z') {
      key[0] = static_cast<char>(key[0] - 'a' + 'A');
    }
    pool.push_back(key);
  }
  return pool;
}

std::string Shown(const Slice& bytes) {
  static const char* const kDigits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < bytes.size() && i < 24; ++i) {
    const unsigned char byte = static_cast<unsigned char>(bytes[i]);
    if (byte >= 0x21 && byte < 0x7f) {
      text += static_cast<char>(byte);
    } else {
      text += std::string("\\x") + kDigits[byte >> 4] + kDigits[byte & 15];
    }
  }
  return "'" + text + "' (" + std::to_string(bytes.size()) + " bytes)";
}

}  // namespace

RandomProgram::RandomProgram(OptionSet* set, const std::string& path, uint64_t seed)
    : set_(set), path_(path), dice_(seed), model_(set->options.comparator) {
  pool_ = MakePool(&dice_);
}

RandomProgram::~RandomProgram() {
  Close();
}

void RandomProgram::Run(int steps) {
  Open();
  for (step_ = 0; step_ < steps && !::testing::Test::HasFailure(); ++step_) {
    Step();
  }
  if (!::testing::Test::HasFailure()) {
    CompareAll();
  }
  if (!::testing::Test::HasFailure()) {
    Reopen();
  }
  if (!::testing::Test::HasFailure()) {
    Note("compact everything");
    db_->CompactRange(nullptr, nullptr);
    CompareAll();
  }
  if (!::testing::Test::HasFailure()) {
    Note("check every reference");
    Close();
    EXPECT_OK(CheckStore(*set_, path_));
    Open();
  }
  if (::testing::Test::HasFailure()) {
    ADD_FAILURE() << "option set " << set_->name << ", step " << step_
                  << ", the last operations were:\n"
                  << History();
  }
}

void RandomProgram::Close() {
  LetGo();
  db_.reset();
}

void RandomProgram::Step() {
  const uint64_t draw = dice_.Below(1000);
  if (draw < 330) {
    Put();
  } else if (draw < 430) {
    Delete();
  } else if (draw < 500) {
    Batch();
  } else if (draw < 680) {
    Get();
  } else if (draw < 705) {
    TakeSnapshot();
  } else if (draw < 727) {
    ReleaseSnapshot();
  } else if (draw < 750) {
    OpenIterator();
  } else if (draw < 960) {
    MoveIterator();
  } else if (draw < 975) {
    CloseIterator();
  } else if (draw < 977) {
    CompactRange();
  } else if (draw < 987) {
    AskProperty();
  } else if (draw < 994) {
    AskSizes();
  } else if (draw < 997) {
    Reopen();
  } else {
    CompareAll();
  }
}

void RandomProgram::Put() {
  const std::string key = AnyKey();
  const std::string value = AnyValue();
  Note("put " + Shown(key) + " " + Shown(value));
  WriteOptions options;
  options.sync = dice_.OneIn(50);
  ASSERT_OK(Write([&] { return db_->Put(options, key, value); }));
  model_.Put(key, value);
}

void RandomProgram::Delete() {
  const std::string key = AnyKey();
  Note("delete " + Shown(key));
  ASSERT_OK(Write([&] { return db_->Delete(WriteOptions(), key); }));
  model_.Delete(key);
}

void RandomProgram::Batch() {
  WriteBatch batch;
  const uint64_t count = dice_.Below(20);
  Note("batch of " + std::to_string(count));
  for (uint64_t i = 0; i < count; ++i) {
    const std::string key = AnyKey();
    if (dice_.OneIn(4)) {
      batch.Delete(key);
      model_.Delete(key);
    } else {
      const std::string value = AnyValue();
      batch.Put(key, value);
      model_.Put(key, value);
    }
  }
  ASSERT_OK(Write([&] { return db_->Write(WriteOptions(), &batch); }));
}

void RandomProgram::Get() {
  const std::string key = AnyTarget();
  ReadOptions options;
  options.verify_checksums = dice_.OneIn(2);
  options.fill_cache = dice_.OneIn(2);
  uint64_t sequence = model_.sequence();
  if (!snapshots_.empty() && dice_.OneIn(3)) {
    const HeldSnapshot& held = snapshots_[dice_.Below(snapshots_.size())];
    options.snapshot = held.snapshot;
    sequence = held.sequence;
  }
  Note("get " + Shown(key) + " at " + std::to_string(sequence));
  std::string value;
  const Status status = db_->Get(options, key, &value);
  const std::string* const expected = model_.Get(key, sequence);
  if (expected == nullptr) {
    ASSERT_TRUE(status.IsNotFound()) << status.ToString() << " value " << Shown(value);
  } else {
    ASSERT_OK(status);
    ASSERT_TRUE(value == *expected) << Shown(value) << " is not " << Shown(*expected);
  }
}

void RandomProgram::TakeSnapshot() {
  if (snapshots_.size() < kHeldSnapshotsMax) {
    Note("take a snapshot at " + std::to_string(model_.sequence()));
    snapshots_.push_back(HeldSnapshot{db_->GetSnapshot(), model_.sequence()});
  }
}

void RandomProgram::ReleaseSnapshot() {
  if (!snapshots_.empty()) {
    const size_t which = dice_.Below(snapshots_.size());
    Note("release the snapshot at " + std::to_string(snapshots_[which].sequence));
    db_->ReleaseSnapshot(snapshots_[which].snapshot);
    snapshots_.erase(snapshots_.begin() + static_cast<std::ptrdiff_t>(which));
    model_.Prune(OldestNeeded());
  }
}

void RandomProgram::OpenIterator() {
  if (iterators_.size() >= kHeldIteratorsMax) {
    return;
  }
  ReadOptions options;
  options.fill_cache = dice_.OneIn(2);
  uint64_t sequence = model_.sequence();
  if (!snapshots_.empty() && dice_.OneIn(3)) {
    const HeldSnapshot& held = snapshots_[dice_.Below(snapshots_.size())];
    options.snapshot = held.snapshot;
    sequence = held.sequence;
  }
  Note("open an iterator at " + std::to_string(sequence));
  iterators_.push_back(HeldIterator{std::unique_ptr<Iterator>(db_->NewIterator(options)),
                                    Model::Cursor(&model_, sequence)});
  ASSERT_FALSE(iterators_.back().iterator->Valid());
}

void RandomProgram::MoveIterator() {
  if (iterators_.empty()) {
    return;
  }
  auto held = iterators_.begin();
  std::advance(held, dice_.Below(iterators_.size()));
  const uint64_t move = held->cursor.Valid() ? dice_.Below(20) : dice_.Below(4);
  if (move == 0) {
    Note("iterator to the first");
    held->iterator->SeekToFirst();
    held->cursor.SeekToFirst();
  } else if (move == 1) {
    Note("iterator to the last");
    held->iterator->SeekToLast();
    held->cursor.SeekToLast();
  } else if (move < 4) {
    const std::string target = AnyTarget();
    Note("iterator to " + Shown(target));
    held->iterator->Seek(target);
    held->cursor.Seek(target);
  } else if (move < 12) {
    Note("iterator forward");
    held->iterator->Next();
    held->cursor.Next();
  } else {
    Note("iterator back");
    held->iterator->Prev();
    held->cursor.Prev();
  }
  CheckHeld(*held);
}

void RandomProgram::CheckHeld(const HeldIterator& held) {
  ASSERT_OK(held.iterator->status());
  ASSERT_EQ(held.iterator->Valid(), held.cursor.Valid());
  if (held.cursor.Valid()) {
    ASSERT_TRUE(held.iterator->key() == held.cursor.key())
        << Shown(held.iterator->key()) << " is not " << Shown(held.cursor.key());
    ASSERT_TRUE(held.iterator->value() == held.cursor.value())
        << Shown(held.iterator->value()) << " is not " << Shown(held.cursor.value());
  }
}

void RandomProgram::CloseIterator() {
  if (!iterators_.empty()) {
    Note("close the oldest iterator");
    iterators_.pop_front();
    model_.Prune(OldestNeeded());
  }
}

void RandomProgram::CompactRange() {
  const std::string begin = AnyTarget();
  const std::string end = AnyTarget();
  const Slice begin_slice(begin);
  const Slice end_slice(end);
  const bool from_start = dice_.OneIn(3);
  const bool to_end = dice_.OneIn(3);
  Note("compact " + (from_start ? std::string("from the start") : Shown(begin)) + " to " +
       (to_end ? std::string("the end") : Shown(end)));
  db_->CompactRange(from_start ? nullptr : &begin_slice, to_end ? nullptr : &end_slice);
}

void RandomProgram::AskProperty() {
  static const char* const kNames[] = {"leveldb.num-files-at-level0", "leveldb.num-files-at-level6",
                                       "leveldb.stats", "leveldb.sstables",
                                       "leveldb.approximate-memory-usage"};
  const char* const name = kNames[dice_.Below(5)];
  Note(std::string("property ") + name);
  std::string value;
  ASSERT_TRUE(db_->GetProperty(name, &value)) << name;
  ASSERT_FALSE(value.empty()) << name;
  ASSERT_TRUE(db_->GetProperty("leveldb.pmem", &value) || !set_->pmem.has_value());
  ASSERT_FALSE(db_->GetProperty("leveldb.num-files-at-level7", &value));
  ASSERT_FALSE(db_->GetProperty("leveldb.no-such-property", &value));
}

void RandomProgram::AskSizes() {
  const std::string begin = AnyTarget();
  const std::string end = AnyTarget();
  Note("sizes from " + Shown(begin) + " to " + Shown(end));
  const Range ranges[2] = {Range(begin, end), Range(end, end)};
  uint64_t sizes[2] = {~0ull, ~0ull};
  db_->GetApproximateSizes(ranges, 2, sizes);
  ASSERT_LT(sizes[0], 1ull << 40);
  ASSERT_EQ(sizes[1], 0u);
}

void RandomProgram::Reopen() {
  Note("reopen");
  Close();
  Open();
}

void RandomProgram::CompareAll() {
  Note("compare everything");
  Contents contents;
  ASSERT_OK(ReadContents(db_.get(), &contents));
  const Contents expected = Expected();
  ASSERT_EQ(contents.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_TRUE(contents[i] == expected[i])
        << "entry " << i << ": " << Shown(contents[i].first) << " " << Shown(contents[i].second)
        << " is not " << Shown(expected[i].first) << " " << Shown(expected[i].second);
  }
}

void RandomProgram::Open() {
  if (set_->changes_at_reopen) {
    ShuffleOptions(set_, &dice_);
  }
  const Status status = OpenStore(*set_, path_, &db_);
  if (!status.ok()) {
    ADD_FAILURE() << "open: " << status.ToString() << "\n" << History();
    std::abort();  // nothing can follow, and the directory is kept for inspection
  }
}

Status RandomProgram::Write(const std::function<Status()>& write) {
  Status status = write();
  while (status.IsIOError() && Says(status, " is full: ") && !iterators_.empty()) {
    Note("close an iterator to make room");
    iterators_.pop_front();
    status = write();
  }
  return status;
}

void RandomProgram::LetGo() {
  iterators_.clear();
  for (const HeldSnapshot& held : snapshots_) {
    db_->ReleaseSnapshot(held.snapshot);
  }
  snapshots_.clear();
  model_.Prune(model_.sequence());
}

uint64_t RandomProgram::OldestNeeded() const {
  uint64_t oldest = model_.sequence();
  for (const HeldSnapshot& held : snapshots_) {
    oldest = std::min(oldest, held.sequence);
  }
  for (const HeldIterator& held : iterators_) {
    oldest = std::min(oldest, held.cursor.sequence());
  }
  return oldest;
}

std::string RandomProgram::AnyKey() {
  return pool_[dice_.Below(pool_.size())];
}

std::string RandomProgram::AnyTarget() {
  std::string target = AnyKey();
  switch (dice_.Below(6)) {
    case 0:
      target += static_cast<char>(dice_.Below(256));
      break;
    case 1:
      target.resize(target.size() / 2);
      break;
    case 2:
      target = dice_.Bytes(dice_.Below(4));
      break;
    default:
      break;
  }
  return target;
}

std::string RandomProgram::AnyValue() {
  size_t size = dice_.Below(200);
  if (dice_.OneIn(100)) {
    size = dice_.Below(30000);  // spans blocks of the log
  } else if (dice_.OneIn(20)) {
    size = dice_.Below(3000);
  }
  size *= set_->value_factor;
  return dice_.OneIn(2) ? dice_.Bytes(size) : dice_.Text(size);
}

void RandomProgram::Note(const std::string& operation) {
  history_.push_back(std::to_string(step_) + ": " + operation);
  if (history_.size() > kHistoryLength) {
    history_.pop_front();
  }
}

std::string RandomProgram::History() const {
  std::string text;
  for (const std::string& operation : history_) {
    text += "  " + operation + "\n";
  }
  return text;
}

}  // namespace testkit
}  // namespace leveldb
