// DbIter has two states in which it is positioned on an entry:
//
//   forward    entries_ is at the current entry.
//   backward   entries_ is at the first entry before all versions of the current key. The key was
//              copied on the way; the value is still where entries_ returned it, since it stays
//              valid over one step back, and is copied before any further step.
//
// Forward, the first visible version of a key is the newest one, and the rest are passed. Backward,
// the versions come oldest first: each visible version replaces the one before it, a tombstone
// removes it, and the result when the key changes is the current entry.
//
// Code that is not part of most steps is in functions that are not inlined: a step then needs no
// more than the registers.
//
// A value in persistent memory is returned in place; unless its checksum is to be verified, none of
// it is read. A forked child does not have that memory mapped: there the iterator is not valid and
// has an error.
// with an error.
#include "db/read/db_iter.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>

#include "iterator/cached_iterator.h"
#include "port/fork_generation.h"
#include "util/copy_short.h"

namespace leveldb {

namespace {

// A copied value larger than this releases its memory when it is no longer current.
constexpr size_t kMaxKeptValueBytes = size_t{1} << 20;

// After this many entries of one key have been passed, the rest are skipped by a seek.
constexpr int kMaxVersionsPassed = 16;

// This many steps forward are reported to the read-triggered compaction at once.
constexpr int kStepsPerPayment = 64;

class DbIter final : public Iterator {
 public:
  explicit DbIter(DbIterSources sources)
      : comparator_(*sources.comparator),
        sequence_(sources.sequence),
        values_(sources.values),
        view_(std::move(sources.view)),
        read_ahead_(std::move(sources.read_ahead)),
        read_triggered_compaction_(sources.read_triggered_compaction),
        entries_(sources.entries.release()) {
    // Seeks are charged to tables.
    if (sources.seek_sink != nullptr && view_->version->has_files()) {
      sampler_.emplace(view_->version.get(), sources.seek_sink);
    }
  }

  // A forked child leaks its resources: releasing them takes locks that threads of the parent may
  // have held.
  ~DbIter() override {
    if (ForkGeneration() == fork_generation_) return;
    static_cast<void>(new std::shared_ptr<const ReadView>(view_));
    static_cast<void>(entries_.Release());
  }

  bool Valid() const override { return valid_ && IsMapped(); }

  Slice key() const override {
    assert(valid_);
    if (!IsMapped()) return Slice();
    return forward_ ? ExtractUserKey(entries_.key()) : Slice(key_);
  }

  Slice value() const override {
    assert(valid_);
    if (!IsMapped()) return Slice();
    if (shown_type_ == kTypeValueRef) {
      read_ahead_->OnValue();
      return referred_value_;
    }
    const Slice value = forward_ ? entries_.value() : found_value_;
    if (value.size() >= ReadAhead::kLongValueBytes) read_ahead_->OnValue();
    return value;
  }

  Status status() const override {
    if (!IsMapped()) {
      return Status::IOError("iterator", "was made by the process this one was forked from");
    }
    if (!status_.ok()) return status_;
    const Status status = values_.CheckPool();
    return status.ok() ? entries_.status() : status;
  }

  void SeekToFirst() override {
    if (!IsMapped()) return;
    forward_ = true;
    DropValue();
    LeaveEntry();
    entries_.SeekToFirst();
    ShowNext(/*passing=*/false);
  }

  void SeekToLast() override {
    if (!IsMapped()) return;
    forward_ = false;
    DropValue();
    LeaveEntry();
    entries_.SeekToLast();
    ShowPrevious();
  }

  void Seek(const Slice& target) override {
    if (!IsMapped()) return;
    forward_ = true;
    DropValue();
    LeaveEntry();
    seek_key_.clear();
    AppendInternalKey(&seek_key_, target, sequence_, kSeekType);
    entries_.Seek(seek_key_);
    ShowNext(/*passing=*/false);
    if (read_triggered_compaction_ != nullptr && read_triggered_compaction_->OnSeek(*view_))
      read_triggered_compaction_->Suggest();
  }

  void Next() override {
    assert(valid_);
    if (!IsMapped()) return;
    if (forward_) {
      KeepKey(ExtractUserKey(entries_.key()));
      entries_.Next();
    } else {
      // Moves back onto the entries of the current key, which is in key_ already.
      LeaveEntry();
      forward_ = true;
      DropValue();
      if (entries_.Valid()) {
        entries_.Next();
      } else {
        KeepError();
        entries_.SeekToFirst();
      }
    }
    ShowNext(/*passing=*/true);
    read_ahead_->OnStep();
    if (++unpaid_steps_ == kStepsPerPayment) PaySteps();
  }

  void Prev() override {
    assert(valid_);
    if (!IsMapped()) return;
    if (forward_) {
      LeaveEntry();
      KeepKey(ExtractUserKey(entries_.key()));
      forward_ = false;
      do {
        entries_.Prev();
      } while (entries_.Valid() &&
               comparator_.CompareUserKeys(ExtractUserKey(entries_.key()), key_) >= 0);
    }
    ShowPrevious();
    read_ahead_->OnStep();
  }

 private:
  // Copies a key into key_. Most keys are as long as the one before.
  void KeepKey(const Slice& user_key) {
    if (user_key.size() == key_.size()) {
      CopyShort(key_.data(), user_key.data(), user_key.size());
    } else {
      AssignKey(user_key);
    }
  }
  [[gnu::noinline]] void AssignKey(Slice user_key) {
    key_.assign(user_key.data(), user_key.size());
  }

  // Keeps the error of entries_ before a seek within a step: a seek may clear it.
  void KeepError() {
    if (status_.ok()) status_ = entries_.status();
  }

  // Called before the current entry is left by anything but a step in the same direction.
  void LeaveEntry() { read_ahead_->OnSeek(); }

  void PaySteps() {
    unpaid_steps_ = 0;
    if (read_triggered_compaction_ != nullptr &&
        read_triggered_compaction_->OnSteps(*view_, kStepsPerPayment)) {
      read_triggered_compaction_->Suggest();
    }
  }

  bool IsMapped() const { return !values_.has_pool() || ForkGeneration() == fork_generation_; }

  // Returns whether the current entry's key is well-formed; if not, records the error.
  bool CheckKey(const Slice& key) {
    const ValueType highest_type = values_.has_pool() ? kTypeValueRef : kTypeValue;
    if (key.size() < kTrailerSize || ExtractType(key) > highest_type) {
      NoteBadKey();
      return false;
    }
    if (sampler_.has_value() && sampler_->OnRead(key.size() + entries_.value().size())) Sample();
    return true;
  }

  [[gnu::noinline]] void Sample() { sampler_->Sample(entries_.key()); }

  [[gnu::cold]] void NoteBadKey() {
    status_ = Status::Corruption("corrupted internal key in DBIter");
  }

  // Moves forward to the first live visible entry; with `passing`, beyond the key in key_.
  void ShowNext(bool passing) {
    int passed = 0;
    valid_ = false;
    for (; entries_.Valid(); entries_.Next()) {
      const Slice key = entries_.key();
      if (!CheckKey(key) || ExtractSequence(key) > sequence_) continue;
      if (passing && comparator_.CompareUserKeys(ExtractUserKey(key), key_) <= 0) {
        if (++passed == kMaxVersionsPassed && !SeekToLastVersion()) return;
        continue;
      }
      if (ExtractType(key) != kTypeDeletion) {
        valid_ = Show(ExtractType(key));
        return;
      }
      AssignKey(ExtractUserKey(key));
      passing = true;
      passed = 0;
    }
  }

  // Moves to the end of the versions of key_. The caller's next step leads beyond them. Returns
  // false if there was an error: then there is no next step.
  [[gnu::noinline]] bool SeekToLastVersion() {
    KeepError();
    seek_key_.clear();
    AppendInternalKey(&seek_key_, key_, 0, kTypeDeletion);
    entries_.Seek(seek_key_);
    KeepError();
    if (entries_.Valid()) {
      entries_.Prev();
    } else if (entries_.status().ok()) {  // after an error the scan must not continue at the end
      entries_.SeekToLast();
    }
    return entries_.Valid();
  }

  // Moves backward until the newest visible version of a live key is found.
  void ShowPrevious() {
    bool found = false;
    DropValue();
    for (; entries_.Valid(); entries_.Prev()) {
      const Slice key = entries_.key();
      if (!CheckKey(key) || ExtractSequence(key) > sequence_) {
        if (found) CopyFoundValue();
        continue;
      }
      if (found && comparator_.CompareUserKeys(ExtractUserKey(key), key_) < 0) break;
      found = ExtractType(key) != kTypeDeletion;
      if (!found) continue;
      shown_type_ = ExtractType(key);
      KeepKey(ExtractUserKey(key));
      found_value_ = entries_.value();
    }
    valid_ = found && Show(shown_type_);
    if (!valid_) forward_ = true;
  }

  // Makes an entry of the given type the current one. Returns false, and records the error, if its
  // value cannot be read.
  bool Show(ValueType type) {
    shown_type_ = type;
    return type != kTypeValueRef || ViewReferred();
  }

  [[gnu::noinline]] bool ViewReferred() {
    const Slice reference = forward_ ? entries_.value() : found_value_;
    const Status status = values_.View(shown_type_, reference, &referred_value_, &pieces_);
    if (!status.ok()) status_ = status;
    return status.ok();
  }

  // Copies the found value before further steps overwrite it.
  void CopyFoundValue() {
    if (found_value_.data() == value_.data()) return;
    value_.assign(found_value_.data(), found_value_.size());
    found_value_ = value_;
  }

  void DropValue() {
    found_value_ = Slice();
    if (value_.capacity() > kMaxKeptValueBytes) {
      std::string().swap(value_);
    } else {
      value_.clear();
    }
  }

  const InternalKeyComparator& comparator_;
  const SequenceNumber sequence_;
  const ValueResolver values_;
  const uint64_t fork_generation_ = ForkGeneration();
  const std::shared_ptr<const ReadView> view_;                // outlives entries_
  const std::unique_ptr<ReadAhead> read_ahead_;               // likewise
  ReadTriggeredCompaction* const read_triggered_compaction_;  // may be null
  CachedIterator entries_;
  std::optional<ReadSampler> sampler_;

  Status status_;
  bool valid_ = false;
  bool forward_ = true;
  int unpaid_steps_ = 0;
  ValueType shown_type_ = kTypeValue;
  Slice referred_value_;  // the current value, if its type is kTypeValueRef
  std::string key_;       // the current key (backward) or the key being passed (forward)
  Slice found_value_;     // backward: the current value, or the reference to it
  std::string value_;     // the memory of found_value_ if it was copied
  std::string seek_key_;  // scratch
  std::string pieces_;    // a value that had to be assembled
};

}  // namespace

Iterator* NewDbIterator(DbIterSources sources) {
  return new DbIter(std::move(sources));
}

}  // namespace leveldb
