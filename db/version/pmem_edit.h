// What a version edit says of the tier in persistent memory, and its bytes in the manifest.
//
//   100  tier            16 bytes pool id, varint64 epoch
//   101  group pointer   varint32 group level, length-prefixed internal key
//   102  deleted tree    varint32 group level, varint64 number
//   103  new tree        varint32 group level, tree record (pmem/bptree/tree_record.h)
//
// They follow LevelDB's fields, in this order; a tag in front of each. LevelDB knows none of these
// tags and refuses a manifest that has one: it would lose what is in the pool. There is no field
// for leaving the tier, because that must leave no trace: it begins a new manifest instead.

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
#include "pmem/media/place.h"

namespace leveldb {

class SliceReader;
class Tree;

// Which pool a database's tier is in, and which opening of the pool wrote this.
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

  // The database leaves its tier. REQUIRES: no trees are left, and the edit says nothing else of
  // the tier.
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

  // Appends the encoded fields to *record: nothing if there are none.
  void EncodeTo(std::string* record) const;

  // Whether a field with this tag is one of ours.
  static bool OwnsTag(uint32_t tag);

  // Adds the field whose tag has just been read from *reader. Corruption names what is damaged.
  // REQUIRES: OwnsTag(tag).
  Status DecodeField(uint32_t tag, SliceReader* reader);

  // One field per line, for people.
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
