#include "testing/stress/views.h"

#include "testing/contents.h"
#include "testing/stress/comparison.h"

namespace leveldb {
namespace testkit {

namespace {

void CheckState(const Site& site, uint32_t key, const KeyState& state, const Bounds& bounds,
                const char* where) {
  const uint32_t owner = site.expected->OwnerOf(key);
  site.findings->Expect(
      CompareKey(*site.expected, key, state, {bounds.low[owner], bounds.high[owner]}), where);
}

// Counts a failed read, which must be excused.
void NoteFailure(const Site& site, const Status& status, const char* where) {
  if (site.IsExcused(status)) {
    site.figures->Add(Figure::kFailedReads);
  } else {
    site.findings->ExpectOk(status, where);
  }
}

void CheckValue(const Site& site, uint32_t key, const Slice& value, const Bounds& bounds,
                const char* where) {
  KeyState state;
  if (ReadState(key, value, &state)) {
    CheckState(site, key, state, bounds, where);
  } else {
    site.findings->Report(std::string(where) + ": key " + std::to_string(key) + " has " +
                          std::to_string(value.size()) + " bytes that no operation has written");
  }
}

}  // namespace

void CheckGet(const Site& site, uint32_t key, const ReadOptions& options, const Bounds* bounds,
              Dice* dice) {
  Bounds own;
  own.low = site.expected->Returned();
  std::string value;
  const Status status = site.db->Get(options, site.keys->Spell(key, dice->Next()), &value);
  own.high = site.expected->Begun();
  const Bounds& valid = bounds != nullptr ? *bounds : own;
  if (status.ok()) {
    CheckValue(site, key, value, valid, "Get");
  } else if (status.IsNotFound()) {
    CheckState(site, key, KeyState(), valid, "Get");
  } else {
    NoteFailure(site, status, "Get");
  }
}

void CheckAll(const Site& site, const Snapshot* snapshot, const Bounds& bounds,
              const std::string& where) {
  Contents contents;
  const Status status = ReadContents(site.db, &contents, snapshot);
  if (status.ok()) {
    site.figures->Add(Figure::kCompares);
    site.findings->Expect(Compare(*site.expected, *site.keys, contents, bounds), where);
  } else {
    NoteFailure(site, status, where.c_str());
  }
}

CheckedCursor::CheckedCursor(const Site& site, const ReadOptions& options, const Bounds* bounds)
    : site_(site) {
  bounds_.low = site.expected->Returned();
  iterator_.reset(site.db->NewIterator(options));
  bounds_.high = site.expected->Begun();
  if (bounds != nullptr) {
    bounds_ = *bounds;
  }
}

bool CheckedCursor::Move(Dice* dice) {
  const int64_t size = site_.keys->size();
  const bool stands = iterator_->Valid();
  const uint64_t draw = dice->Below(stands ? 20 : 4);
  if (draw == 0) {
    iterator_->SeekToFirst();
    Land(-1, true);
  } else if (draw == 1) {
    iterator_->SeekToLast();
    Land(size, false);
  } else if (draw < 4) {
    const int64_t rank = static_cast<int64_t>(dice->Below(static_cast<uint64_t>(size)));
    iterator_->Seek(
        site_.keys->Spell(site_.keys->ordered()[static_cast<size_t>(rank)], dice->Next()));
    Land(rank - 1, true);
  } else if (draw < 12) {
    iterator_->Next();
    Land(rank_, true);
  } else {
    iterator_->Prev();
    Land(rank_, false);
  }
  if (!iterator_->status().ok()) {
    NoteFailure(site_, iterator_->status(), "an iterator");
    return false;
  }
  return true;
}

// Checks the position after a move from `from`: the keys that were passed over must be absent.
void CheckedCursor::Land(int64_t from, bool forward) {
  if (!iterator_->status().ok()) {
    return;
  }
  uint32_t key = 0;
  int64_t to = forward ? int64_t{site_.keys->size()} : -1;
  if (iterator_->Valid()) {
    if (!site_.keys->Find(iterator_->key(), &key)) {
      site_.findings->Report("an iterator shows a key that nobody wrote: " +
                             iterator_->key().ToString());
      return;
    }
    to = site_.keys->RankOf(key);
    CheckValue(site_, key, iterator_->value(), bounds_, "an iterator");
  }
  if (forward ? to <= from : to >= from) {
    site_.findings->Report("an iterator goes the wrong way, to key " + std::to_string(key));
    return;
  }
  const int64_t step = forward ? 1 : -1;
  for (int64_t rank = from + step; rank != to; rank += step) {
    CheckState(site_, site_.keys->ordered()[static_cast<size_t>(rank)], KeyState(), bounds_,
               "an iterator passed over a key");
  }
  rank_ = to;
}

}  // namespace testkit
}  // namespace leveldb
