#include "db/version/pmem_edit.h"

#include "db/version/tree_text.h"
#include "db/version/version_edit.h"
#include "gtest/gtest.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "util/coding.h"
#include "util/text.h"

namespace leveldb {
namespace {

using testkit::Dice;

InternalKey Key(const std::string& user_key, SequenceNumber sequence) {
  return InternalKey(user_key, sequence, kTypeValue);
}

std::string Encoded(const VersionEdit& edit) {
  std::string record;
  edit.EncodeTo(&record);
  return record;
}

PoolId CountingId() {
  PoolId id;
  for (size_t i = 0; i < id.bytes.size(); i++) id.bytes[i] = static_cast<uint8_t>(i);
  return id;
}

TreeRecord GoldenTree() {
  TreeRecord tree;
  tree.number = 9;
  tree.footer_offset = 300;
  tree.footer_bytes = 5;
  tree.footer_crc = 0x04030201;
  tree.salt = 0x0807060504030201;
  tree.entries = 6;
  tree.leaf_bytes = 256;
  tree.user_bytes = 7;
  tree.smallest = Key("a", 1);
  tree.largest = Key("b", 2);
  return tree;
}

std::string GoldenTreeBytes() {
  std::string bytes;
  bytes += std::string("\x09\xac\x02\x05", 4);
  bytes += std::string("\x01\x02\x03\x04", 4);
  bytes += std::string("\x01\x02\x03\x04\x05\x06\x07\x08", 8);
  bytes += std::string("\x06\x80\x02\x07", 4);
  bytes += "\x09" + Key("a", 1).Encode().ToString();
  bytes += "\x09" + Key("b", 2).Encode().ToString();
  return bytes;
}

VersionEdit GoldenEdit() {
  VersionEdit edit;
  edit.pmem().AddTree(1, GoldenTree(), nullptr);
  edit.pmem().RemoveTree(2, 8);
  edit.pmem().SetGroupPointer(3, Key("c", 3));
  edit.pmem().SetTier({CountingId(), 200});
  edit.SetLogNumber(4);
  return edit;
}

std::string GoldenFields() {
  std::string expected;
  expected += std::string("\x64\x00\x01\x02\x03\x04\x05\x06\x07", 9);
  expected += std::string("\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\xc8\x01", 10);
  expected += std::string("\x65\x03\x09", 3) + Key("c", 3).Encode().ToString();
  expected += std::string("\x66\x02\x08", 3);
  expected += std::string("\x67\x01", 2) + GoldenTreeBytes();
  return expected;
}

// Returns a mark around the fields: two comparator names.
std::string GoldenMark(const std::string& fields) {
  std::string mark = "\x01";
  AppendLengthPrefixed(&mark, "bushstore.tier\xff" + fields);
  mark += "\x01";
  AppendLengthPrefixed(&mark,
                       "BushStore with data in persistent memory (`bushstore drain` makes a "
                       "LevelDB database of it)");
  return mark;
}

TEST(PmemEditTest, TheMarkFollowsLevelDbsFields) {
  EXPECT_EQ(Escaped(std::string("\x02\x04", 2) + GoldenMark(GoldenFields())),
            Escaped(Encoded(GoldenEdit())));
}

TEST(PmemEditTest, FieldsOutsideOfAMarkAreReadAsWell) {
  VersionEdit edit;
  ASSERT_TRUE(edit.DecodeFrom(std::string("\x02\x04", 2) + GoldenFields()).ok());
  EXPECT_EQ(edit.DebugString(), GoldenEdit().DebugString());
  std::string fields;
  edit.pmem().EncodeFieldsTo(&fields);
  EXPECT_EQ(Escaped(fields), Escaped(GoldenFields()));
}

// LevelDB checks every comparator name of an edit, and reports the last one.
TEST(PmemEditTest, AMarkComesAfterTheRealNameOfTheComparator) {
  VersionEdit edit = GoldenEdit();
  edit.SetComparatorName("leveldb.BytewiseComparator");
  const std::string record = Encoded(edit);
  EXPECT_EQ(record.substr(record.size() - GoldenMark(GoldenFields()).size()),
            GoldenMark(GoldenFields()));
  VersionEdit decoded;
  ASSERT_TRUE(decoded.DecodeFrom(record).ok());
  EXPECT_EQ(decoded.comparator(), "leveldb.BytewiseComparator");
}

TEST(PmemEditTest, AnEditWithoutTierHasNoneOfTheBytes) {
  VersionEdit edit;
  edit.SetLogNumber(4);
  edit.pmem().LeaveTier();
  EXPECT_EQ(Escaped(std::string("\x02\x04", 2)), Escaped(Encoded(edit)));
}

TEST(PmemEditTest, TellsWhatItHolds) {
  PmemEdit edit;
  edit.SetTier({CountingId(), 3});
  edit.SetGroupPointer(1, Key("m", 3));
  edit.RemoveTree(0, 9);
  edit.AddTree(1, GoldenTree(), nullptr);
  edit.LeaveTier();
  EXPECT_EQ(
      "tier: pool 000102030405060708090a0b0c0d0e0f epoch 3\n"
      "group pointer: group level 1 " +
          Key("m", 3).DebugString() +
          "\n"
          "deleted tree: group level 0 #9\n"
          "new tree: group level 1 " +
          GoldenTree().DebugString() + "\nleaves the tier\n",
      edit.DebugString());
}

uint64_t RandomNumber(Dice* dice) {
  return dice->Next() >> dice->Below(64);
}

InternalKey RandomKey(Dice* dice) {
  return InternalKey(dice->Bytes(dice->Below(40)), RandomNumber(dice) >> 8,
                     static_cast<ValueType>(dice->Below(3)));
}

int RandomLevel(Dice* dice) {
  return static_cast<int>(dice->Below(kGroupLevels));
}

VersionEdit RandomEdit(Dice* dice) {
  VersionEdit edit;
  if (dice->OneIn(2)) edit.SetLogNumber(RandomNumber(dice));
  if (dice->OneIn(2)) {
    TierTag tag;
    for (uint8_t& byte : tag.pool.bytes) byte = static_cast<uint8_t>(dice->Below(256));
    tag.epoch = RandomNumber(dice);
    edit.pmem().SetTier(tag);
  }
  for (uint64_t i = dice->Below(3); i > 0; i--) {
    edit.pmem().SetGroupPointer(RandomLevel(dice), RandomKey(dice));
  }
  for (uint64_t i = dice->Below(4); i > 0; i--) {
    edit.pmem().RemoveTree(RandomLevel(dice), RandomNumber(dice));
  }
  for (uint64_t i = dice->Below(4); i > 0; i--) {
    TreeRecord tree = GoldenTree();
    tree.number = RandomNumber(dice) | 1;
    tree.footer_offset = RandomNumber(dice) | 1;
    tree.salt = dice->Next();
    tree.leaf_bytes = RandomNumber(dice);
    tree.smallest = RandomKey(dice);
    tree.largest = RandomKey(dice);
    edit.pmem().AddTree(RandomLevel(dice), tree, nullptr);
  }
  return edit;
}

TEST(PmemEditTest, RandomEditsSurviveEncoding) {
  Dice dice(testkit::AnnouncedSeed());
  for (int i = 0; i < testkit::Scaled(2000); i++) {
    const VersionEdit edit = RandomEdit(&dice);
    const std::string record = Encoded(edit);
    VersionEdit decoded;
    const Status status = decoded.DecodeFrom(record);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(Escaped(record), Escaped(Encoded(decoded)));
    ASSERT_EQ(edit.DebugString(), decoded.DebugString());
  }
}

TEST(PmemEditTest, AnEditThatIsCutShortIsRefusedOrIsASmallerEdit) {
  Dice dice(testkit::AnnouncedSeed());
  for (int i = 0; i < testkit::Scaled(200); i++) {
    const std::string record = Encoded(RandomEdit(&dice));
    for (size_t size = 0; size < record.size(); size++) {
      VersionEdit decoded;
      const Status status = decoded.DecodeFrom(Slice(record.data(), size));
      if (status.ok()) {
        ASSERT_EQ(Escaped(record.substr(0, size)), Escaped(Encoded(decoded)));
      } else {
        ASSERT_TRUE(status.IsCorruption()) << status.ToString();
      }
    }
  }
}

TEST(PmemEditTest, DamagedEditsNeverCrash) {
  Dice dice(testkit::AnnouncedSeed());
  for (int i = 0; i < testkit::Scaled(5000); i++) {
    std::string record = Encoded(RandomEdit(&dice));
    if (record.empty()) continue;
    for (uint64_t flips = 1 + dice.Below(4); flips > 0; flips--) {
      record[dice.Below(record.size())] = static_cast<char>(dice.Below(256));
    }
    VersionEdit decoded;
    const Status status = decoded.DecodeFrom(record);
    if (status.ok()) decoded.DebugString();
    ASSERT_TRUE(status.ok() || status.IsCorruption()) << status.ToString();
  }
}

TEST(PmemEditTest, CorruptionSaysWhatIsDamaged) {
  struct {
    const char* what;
    std::string record;
    const char* message;
  } const kCases[] = {
      {"half a pool id", "\x64" + std::string(8, 'x'), "damaged field: tier"},
      {"a pool id alone", "\x64" + std::string(16, 'x'), "damaged field: tier"},
      {"group level 4", std::string("\x66\x04\x01", 3), "deleted tree at level 4"},
      {"group level 2^32-1", std::string("\x67\xff\xff\xff\xff\x0f", 6),
       "new tree at level 4294967295"},
      {"a key without a trailer", std::string("\x65\x01\x03", 3) + "abc", "group pointer"},
      {"tree number zero", std::string("\x67\x01", 2) + '\0' + GoldenTreeBytes().substr(1),
       "new tree"},
      {"a tree without its last key",
       std::string("\x67\x01", 2) + GoldenTreeBytes().substr(0, GoldenTreeBytes().size() - 1),
       "new tree"},
      {"a mark with a field of LevelDB's", GoldenMark(std::string("\x02\x04", 2)),
       "damaged field: mark of the tier"},
      {"a mark without its sentence",
       GoldenMark(GoldenFields()).substr(0, 17 + GoldenFields().size()),
       "damaged field: mark of the tier"},
      {"a tag that nobody knows", std::string("\x68\x01", 2), "unknown tag: 104"},
      {"a tag between LevelDB's and ours", std::string("\x63\x01", 2), "unknown tag: 99"},
  };
  for (const auto& c : kCases) {
    VersionEdit edit;
    const Status status = edit.DecodeFrom(c.record);
    EXPECT_TRUE(status.IsCorruption()) << c.what;
    EXPECT_NE(std::string::npos, status.ToString().find(c.message))
        << c.what << ": " << status.ToString();
  }
}

}  // namespace
}  // namespace leveldb
