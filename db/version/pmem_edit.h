// The part of a version edit that concerns the tier in persistent memory, and its bytes in the
// manifest.
//
//   100  tier            16 bytes pool id, varint64 epoch
//   101  group pointer   varint32 group level, length-prefixed internal key
//   102  deleted tree    varint32 group level, varint64 number
//   103  new tree        varint32 group level, tree record (pmem/bptree/tree_record.h)
//
// These fields follow LevelDB's fields, in this order, each after its tag, within a mark. A mark
// consists of two fields that every LevelDB knows and must refuse, because it would lose the data
// in the pool:
//
//     1  comparator name   length-prefixed: "bushstore.tier", a byte 0xff, and the fields above
//     1  comparator name   length-prefixed: a sentence that tells what to do
//
// So LevelDB reads a comparator that is not the caller's, and reports the sentence; implementations
// that compare only the last name refuse it; those that do not compare names at all, but expect
// UTF-8, fail at the first one. No implementation can take bytes of the payload for fields. An
// implementation that skips unknown tags without their payload did so with the fields that older
// builds have written without a name around them. Such edits can still be read.
//
// There is no field for leaving the tier, because that must leave no trace: leaving begins a new
// manifest instead.

#ifndef BUSHSTORE_DB_VERSION_PMEM_EDIT_H_
#define BUSHSTORE_DB_VERSION_PMEM_EDIT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree_record.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

class SliceReader;
class Tree;

// Identifies the pool of a database's tier, and the opening of the pool that wrote the tag.
struct TierTag {
  PoolId pool;
  uint64_t epoch = 0;

  friend bool operator==(const TierTag& a, const TierTag& b) = default;
};

// A plain value; not thread-safe.
class PmemEdit {
 public:
  struct GroupPointer {
    int level;
    InternalKey key;
  };
  struct DeletedTree {
    int level;
    uint64_t number;
  };
  struct NewTree {
    int level;
    TreeRecord record;
    // The open tree; null in an edit that was read from a manifest. Not written.
    std::shared_ptr<const Tree> tree;
  };

  void SetTier(const TierTag& tier) { tier_ = tier; }

  // Makes the database leave its tier. REQUIRES: no trees are left, and the edit has no other field
  // of the tier.
  void LeaveTier() { leaves_tier_ = true; }

  // REQUIRES: 0 <= level < kGroupLevels, for all that follow.
  void SetGroupPointer(int level, const InternalKey& key);
  void RemoveTree(int level, uint64_t number);
  void AddTree(int level, const TreeRecord& record, std::shared_ptr<const Tree> tree);

  const std::optional<TierTag>& tier() const { return tier_; }
  bool leaves_tier() const { return leaves_tier_; }
  const std::vector<GroupPointer>& group_pointers() const { return group_pointers_; }
  const std::vector<DeletedTree>& deleted_trees() const { return deleted_trees_; }
  const std::vector<NewTree>& new_trees() const { return new_trees_; }

  // Appends the mark with the encoded fields to *record; nothing if there are no fields.
  void EncodeTo(std::string* record) const;

  // Appends the encoded fields without the mark, as older builds have written them.
  void EncodeFieldsTo(std::string* record) const;

  // Returns whether a comparator name is in fact the first part of a mark.
  static bool IsMark(const Slice& comparator_name);

  // Adds the fields of a mark, whose first part has just been read from *reader. A Corruption names
  // the damaged part. REQUIRES: IsMark(comparator_name).
  Status DecodeMark(const Slice& comparator_name, SliceReader* reader);

  // Returns whether `tag` is one of the tier's fields.
  static bool OwnsTag(uint32_t tag);

  // Adds the field whose tag has just been read from *reader. A Corruption names the damaged part.
  // REQUIRES: OwnsTag(tag).
  Status DecodeField(uint32_t tag, SliceReader* reader);

  // Returns the fields as readable text, one per line.
  std::string DebugString() const;

 private:
  std::optional<TierTag> tier_;
  bool leaves_tier_ = false;
  std::vector<GroupPointer> group_pointers_;
  std::vector<DeletedTree> deleted_trees_;
  std::vector<NewTree> new_trees_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_PMEM_EDIT_H_
