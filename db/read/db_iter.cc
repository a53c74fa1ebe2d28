// Two ways of standing on an entry:
//
//   forward    entries_ stands on the entry that is shown.
//   backward   entries_ stands on the first entry before all versions of the key that is shown;
//              key and value were copied on the way.
//
// Going forward, the first visible version of a key is the newest, and the rest are passed. Going
// backward, the versions come oldest first: each visible one replaces the one before it, a
// tombstone takes it away, and what is left when the key changes is shown.
#include "db/read/db_iter.h"

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace leveldb {

namespace {

// A copied value larger than this gives its memory back when it is no longer shown.
constexpr size_t kMaxKeptValueBytes = size_t{1} << 20;

// After so many entries of one key have been passed, the rest are skipped by a seek.
constexpr int kMaxVersionsPassed = 16;

class DbIter final : public Iterator {
 public:
  explicit DbIter(DbIterSources sources)
      : comparator_(*sources.comparator),
        sequence_(sources.sequence),
        view_(std::move(sources.view)),
        entries_(std::move(sources.entries)) {
    if (sources.seek_sink != nullptr) sampler_.emplace(view_->version.get(), sources.seek_sink);
  }

  bool Valid() const override { return valid_; }

  Slice key() const override {
    assert(valid_);
    return forward_ ? ExtractUserKey(entries_->key()) : Slice(key_);
  }

  Slice value() const override {
    assert(valid_);
    return forward_ ? entries_->value() : Slice(value_);
  }

  Status status() const override { return status_.ok() ? entries_->status() : status_; }

  void SeekToFirst() override {
    forward_ = true;
    DropValue();
    entries_->SeekToFirst();
    ShowNext(/*passing=*/false);
  }

  void SeekToLast() override {
    forward_ = false;
    DropValue();
    entries_->SeekToLast();
    ShowPrevious();
  }

  void Seek(const Slice& target) override {
    forward_ = true;
    DropValue();
    seek_key_.clear();
    AppendInternalKey(&seek_key_, target, sequence_, kSeekType);
    entries_->Seek(seek_key_);
    ShowNext(/*passing=*/false);
  }

  void Next() override {
    assert(valid_);
    if (forward_) {
      const Slice shown = ExtractUserKey(entries_->key());
      key_.assign(shown.data(), shown.size());
      entries_->Next();
    } else {
      // Back onto the entries of the key that was shown, which is in key_ already.
      forward_ = true;
      DropValue();
      if (entries_->Valid()) {
        entries_->Next();
      } else {
        entries_->SeekToFirst();
      }
    }
    ShowNext(/*passing=*/true);
  }

  void Prev() override {
    assert(valid_);
    if (forward_) {
      const Slice shown = ExtractUserKey(entries_->key());
      key_.assign(shown.data(), shown.size());
      forward_ = false;
      do {
        entries_->Prev();
      } while (entries_->Valid() &&
               comparator_.CompareUserKeys(ExtractUserKey(entries_->key()), key_) >= 0);
    }
    ShowPrevious();
  }

 private:
  // Splits the current entry's key. Returns false, and notes the damage, if it cannot be one.
  bool Parse(ParsedKey* parsed) {
    const Slice key = entries_->key();
    if (sampler_.has_value()) sampler_->OnRead(key, key.size() + entries_->value().size());
    if (ParseTableKey(key, parsed)) return true;
    status_ = Status::Corruption("corrupted internal key in DBIter");
    return false;
  }

  // Moves forward to the first entry that is to be shown; with `passing`, beyond the key in key_.
  void ShowNext(bool passing) {
    int passed = 0;
    valid_ = false;
    for (; entries_->Valid(); entries_->Next()) {
      ParsedKey entry;
      if (!Parse(&entry) || entry.sequence > sequence_) continue;
      if (passing && comparator_.CompareUserKeys(entry.user_key, key_) <= 0) {
        if (++passed == kMaxVersionsPassed) SeekToLastVersion();
        continue;
      }
      if (entry.type == kTypeValue) {
        valid_ = true;
        return;
      }
      key_.assign(entry.user_key.data(), entry.user_key.size());
      passing = true;
      passed = 0;
    }
  }

  // Moves to the end of the versions of key_. The caller's next step leads beyond them.
  void SeekToLastVersion() {
    seek_key_.clear();
    AppendInternalKey(&seek_key_, key_, 0, kTypeDeletion);
    entries_->Seek(seek_key_);
    if (entries_->Valid()) {
      entries_->Prev();
    } else {
      entries_->SeekToLast();
    }
  }

  // Moves backward until the newest visible version of a key is known that is to be shown.
  void ShowPrevious() {
    bool found = false;
    for (; entries_->Valid(); entries_->Prev()) {
      ParsedKey entry;
      if (!Parse(&entry) || entry.sequence > sequence_) continue;
      if (found && comparator_.CompareUserKeys(entry.user_key, key_) < 0) break;
      found = entry.type == kTypeValue;
      if (!found) continue;
      key_.assign(entry.user_key.data(), entry.user_key.size());
      DropValue();
      const Slice value = entries_->value();
      value_.assign(value.data(), value.size());
    }
    valid_ = found;
    if (!found) {
      DropValue();
      forward_ = true;
    }
  }

  void DropValue() {
    if (value_.capacity() > kMaxKeptValueBytes) {
      std::string().swap(value_);
    } else {
      value_.clear();
    }
  }

  const InternalKeyComparator& comparator_;
  const SequenceNumber sequence_;
  const std::shared_ptr<const ReadView> view_;  // outlives entries_
  const std::unique_ptr<Iterator> entries_;
  std::optional<ReadSampler> sampler_;

  Status status_;
  bool valid_ = false;
  bool forward_ = true;
  std::string key_;       // the key that is shown (backward) or being passed (forward)
  std::string value_;     // backward: the value that is shown
  std::string seek_key_;  // scratch
};

}  // namespace

Iterator* NewDbIterator(DbIterSources sources) {
  return new DbIter(std::move(sources));
}

}  // namespace leveldb
