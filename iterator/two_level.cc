#include "iterator/two_level.h"

#include <cassert>
#include <string>

#include "iterator/cached_iterator.h"

namespace leveldb {

namespace {

class TwoLevelIterator final : public Iterator {
 public:
  TwoLevelIterator(Iterator* index, PartOpener open, void* arg, const ReadOptions& options)
      : open_(open), arg_(arg), options_(options), index_(index) {}

  bool Valid() const override { return part_.Valid(); }
  Slice key() const override { return part_.key(); }
  Slice value() const override { return part_.value(); }
  Status status() const override;

  void SeekToFirst() override;
  void SeekToLast() override;
  void Seek(const Slice& target) override;
  void Next() override;
  void Prev() override;

 private:
  void OpenPart();
  void ClosePart();
  void SkipForward();
  void SkipBackward();

  const PartOpener open_;
  void* const arg_;
  const ReadOptions options_;

  CachedIterator index_;
  CachedIterator part_;     // of the index entry stood on; not set when there is none
  std::string part_value_;  // the index value that part_ was opened for
  Status first_failure_;    // of parts that were left
};

Status TwoLevelIterator::status() const {
  Status status = index_.status();
  if (!status.ok()) return status;
  if (!first_failure_.ok() || part_.get() == nullptr) return first_failure_;
  return part_.status();
}

void TwoLevelIterator::SeekToFirst() {
  index_.SeekToFirst();
  OpenPart();
  if (part_.get() != nullptr) part_.SeekToFirst();
  SkipForward();
}

void TwoLevelIterator::SeekToLast() {
  index_.SeekToLast();
  OpenPart();
  if (part_.get() != nullptr) part_.SeekToLast();
  SkipBackward();
}

void TwoLevelIterator::Seek(const Slice& target) {
  index_.Seek(target);
  OpenPart();
  if (part_.get() != nullptr) part_.Seek(target);
  SkipForward();
}

void TwoLevelIterator::Next() {
  assert(Valid());
  part_.Next();
  SkipForward();
}

void TwoLevelIterator::Prev() {
  assert(Valid());
  part_.Prev();
  SkipBackward();
}

// Makes part_ the part of the index entry stood on; a part that is open already is kept.
void TwoLevelIterator::OpenPart() {
  if (!index_.Valid()) return ClosePart();
  const Slice value = index_.value();
  if (part_.get() != nullptr && part_.status().ok() && value == Slice(part_value_)) return;
  ClosePart();
  part_value_.assign(value.data(), value.size());
  part_.Reset(open_(arg_, options_, value));
}

void TwoLevelIterator::ClosePart() {
  if (part_.get() == nullptr) return;
  if (first_failure_.ok()) first_failure_ = part_.status();
  part_.Reset(nullptr);
}

// While the part stood on has no entry left: on to the next, up to the end of the index.
void TwoLevelIterator::SkipForward() {
  while (part_.get() != nullptr && !part_.Valid()) {
    index_.Next();
    OpenPart();
    if (part_.get() != nullptr) part_.SeekToFirst();
  }
}

void TwoLevelIterator::SkipBackward() {
  while (part_.get() != nullptr && !part_.Valid()) {
    index_.Prev();
    OpenPart();
    if (part_.get() != nullptr) part_.SeekToLast();
  }
}

}  // namespace

Iterator* NewTwoLevelIterator(Iterator* index, PartOpener open, void* arg,
                              const ReadOptions& options) {
  return new TwoLevelIterator(index, open, arg, options);
}

}  // namespace leveldb
