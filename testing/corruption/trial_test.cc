// Tests that a trial detects every kind of wrong answer of a store.

#include "testing/corruption/trial.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "filelog/format.h"
#include "testing/seed.h"
#include "testing/temp_dir.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {
namespace testkit {
namespace {

class TrialTest : public ::testing::Test {
 protected:
  TrialTest() : dice_(AnnouncedSeed()) {}

  template <typename Wanted>
  void MakeBaseThat(const Wanted& is_wanted) {
    do {
      base_ = MakeBase(dice_.Next(), place_);
    } while (!is_wanted(*base_));
    held_ = VersionsHeld(base_->map);
  }

  Finding TryWith(const Image& image, const Wound& wound) {
    return Try(*base_, held_, image, wound, &dice_);
  }

  static Wound WoundOf(const Piece& piece) {
    Wound wound;
    wound.structure = piece.structure;
    wound.file = piece.file;
    wound.begin = piece.begin();
    wound.end = piece.end();
    return wound;
  }

  // Tries the base as if the piece had been damaged and nothing noticed it. Only some trials run a
  // check, so several are made.
  Finding TryWithoutDamage(const Piece& piece) {
    const Wound wound = WoundOf(piece);
    Finding finding;
    for (int i = 0; i < 50 && finding.verdict != Verdict::kWrong; ++i) {
      finding = TryWith(base_->image, wound);
    }
    return finding;
  }

  const TempDir dir_{Medium::kMemory};
  const ImagePlace place_{dir_.path() + "/image"};
  Dice dice_;
  std::unique_ptr<Base> base_;
  std::set<KeyVersion> held_;
};

// Returns the newest version of a key that is in the last record of a log file, as its value.
const Piece* LastRecordOfALogFile(const Base& base) {
  const Piece* last = nullptr;
  for (const Piece& piece : base.map.pieces) {
    if (piece.structure == Structure::kLogFile && piece.fields.size() == 4) last = &piece;
  }
  if (last == nullptr || last->carries.empty()) return nullptr;
  const KeyVersion& version = last->carries.back();
  const bool counts = base.writings.Newest(version.key) == version.sequence &&
                      !base.writings.IsAbsent(version.key, version.sequence);
  return counts ? last : nullptr;
}

TEST_F(TrialTest, SoundImagesAreFoundSound) {
  for (int i = 0; i < 3; ++i) {
    MakeBaseThat([](const Base&) { return true; });
    const Finding finding = TryWith(base_->image, Wound());
    EXPECT_EQ(finding.verdict, Verdict::kHarmless) << base_->summary << ": " << finding.wrong;
  }
}

TEST_F(TrialTest, AnOlderStateIsWrong) {
  MakeBaseThat([](const Base& base) { return !base.older.empty(); });
  EXPECT_EQ(TryWith(base_->older.back(), Wound()).verdict, Verdict::kWrong) << base_->summary;
}

TEST_F(TrialTest, AMadeUpValueIsWrong) {
  MakeBaseThat([](const Base& base) { return LastRecordOfALogFile(base) != nullptr; });
  const Piece* const record = LastRecordOfALogFile(*base_);
  Image image = base_->image;
  std::string& bytes = image[record->file];
  const uint64_t last = record->end() - 1;
  bytes[last] = static_cast<char>(bytes[last] ^ 1);
  const uint64_t type = record->begin() + kLogHeaderSize - 1;
  const uint32_t crc = crc32c::Value(bytes.data() + type, record->end() - type);
  StoreFixed32(bytes.data() + record->begin(), crc32c::Mask(crc));
  const Finding finding = TryWith(image, Wound());
  EXPECT_EQ(finding.verdict, Verdict::kWrong) << base_->summary;
}

const Piece* LastOf(Structure structure, const Base& base) {
  const Piece* last = nullptr;
  for (const Piece& piece : base.map.pieces) {
    if (piece.structure == structure) last = &piece;
  }
  return last;
}

TEST_F(TrialTest, DamageThatIsNotFoundIsWrong) {
  MakeBaseThat([](const Base& base) { return LastOf(Structure::kTableData, base) != nullptr; });
  EXPECT_EQ(TryWithoutDamage(*LastOf(Structure::kTableData, *base_)).wrong,
            "checked: damage to bytes that a checksum covers is not found");
}

// If nothing else depends on the last edit, the database is as a crash may leave it.
TEST_F(TrialTest, ALastEditThatIsNotMissedIsNotWrong) {
  MakeBaseThat([](const Base&) { return true; });
  EXPECT_EQ(TryWithoutDamage(*LastOf(Structure::kManifest, *base_)).wrong, "");
}

// Returns values that no log can restore, of keys that have no other value.
std::vector<const Piece*> ValuesOfTrees(const Base& base) {
  std::vector<const Piece*> found;
  for (const Piece& piece : base.map.pieces) {
    if (piece.structure != Structure::kValue || !piece.cuts.empty()) continue;
    if (piece.carries.size() != 1) continue;
    const KeyVersion& version = piece.carries.front();
    if (base.writings.Newest(version.key) == version.sequence) found.push_back(&piece);
  }
  return found;
}

TEST_F(TrialTest, ADatabaseThatRefusesToOpenForOneValueIsWrong) {
  MakeBaseThat([](const Base& base) { return !ValuesOfTrees(base).empty(); });
  Image image = base_->image;
  image[place_.db() + "/CURRENT"] = "MANIFEST-999999\n";
  const Finding finding = TryWith(image, WoundOf(*ValuesOfTrees(*base_).front()));
  EXPECT_EQ(finding.wrong.rfind("opened", 0), 0u) << finding.wrong;
  EXPECT_NE(finding.wrong.find("an open is refused for it"), std::string::npos) << finding.wrong;
}

TEST_F(TrialTest, AReadThatFailsOfDamageElsewhereIsWrong) {
  const auto other_value = [](const Base& base) -> const Piece* {
    const std::vector<const Piece*> values = ValuesOfTrees(base);
    for (const Piece* const value : values) {
      if (value->carries != values.front()->carries) return value;
    }
    return nullptr;
  };
  MakeBaseThat([&](const Base& base) { return other_value(base) != nullptr; });
  Image image = base_->image;
  const Piece& other = *other_value(*base_);
  char& byte = image[other.file][other.begin()];
  byte = static_cast<char>(byte ^ 1);
  const Finding finding = TryWith(image, WoundOf(*ValuesOfTrees(*base_).front()));
  EXPECT_NE(finding.wrong.find("which was not hit"), std::string::npos)
      << finding.wrong << "; " << other.carries.front().key << ", " << base_->summary;
}

TEST_F(TrialTest, EveryStructureIsFound) {
  std::set<std::string> missing;
  for (int i = 0; i < kStructures; ++i) missing.insert(StructureName(static_cast<Structure>(i)));
  missing.erase(StructureName(Structure::kDirectory));  // it has no pieces
  for (int bases = 0; bases < 500 && !missing.empty(); ++bases) {
    MakeBaseThat([](const Base&) { return true; });
    for (const Piece& piece : base_->map.pieces) missing.erase(StructureName(piece.structure));
  }
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
