#include "db/version/version_edit.h"

#include "db/version/level_limits.h"
#include "gtest/gtest.h"
#include "util/coding.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

InternalKey Key(const std::string& user_key, SequenceNumber sequence) {
  return InternalKey(user_key, sequence, kTypeValue);
}

std::string Encoded(const VersionEdit& edit) {
  std::string record;
  edit.EncodeTo(&record);
  return record;
}

std::string RandomBytes(Random* random, uint64_t max_size) {
  std::string bytes;
  for (uint64_t i = random->Uniform(max_size + 1); i > 0; i--) {
    bytes.push_back(static_cast<char>(random->Uniform(256)));
  }
  return bytes;
}

// Returns numbers of every length.
uint64_t RandomNumber(Random* random) {
  return random->Next() >> random->Uniform(64);
}

InternalKey RandomKey(Random* random) {
  return InternalKey(RandomBytes(random, 40), RandomNumber(random) >> 8,
                     random->OneIn(2) ? kTypeValue : kTypeDeletion);
}

int RandomLevel(Random* random) {
  return static_cast<int>(random->Uniform(kNumLevels));
}

VersionEdit RandomEdit(Random* random) {
  VersionEdit edit;
  if (random->OneIn(2)) edit.SetComparatorName(RandomBytes(random, 30));
  if (random->OneIn(2)) edit.SetLogNumber(RandomNumber(random));
  if (random->OneIn(2)) edit.SetPrevLogNumber(RandomNumber(random));
  if (random->OneIn(2)) edit.SetNextFile(RandomNumber(random));
  if (random->OneIn(2)) edit.SetLastSequence(RandomNumber(random));
  for (uint64_t i = random->Uniform(4); i > 0; i--) {
    edit.SetCompactPointer(RandomLevel(random), RandomKey(random));
  }
  for (uint64_t i = random->Uniform(4); i > 0; i--) {
    edit.RemoveFile(RandomLevel(random), RandomNumber(random));
  }
  for (uint64_t i = random->Uniform(4); i > 0; i--) {
    edit.AddFile(RandomLevel(random), RandomNumber(random) | 1, RandomNumber(random),
                 RandomKey(random), RandomKey(random));
  }
  return edit;
}

uint64_t Seed() {
  const uint64_t seed = static_cast<uint64_t>(testing::UnitTest::GetInstance()->random_seed());
  testing::Test::RecordProperty("seed", NumberToString(seed));
  std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
  return seed;
}

TEST(VersionEditTest, FieldsAreWrittenInTheOrderOfLevelDb) {
  VersionEdit edit;
  edit.AddFile(1, 9, 300, Key("a", 1), Key("b", 2));
  edit.RemoveFile(2, 8);
  edit.SetCompactPointer(3, Key("c", 3));
  edit.SetLastSequence(7);
  edit.SetNextFile(6);
  edit.SetPrevLogNumber(5);
  edit.SetLogNumber(4);
  edit.SetComparatorName("cmp");

  std::string expected;
  expected += std::string("\x01\x03", 2) + "cmp";
  expected += std::string("\x02\x04", 2);
  expected += std::string("\x09\x05", 2);
  expected += std::string("\x03\x06", 2);
  expected += std::string("\x04\x07", 2);
  expected += std::string("\x05\x03\x09", 3) + Key("c", 3).Encode().ToString();
  expected += std::string("\x06\x02\x08", 3);
  expected += std::string("\x07\x01\x09\xac\x02", 5);
  expected += "\x09" + Key("a", 1).Encode().ToString();
  expected += "\x09" + Key("b", 2).Encode().ToString();
  EXPECT_EQ(Escaped(expected), Escaped(Encoded(edit)));
}

TEST(VersionEditTest, TellsWhatItHolds) {
  VersionEdit edit;
  edit.SetComparatorName("leveldb.BytewiseComparator");
  edit.SetLogNumber(4);
  edit.SetPrevLogNumber(0);
  edit.SetNextFile(12);
  edit.SetLastSequence(77);
  edit.SetCompactPointer(1, Key("m", 3));
  edit.RemoveFile(0, 9);
  edit.AddFile(1, 11, 2048, Key("a", 5), Key("z", 1));
  EXPECT_EQ(
      "comparator: leveldb.BytewiseComparator\n"
      "log number: 4\n"
      "previous log number: 0\n"
      "next file number: 12\n"
      "last sequence: 77\n"
      "compaction pointer: level 1 " +
          Key("m", 3).DebugString() +
          "\n"
          "deleted file: level 0 #9\n"
          "new file: level 1 #11 2048 bytes " +
          Key("a", 5).DebugString() + " .. " + Key("z", 1).DebugString() + "\n",
      edit.DebugString());
}

TEST(VersionEditTest, RandomEditsSurviveEncoding) {
  Random random(Seed());
  for (int i = 0; i < 2000; i++) {
    const VersionEdit edit = RandomEdit(&random);
    const std::string record = Encoded(edit);
    VersionEdit decoded;
    const Status status = decoded.DecodeFrom(record);
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(record, Encoded(decoded));
    ASSERT_EQ(edit.DebugString(), decoded.DebugString());
  }
}

TEST(VersionEditTest, FieldsMayComeInAnyOrder) {
  VersionEdit first;
  first.SetLastSequence(7);
  first.AddFile(1, 9, 300, Key("a", 1), Key("b", 2));
  VersionEdit second;
  second.SetLogNumber(4);
  second.RemoveFile(1, 8);
  VersionEdit decoded;
  ASSERT_TRUE(decoded.DecodeFrom(Encoded(first) + Encoded(second)).ok());
  EXPECT_EQ(7u, *decoded.last_sequence());
  EXPECT_EQ(4u, *decoded.log_number());
  EXPECT_EQ(1u, decoded.new_files().size());
  EXPECT_EQ(1u, decoded.deleted_files().size());
}

TEST(VersionEditTest, AnEditThatIsCutShortIsRefusedOrIsASmallerEdit) {
  Random random(Seed());
  for (int i = 0; i < 200; i++) {
    const std::string record = Encoded(RandomEdit(&random));
    for (size_t size = 0; size < record.size(); size++) {
      VersionEdit decoded;
      const Status status = decoded.DecodeFrom(Slice(record.data(), size));
      if (status.ok()) {
        ASSERT_EQ(record.substr(0, size), Encoded(decoded));
      } else {
        ASSERT_TRUE(status.IsCorruption()) << status.ToString();
      }
    }
  }
}

TEST(VersionEditTest, DamagedEditsNeverCrash) {
  Random random(Seed());
  for (int i = 0; i < 5000; i++) {
    std::string record = Encoded(RandomEdit(&random));
    if (record.empty()) continue;
    for (uint64_t flips = 1 + random.Uniform(4); flips > 0; flips--) {
      record[random.Uniform(record.size())] = static_cast<char>(random.Uniform(256));
    }
    VersionEdit decoded;
    const Status status = decoded.DecodeFrom(record);
    if (status.ok()) decoded.DebugString();
    ASSERT_TRUE(status.ok() || status.IsCorruption()) << status.ToString();
  }
}

struct DamagedRecord {
  const char* what;
  std::string record;
  const char* message;
};

TEST(VersionEditTest, CorruptionSaysWhatIsDamaged) {
  const std::string key = Key("a", 1).Encode().ToString();
  const DamagedRecord kCases[] = {
      {"a tag that was never used", std::string("\x0a\x01", 2), "unknown tag: 10"},
      {"the reserved tag", std::string("\x08\x01", 2), "unknown tag: 8"},
      {"tag zero", std::string("\x00", 1), "unknown tag: 0"},
      {"half a tag", std::string("\x80", 1), "tag"},
      {"a number that is cut short", std::string("\x02\x80", 2), "log number"},
      {"no number at all", std::string("\x03", 1), "next file number"},
      {"a number of eleven bytes", "\x04" + std::string(10, '\xff') + "\x01", "last sequence"},
      {"a long name", std::string("\x01\x09", 2) + "short", "comparator name"},
      {"level 7", std::string("\x06\x07\x01", 3), "deleted file at level 7"},
      {"level 2^32-1", std::string("\x07\xff\xff\xff\xff\x0f", 6), "new file at level 4294967295"},
      {"a key without a trailer", std::string("\x05\x01\x03", 3) + "abc", "compaction pointer"},
      {"file number zero", std::string("\x07\x01\x00\x01\x09", 5) + key + "\x09" + key, "new file"},
      {"one bound only", std::string("\x07\x01\x01\x01\x09", 5) + key, "new file"},
  };
  for (const DamagedRecord& c : kCases) {
    VersionEdit edit;
    const Status status = edit.DecodeFrom(c.record);
    EXPECT_TRUE(status.IsCorruption()) << c.what;
    EXPECT_NE(std::string::npos, status.ToString().find(c.message))
        << c.what << ": " << status.ToString();
  }
}

}  // namespace
}  // namespace leveldb
