// Every kind of file is damaged at random positions: the database reports it or serves what is
// intact. It never crashes, and where checksums are verified it never returns a value that was not
// written.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/filter_policy.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

std::string Key(uint64_t number) {
  return "key" + std::to_string(number);
}

// A sound database with several levels, filters, compressed and plain blocks and a log, and all
// values that its keys ever had.
class Original {
 public:
  Original() : bloom_(NewBloomFilterPolicy(10)) {
    options_.create_if_missing = true;
    options_.write_buffer_size = 64 << 10;
    options_.filter_policy = bloom_.get();
    Dice dice(4711);
    for (int session = 0; session < 3; ++session) {
      options_.compression = static_cast<CompressionType>(session);  // each kind once
      DB* opened = nullptr;
      EXPECT_OK(DB::Open(options_, path(), &opened));
      const std::unique_ptr<DB> db(opened);
      for (int i = 0; i < 400; ++i) {
        const std::string key = Key(dice.Below(300));
        const std::string value = key + "=" + dice.Text(dice.Below(600));
        written_[key].insert(value);
        EXPECT_OK(db->Put(WriteOptions(), key, value));
        if (dice.OneIn(10)) {
          EXPECT_OK(db->Delete(WriteOptions(), Key(dice.Below(300))));
        }
      }
      if (session == 0) {
        db->CompactRange(nullptr, nullptr);
      }
    }
  }

  std::string path() const { return dir_ / "db"; }
  const Options& options() const { return options_; }
  bool WasWritten(const std::string& key, const std::string& value) const {
    const auto found = written_.find(key);
    return found != written_.end() && found->second.count(value) != 0;
  }

 private:
  const TempDir dir_;
  const std::unique_ptr<const FilterPolicy> bloom_;
  Options options_;
  std::map<std::string, std::set<std::string>> written_;
};

enum class Damage { kFlipBit, kRandomByte, kTruncate, kZeros, kGarbage, kExtend, kEmpty, kRemove };
constexpr uint64_t kDamages = 8;

void Inflict(const std::string& path, Damage damage, Dice* dice) {
  std::string bytes = ReadFile(path);
  const size_t size = bytes.size();
  // Half of the positions are near the end, where tables and logs keep what matters.
  const size_t place = size == 0        ? 0
                       : dice->OneIn(2) ? dice->Below(size)
                       : size < 200     ? dice->Below(size)
                                        : size - 1 - dice->Below(200);
  const size_t length = size == 0 ? 0 : std::min<size_t>(size - place, dice->Between(1, 2000));
  switch (damage) {
    case Damage::kFlipBit:
      if (size > 0) {
        bytes[place] = static_cast<char>(bytes[place] ^ (1 << dice->Below(8)));
      }
      break;
    case Damage::kRandomByte:
      if (size > 0) {
        bytes[place] = static_cast<char>(dice->Next());
      }
      break;
    case Damage::kTruncate:
      bytes.resize(place);
      break;
    case Damage::kZeros:
      bytes.replace(place, length, std::string(length, '\0'));
      break;
    case Damage::kGarbage:
      bytes.replace(place, length, dice->Bytes(length));
      break;
    case Damage::kExtend:
      bytes += dice->Bytes(dice->Between(1, 1000));
      break;
    case Damage::kEmpty:
      bytes.clear();
      break;
    case Damage::kRemove:
      std::remove(path.c_str());
      return;
  }
  WriteFile(path, bytes);
}

class DamagedFiles : public ::testing::TestWithParam<const char*> {
 protected:
  // Reads in every way. Nothing may crash; with `verified`, no answer may be wrong.
  void ReadEverything(DB* db, bool verified) {
    ReadOptions options;
    options.verify_checksums = verified;
    for (const bool backwards : {false, true}) {
      const std::unique_ptr<Iterator> iterator(db->NewIterator(options));
      int entries = 0;
      for (backwards ? iterator->SeekToLast() : iterator->SeekToFirst();
           iterator->Valid() && entries < 10000; backwards ? iterator->Prev() : iterator->Next()) {
        ++entries;
        if (verified) {
          ASSERT_TRUE(
              original_.WasWritten(iterator->key().ToString(), iterator->value().ToString()))
              << iterator->key().ToString();
        }
      }
      ASSERT_LT(entries, 10000) << "the iterator goes round in circles";
    }
    for (int i = 0; i < 300; ++i) {
      std::string value;
      const Status status = db->Get(options, Key(i), &value);
      if (status.ok() && verified) {
        ASSERT_TRUE(original_.WasWritten(Key(i), value)) << Key(i);
      }
      ASSERT_TRUE(status.ok() || status.IsNotFound() || !status.ToString().empty());
    }
    std::string text;
    db->GetProperty("leveldb.sstables", &text);
    const Range range("", "z");
    uint64_t size = 0;
    db->GetApproximateSizes(&range, 1, &size);
  }

  void Use(const std::string& path, bool paranoid, bool verified) {
    Options options = original_.options();
    options.paranoid_checks = paranoid;
    DB* opened = nullptr;
    const Status status = DB::Open(options, path, &opened);
    const std::unique_ptr<DB> db(opened);
    if (!status.ok()) {
      ASSERT_GT(status.ToString().size(), 12u) << "an error that says nothing";
      return;
    }
    ReadEverything(db.get(), verified);
    // Background jobs may do anything with the damaged data except crash.
    static_cast<void>(db->Put(WriteOptions(), "key7", "key7=new"));
    db->CompactRange(nullptr, nullptr);
    const std::unique_ptr<Iterator> iterator(db->NewIterator(ReadOptions()));
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next()) {
    }
  }

  const Original original_;
};

TEST_P(DamagedFiles, AreAnErrorOrServeWhatCouldBeSaved) {
  Dice dice(AnnouncedSeed());
  const std::string kind = GetParam();
  for (int round = 0; round < Scaled(100); ++round) {
    const TempDir dir;
    CopyDir(original_.path(), dir / "db");
    std::vector<std::string> victims;
    for (const std::string& name : FileNames(dir / "db")) {
      if (name.find(kind) != std::string::npos) {
        victims.push_back(name);
      }
    }
    ASSERT_FALSE(victims.empty());
    std::string what;
    for (uint64_t wounds = dice.OneIn(3) ? 2 : 1; wounds > 0; --wounds) {
      const std::string victim = victims[dice.Below(victims.size())];
      const Damage damage = static_cast<Damage>(dice.Below(kDamages));
      what += victim + " damage " + std::to_string(static_cast<int>(damage)) + "; ";
      if (FileNamesEnding(dir / "db", victim).size() == 1) {
        Inflict(dir / ("db/" + victim), damage, &dice);
      }
    }
    SCOPED_TRACE(what);
    const bool paranoid = dice.OneIn(2);
    const bool verified = dice.OneIn(2);
    // A copy, because using the database changes it.
    CopyDir(dir / "db", dir / "copy");
    Use(dir / "copy", paranoid, verified);
    ASSERT_FALSE(HasFailure());

    if (dice.OneIn(3)) {
      Options options = original_.options();
      options.paranoid_checks = paranoid;
      const Status repaired = RepairDB(dir / "db", options);
      ASSERT_OK(repaired);
      DB* opened = nullptr;
      ASSERT_OK(DB::Open(options, dir / "db", &opened));
      const std::unique_ptr<DB> db(opened);
      ReadEverything(db.get(), true);
      ASSERT_OK(db->Put(WriteOptions(), "key7", "key7=new"));
      ASSERT_FALSE(HasFailure());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, DamagedFiles,
                         ::testing::Values(".ldb", ".log", "MANIFEST", "CURRENT", "LOG", "LOCK"),
                         [](const auto& kind) {
                           const std::string name = kind.param;
                           return name[0] == '.' ? name.substr(1) : name;
                         });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
