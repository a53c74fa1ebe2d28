#include "pmem/bptree/check.h"

#include <string>

#include "pmem/bptree/search.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/bptree/tree_references.h"
#include "pmem/bptree/value_uses.h"
#include "pmem/media/pool.h"
#include "util/hash64.h"
#include "util/text.h"

namespace leveldb {

namespace {

class TreeChecker {
 public:
  TreeChecker(const TreeContext& context, const TreeMeta& meta, const Tree::Report& report)
      : context_(context),
        pool_(*context.pool),
        comparator_(*context.comparator),
        meta_(meta),
        report_(report),
        uses_(context.pool, /*salts=*/nullptr, context.list_chunks) {}

  Status Run() {
    Note(CheckTreeExtents(context_, meta_));
    for (leaf_ = 0; leaf_ < meta_.leaves.size(); leaf_++) CheckLeaf();
    if (!is_complete_) return first_;
    if (entries_ != meta_.record.entries) {
      Note(meta_.Damaged(pool_, "has " + NumberToString(entries_) + " entries instead of " +
                                    NumberToString(meta_.record.entries)));
    }
    if (user_bytes_ != meta_.record.user_bytes) {
      Note(meta_.Damaged(pool_, "has " + NumberToString(user_bytes_) + " user bytes instead of " +
                                    NumberToString(meta_.record.user_bytes)));
    }
    if (last_key_ != meta_.record.largest.Encode().ToString()) {
      Note(meta_.Damaged(pool_, "does not end with its largest key"));
    }
    if (uses_.Sorted() != meta_.value_extents) {
      Note(meta_.Damaged(pool_, "counts its values wrongly"));
    }
    return first_;
  }

 private:
  void Note(const Status& status) {
    if (status.ok()) return;
    if (report_) report_(status.ToString());
    if (first_.ok()) first_ = status;
  }

  void NoteInLeaf(const std::string& what) { Note(meta_.DamagedLeaf(pool_, leaf_, what)); }
  void NoteEntry(size_t index, const char* what) {
    NoteInLeaf("entry " + NumberToString(index) + " " + what);
  }

  void CheckLeaf() {
    LeafView view;
    const Status status = meta_.OpenLeaf(pool_, leaf_, true, &view);
    if (!status.ok()) {
      Note(status);
      is_complete_ = false;
      return;
    }
    if (is_complete_ && user_bytes_ != meta_.user_bytes_before[leaf_]) {
      NoteInLeaf("begins behind another number of user bytes than it should");
    }
    for (size_t index = 0; index < view.count(); index++) CheckEntry(view, index);
  }

  void CheckEntry(const LeafView& view, size_t index) {
    LeafEntry entry;
    if (!view.ReadEntry(index, &entry)) {
      NoteEntry(index, "is malformed");
      is_complete_ = false;
      return;
    }
    key_.assign(view.prefix().data(), view.prefix().size());
    key_.append(entry.suffix.data(), entry.suffix.size());
    const uint64_t trailer = PackTrailer(entry.sequence, entry.type);
    const uint64_t hash = HashKey64(key_);
    CheckWays(view, index, trailer, hash);
    AppendFixed64(&key_, trailer);
    if (!last_key_.empty() && comparator_.Compare(last_key_, key_) >= 0) {
      NoteEntry(index, "is out of order");
    }
    if (entries_ == 0 && is_complete_ && Slice(key_) != meta_.record.smallest.Encode()) {
      NoteEntry(index, "is not the smallest key");
    }
    last_key_.swap(key_);
    entries_++;
    user_bytes_ += UserBytes(view, entry);
    if (entry.type == kTypeValueRef) CheckReference(index, entry.value);
  }

  // Checks that searches lead to the entry, whose user key is in key_.
  void CheckWays(const LeafView& view, size_t index, uint64_t trailer, uint64_t hash) {
    if (meta_.separators.Find(key_, trailer) != leaf_) {
      NoteEntry(index, "is not where the separators lead");
    }
    const char* const fingerprints = view.fingerprints();
    if (fingerprints != nullptr &&
        static_cast<uint8_t>(fingerprints[index]) != FingerprintOf(hash)) {
      NoteEntry(index, "has a wrong fingerprint");
    }
    if (!meta_.filter.MayContain(hash)) NoteEntry(index, "is not in the filter");
    const std::string internal_key = InternalKeyOf(trailer);
    if (!meta_.filter.LeafMayContain(leaf_, internal_key)) {
      NoteEntry(index, "is not in its leaf's filter");
    }
  }

  std::string InternalKeyOf(uint64_t trailer) const {
    std::string internal_key = key_;
    AppendFixed64(&internal_key, trailer);
    return internal_key;
  }

  void CheckReference(size_t index, const Slice& value) {
    ValueRef reference;
    if (!DecodeValueRef(value, &reference)) {
      NoteEntry(index, "has a malformed reference to a value");
      return;
    }
    Note(uses_.Add(reference));
  }

  const TreeContext& context_;
  const Pool& pool_;
  const InternalKeyComparator& comparator_;
  const TreeMeta& meta_;
  const Tree::Report& report_;

  Status first_;
  bool is_complete_ = true;  // no leaf or entry had to be skipped
  size_t leaf_ = 0;
  uint64_t entries_ = 0;
  uint64_t user_bytes_ = 0;
  ValueUses uses_;
  std::string key_;
  std::string last_key_;
};

}  // namespace

Status CheckTree(const TreeContext& context, const TreeMeta& meta, const Tree::Report& report) {
  return TreeChecker(context, meta, report).Run();
}

}  // namespace leveldb
