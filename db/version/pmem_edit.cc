#include "db/version/pmem_edit.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "pmem/group/tree_group.h"
#include "util/coding.h"
#include "util/text.h"

namespace leveldb {

namespace {

enum Tag : uint32_t {
  kComparatorTag = 1,  // as in LevelDB
  kTierTag = 100,
  kGroupPointerTag = 101,
  kDeletedTreeTag = 102,
  kNewTreeTag = 103,
};

// Deliberately not valid UTF-8.
constexpr char kMarkName[] = "bushstore.tier\xff";
constexpr size_t kMarkNameSize = sizeof(kMarkName) - 1;

// The name that LevelDB reports as a comparator that does not match.
constexpr char kMarkSentence[] =
    "BushStore with data in persistent memory (`bushstore drain` makes a LevelDB database of it)";

Status Damaged(const char* field) {
  return Status::Corruption("version edit: damaged field", field);
}

void AppendLevelField(std::string* record, Tag tag, int level) {
  AppendVarint32(record, tag);
  AppendVarint32(record, static_cast<uint32_t>(level));
}

Status ReadGroupLevel(SliceReader* reader, const char* field, int* level) {
  uint32_t value = 0;
  if (!reader->ReadVarint32(&value)) return Damaged(field);
  if (value >= kGroupLevels) {
    return Status::Corruption("version edit: no such level of the group",
                              std::string(field) + " at level " + NumberToString(value));
  }
  *level = static_cast<int>(value);
  return Status::OK();
}

Status ReadTier(SliceReader* reader, PmemEdit* edit) {
  Slice id;
  TierTag tier;
  if (!reader->ReadBytes(PoolId::kSize, &id) || !reader->ReadVarint64(&tier.epoch)) {
    return Damaged("tier");
  }
  std::copy(id.data(), id.data() + id.size(), tier.pool.bytes.begin());
  edit->SetTier(tier);
  return Status::OK();
}

Status ReadGroupPointer(SliceReader* reader, PmemEdit* edit) {
  constexpr char kField[] = "group pointer";
  int level = 0;
  const Status status = ReadGroupLevel(reader, kField, &level);
  if (!status.ok()) return status;
  Slice encoded;
  InternalKey key;
  if (!reader->ReadLengthPrefixed(&encoded) || !key.DecodeFrom(encoded)) return Damaged(kField);
  edit->SetGroupPointer(level, key);
  return status;
}

Status ReadDeletedTree(SliceReader* reader, PmemEdit* edit) {
  constexpr char kField[] = "deleted tree";
  int level = 0;
  const Status status = ReadGroupLevel(reader, kField, &level);
  if (!status.ok()) return status;
  uint64_t number = 0;
  if (!reader->ReadVarint64(&number)) return Damaged(kField);
  edit->RemoveTree(level, number);
  return status;
}

Status ReadNewTree(SliceReader* reader, PmemEdit* edit) {
  constexpr char kField[] = "new tree";
  int level = 0;
  const Status status = ReadGroupLevel(reader, kField, &level);
  if (!status.ok()) return status;
  TreeRecord tree;
  if (!tree.DecodeFrom(reader) || tree.number == 0) return Damaged(kField);
  edit->AddTree(level, tree, nullptr);
  return status;
}

std::string AtLevel(const char* name, int level) {
  return std::string(name) + ": group level " + NumberToString(static_cast<uint64_t>(level)) + " ";
}

}  // namespace

void PmemEdit::SetGroupPointer(int level, const InternalKey& key) {
  assert(level >= 0);
  assert(level < kGroupLevels);
  group_pointers_.push_back({level, key});
}

void PmemEdit::RemoveTree(int level, uint64_t number) {
  assert(level >= 0);
  assert(level < kGroupLevels);
  deleted_trees_.push_back({level, number});
}

void PmemEdit::AddTree(int level, const TreeRecord& record, std::shared_ptr<const Tree> tree) {
  assert(level >= 0);
  assert(level < kGroupLevels);
  new_trees_.push_back({level, record, std::move(tree)});
}

void PmemEdit::EncodeTo(std::string* record) const {
  std::string mark(kMarkName, kMarkNameSize);
  EncodeFieldsTo(&mark);
  if (mark.size() == kMarkNameSize) return;
  AppendVarint32(record, kComparatorTag);
  AppendLengthPrefixed(record, mark);
  AppendVarint32(record, kComparatorTag);
  AppendLengthPrefixed(record, kMarkSentence);
}

void PmemEdit::EncodeFieldsTo(std::string* record) const {
  if (tier_.has_value()) {
    AppendVarint32(record, kTierTag);
    record->append(tier_->pool.bytes.begin(), tier_->pool.bytes.end());
    AppendVarint64(record, tier_->epoch);
  }
  for (const GroupPointer& pointer : group_pointers_) {
    AppendLevelField(record, kGroupPointerTag, pointer.level);
    AppendLengthPrefixed(record, pointer.key.Encode());
  }
  for (const DeletedTree& tree : deleted_trees_) {
    AppendLevelField(record, kDeletedTreeTag, tree.level);
    AppendVarint64(record, tree.number);
  }
  for (const NewTree& tree : new_trees_) {
    AppendLevelField(record, kNewTreeTag, tree.level);
    tree.record.EncodeTo(record);
  }
}

bool PmemEdit::IsMark(const Slice& comparator_name) {
  return comparator_name.starts_with(Slice(kMarkName, kMarkNameSize));
}

Status PmemEdit::DecodeMark(const Slice& comparator_name, SliceReader* reader) {
  assert(IsMark(comparator_name));
  Slice fields = comparator_name;
  fields.remove_prefix(kMarkNameSize);
  SliceReader field_reader(fields);
  while (!field_reader.empty()) {
    uint32_t tag = 0;
    if (!field_reader.ReadVarint32(&tag) || !OwnsTag(tag)) return Damaged("mark of the tier");
    const Status status = DecodeField(tag, &field_reader);
    if (!status.ok()) return status;
  }
  uint32_t tag = 0;
  Slice sentence;
  const bool is_whole = reader->ReadVarint32(&tag) && tag == kComparatorTag &&
                        reader->ReadLengthPrefixed(&sentence) && sentence == kMarkSentence;
  return is_whole ? Status::OK() : Damaged("mark of the tier");
}

bool PmemEdit::OwnsTag(uint32_t tag) {
  return tag >= kTierTag && tag <= kNewTreeTag;
}

Status PmemEdit::DecodeField(uint32_t tag, SliceReader* reader) {
  assert(OwnsTag(tag));
  switch (tag) {
    case kTierTag:
      return ReadTier(reader, this);
    case kGroupPointerTag:
      return ReadGroupPointer(reader, this);
    case kDeletedTreeTag:
      return ReadDeletedTree(reader, this);
    default:
      return ReadNewTree(reader, this);
  }
}

std::string PmemEdit::DebugString() const {
  std::string text;
  if (tier_.has_value()) {
    text += "tier: pool " + tier_->pool.Text() + " epoch " + NumberToString(tier_->epoch) + "\n";
  }
  for (const GroupPointer& pointer : group_pointers_) {
    text += AtLevel("group pointer", pointer.level) + pointer.key.DebugString() + "\n";
  }
  for (const DeletedTree& tree : deleted_trees_) {
    text += AtLevel("deleted tree", tree.level) + "#" + NumberToString(tree.number) + "\n";
  }
  for (const NewTree& tree : new_trees_) {
    text += AtLevel("new tree", tree.level) + tree.record.DebugString() + "\n";
  }
  if (leaves_tier_) text += "leaves the tier\n";
  return text;
}

}  // namespace leveldb
