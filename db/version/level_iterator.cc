// The position is a file and a position in it. `index_` is the file whose iterator is open;
// stepping past the end of a file continues with the next one that is not empty. A file that can't
// be read does not end the walk in either direction: it is skipped, and its error is kept for
// status().
//
// A file that is left by Prev() stays open until the next one is left so, to keep its last value
// valid.

#include "db/version/level_iterator.h"

#include <cassert>
#include <utility>

#include "db/version/level_search.h"
#include "iterator/cached_iterator.h"
#include "util/scan_window.h"

namespace leveldb {

namespace {

class LevelIterator final : public InternalIteratorBase<LevelIterator, PrefetchableIterator> {
 public:
  LevelIterator(const ReadOptions& options, const InternalKeyComparator* comparator,
                TableCache* cache, LevelFilesPtr files, const ScanHints& hints)
      : options_(options),
        comparator_(comparator),
        cache_(cache),
        files_(std::move(files)),
        hints_(hints),
        index_(files_->size()) {
    hints_.window = &window_;
  }

  bool Valid() const override { return table_.Valid(); }
  Slice key() const override { return table_.key(); }
  Slice value() const override { return table_.value(); }

  Status status() const override {
    if (!error_.ok() || table_.get() == nullptr) return error_;
    return table_.status();
  }

  void PrefetchSeek(const Slice& target) override {
    begun_ = false;
    Open(FindFile(*comparator_, *files_, target));
    // Every iterator in table_ is prefetchable.
    if (table_.get() != nullptr)
      static_cast<PrefetchableIterator*>(table_.get())->PrefetchSeek(target);
    begun_ = true;
  }

  void Seek(const Slice& target) override {
    if (!begun_) Open(FindFile(*comparator_, *files_, target));
    begun_ = false;
    if (table_.get() != nullptr) table_.Seek(target);
    SkipForward();
  }

  void SeekToFirst() override {
    begun_ = false;
    window_.Restart();
    Open(0);
    if (table_.get() != nullptr) table_.SeekToFirst();
    SkipForward();
  }

  void SeekToLast() override {
    begun_ = false;
    window_.Restart();
    Open(files_->empty() ? 0 : files_->size() - 1);
    if (table_.get() != nullptr) table_.SeekToLast();
    SkipBackward();
  }

  void Next() override {
    assert(Valid());
    table_.Next();
    SkipForward();
  }

  void Prev() override {
    assert(Valid());
    table_.Prev();
    SkipBackward();
  }

 private:
  // Opens file `index`, unless it is open already. Closes the open file if `index` is past the end.
  void Open(size_t index) {
    if (index == index_ && table_.get() != nullptr && table_.status().ok()) return;
    KeepError();
    index_ = index;
    if (index >= files_->size()) {
      table_.Reset(nullptr);
      return;
    }
    const FileMeta& file = *(*files_)[index];
    table_.Reset(cache_->NewIterator(options_, file.number, file.size, hints_));
  }

  void SkipForward() {
    while (table_.get() != nullptr && !table_.Valid()) {
      Open(index_ + 1);
      if (table_.get() != nullptr) table_.SeekToFirst();
    }
  }

  void SkipBackward() {
    if (table_.get() == nullptr || table_.Valid()) return;
    KeepError();
    left_ = std::move(table_);
    do {
      Open(index_ == 0 ? files_->size() : index_ - 1);
      if (table_.get() != nullptr) table_.SeekToLast();
    } while (table_.get() != nullptr && !table_.Valid());
  }

  void KeepError() {
    if (error_.ok() && table_.get() != nullptr) error_ = table_.status();
  }

  const ReadOptions options_;
  const InternalKeyComparator* const comparator_;
  TableCache* const cache_;
  const LevelFilesPtr files_;
  ScanWindow window_;
  ScanHints hints_;
  size_t index_;        // the open file; the number of files if none is open
  bool begun_ = false;  // whether PrefetchSeek() was called, and has opened the target's file
  CachedIterator table_;
  CachedIterator left_;  // the file last left by Prev()
  Status error_;         // the first error of the files that were left
};

}  // namespace

PrefetchableIterator* NewLevelIterator(const ReadOptions& options,
                                       const InternalKeyComparator* comparator, TableCache* cache,
                                       LevelFilesPtr files, const ScanHints& hints) {
  return new LevelIterator(options, comparator, cache, std::move(files), hints);
}

}  // namespace leveldb
