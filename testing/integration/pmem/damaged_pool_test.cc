// A bit is flipped in each kind of structure in the pool: the database reports it or serves what is
// intact. It never crashes, where checksums are verified it never returns a value that was not
// written, and the rest can still be read.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "testing/dice.h"
#include "testing/pool_bytes.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

constexpr uint64_t kKeys = 300;
constexpr size_t kPage = 4096;

std::string Key(uint64_t number) {
  return "key" + std::to_string(1000 + number);
}

// A store with trees of several levels, large and small values, tombstones, tables, and a log with
// both kinds of values; kept both as closed and as a kill would leave it.
class DamagedPool : public ::testing::Test {
 protected:
  DamagedPool() : dice_(AnnouncedSeed()) {
    store_.pmem.guard_faults = true;
    EXPECT_OK(store_.Open());
    for (int layer = 0; layer < 7; ++layer) {
      for (int i = 0; i < 150; ++i) {
        Put(dice_.Below(kKeys));
      }
      if (layer < 6) {
        store_.Flush();
      }
      if (layer == 2) {
        store_.db()->CompactRange(nullptr, nullptr);
      }
    }
    store_.Keep("killed");
    store_.Close();
    store_.Keep("closed");
  }

  void Put(uint64_t number) {
    if (dice_.OneIn(12)) {
      ASSERT_OK(store_.db()->Delete(WriteOptions(), Key(number)));
      return;
    }
    const std::string value =
        Key(number) + "=" + dice_.Text(dice_.OneIn(2) ? dice_.Below(200) : dice_.Below(3000));
    written_[Key(number)].insert(value);
    ASSERT_OK(store_.db()->Put(WriteOptions(), Key(number), value));
  }

  bool WasWritten(const std::string& key, const std::string& value) const {
    const auto found = written_.find(key);
    return found != written_.end() && found->second.count(value) != 0;
  }

  // Reads in every way that is possible. Returns how many keys could be read.
  int ReadEverything(bool verified) {
    ReadOptions options;
    options.verify_checksums = verified;
    for (const bool backwards : {false, true}) {
      const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(options));
      uint64_t entries = 0;
      for (backwards ? iterator->SeekToLast() : iterator->SeekToFirst();
           iterator->Valid() && entries <= 2 * kKeys;
           backwards ? iterator->Prev() : iterator->Next()) {
        ++entries;
        const std::string key = iterator->key().ToString();
        const std::string value = iterator->value().ToString();
        // The status reports a value that could not be read.
        if (verified && iterator->status().ok()) {
          EXPECT_TRUE(WasWritten(key, value)) << key << ": " << value.size() << " bytes";
        }
      }
      EXPECT_LE(entries, 2 * kKeys) << "the iterator goes round in circles";
    }
    int readable = 0;
    for (uint64_t number = 0; number < kKeys; ++number) {
      std::string value;
      const Status status = store_.db()->Get(options, Key(number), &value);
      readable += status.ok() ? 1 : 0;
      if (status.ok() && verified) {
        EXPECT_TRUE(WasWritten(Key(number), value)) << Key(number);
      }
    }
    std::string text;
    store_.db()->GetProperty("leveldb.pmem", &text);
    const Range range("", "z");
    uint64_t size = 0;
    store_.db()->GetApproximateSizes(&range, 1, &size);
    return readable;
  }

  // Opens the store, reads everything and runs background jobs on it.
  void Use() {
    store_.options.paranoid_checks = dice_.OneIn(2);
    const bool verified = dice_.OneIn(2) || store_.options.paranoid_checks;
    const Status status = store_.Open();
    if (!status.ok()) {
      ASSERT_GT(status.ToString().size(), 12u) << "an error that says nothing";
      return;
    }
    ReadEverything(verified);
    written_[Key(7)].insert(Key(7) + "=new");
    static_cast<void>(store_.db()->Put(WriteOptions(), Key(7), Key(7) + "=new"));
    store_.db()->CompactRange(nullptr, nullptr);
    ReadEverything(verified);
    store_.Close();
  }

  // Returns a position in a page that is in use.
  PoolPlace AnyPlace() {
    const std::vector<std::string> files = store_.PoolFiles();
    while (true) {
      const std::string& file = files[dice_.Below(files.size())];
      const uint64_t size = std::filesystem::file_size(file);
      if (size < kPage) {
        continue;
      }
      const std::string bytes = ReadFile(file);
      for (int draws = 0; draws < 2000; ++draws) {
        const size_t page = dice_.Below(size / kPage) * kPage;
        const size_t used = bytes.find_first_not_of('\0', page);
        if (used < page + kPage) {
          // Chooses positions near bytes that are not zero, so that headers are hit as often as
          // values.
          return PoolPlace{
              file, dice_.OneIn(2) ? used + dice_.Below(std::min<size_t>(128, page + kPage - used))
                                   : page + dice_.Below(kPage)};
        }
      }
    }
  }

  Dice dice_;
  TierStore store_{kTinyPool};
  std::map<std::string, std::set<std::string>> written_;
};

TEST_F(DamagedPool, IsAnErrorOrServesWhatCouldBeSaved) {
  for (int round = 0; round < Scaled(120); ++round) {
    store_.BringBack(dice_.OneIn(2) ? "killed" : "closed");
    std::string what;
    for (uint64_t wounds = dice_.Between(1, 3); wounds > 0; --wounds) {
      const PoolPlace place = AnyPlace();
      FlipBit(place, static_cast<int>(dice_.Below(8)));
      what += place.file + " at " + std::to_string(place.offset) + "; ";
    }
    SCOPED_TRACE(what);
    Use();
    ASSERT_FALSE(HasFailure());
  }
}

TEST_F(DamagedPool, CanBeCheckedAndRepaired) {
  for (int round = 0; round < Scaled(40); ++round) {
    store_.BringBack(dice_.OneIn(2) ? "killed" : "closed");
    const PoolPlace place = AnyPlace();
    FlipBit(place, static_cast<int>(dice_.Below(8)));
    SCOPED_TRACE(place.file + " at " + std::to_string(place.offset));
    std::string report;
    const Status checked = CheckDB(store_.path(), store_.options, store_.pmem, &report);
    ASSERT_FALSE(report.empty() && checked.ok());
    const Status repaired = RepairDB(store_.path(), store_.options);
    if (!repaired.ok()) {
      // The pool itself can't be opened any more: repair without it.
      ASSERT_OK(RepairDBWithoutPool(store_.path(), store_.options, &report)) << repaired.ToString();
    }
    ASSERT_OK(store_.OpenPlainly());
    ReadEverything(true);
    ASSERT_OK(store_.db()->Put(WriteOptions(), "key", "new"));
    ASSERT_FALSE(HasFailure());
  }
}

// Damages one known value: the error names it, CheckDB finds it, and everything else can be read.
TEST_F(DamagedPool, OneValueIsLostAndNoOther) {
  const std::string value = "<<a value of its own>>" + std::string(3000, 'v');
  store_.BringBack("closed");
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "its/key", value));
  written_["its/key"].insert(value);
  store_.Flush();
  ReadOptions verified;
  verified.verify_checksums = true;
  const int readable = ReadEverything(true);
  store_.Close();
  ASSERT_EQ(DamageInPools(store_, "<<a value of its own>>"), 1);
  ASSERT_OK(store_.Open());
  std::string found;
  const Status lost = store_.db()->Get(verified, "its/key", &found);
  EXPECT_TRUE(lost.IsCorruption()) << lost.ToString();
  EXPECT_TRUE(Says(lost, store_.pools()));
  {
    const std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(verified));
    iterator->Seek("its/key");
    EXPECT_TRUE(!iterator->Valid() || iterator->value().empty());
    EXPECT_TRUE(iterator->status().IsCorruption()) << iterator->status().ToString();
  }
  int still = 0;
  for (uint64_t number = 0; number < kKeys; ++number) {
    still += store_.db()->Get(verified, Key(number), &found).ok() ? 1 : 0;
  }
  EXPECT_EQ(still, readable);
  store_.Close();
  std::string report;
  const Status checked = CheckDB(store_.path(), store_.options, store_.pmem, &report);
  EXPECT_TRUE(checked.IsCorruption()) << checked.ToString() << report;
  // A repair saves everything else.
  ASSERT_OK(RepairDB(store_.path(), store_.options));
  ASSERT_OK(store_.OpenPlainly());
  EXPECT_TRUE(store_.db()->Get(verified, "its/key", &found).IsNotFound());
  EXPECT_GE(ReadEverything(true), readable);
}

// Damages a key in a leaf: inline entries have no checksum of their own, but the leaf has one.
TEST_F(DamagedPool, OneLeafIsLostAndNoOther) {
  store_.BringBack("closed");
  ASSERT_OK(store_.Open());
  ASSERT_OK(store_.db()->Put(WriteOptions(), "its/key", "<<a small value of its own>>"));
  store_.Flush();
  store_.Close();
  // The value is in the log that has been flushed, and in the leaf.
  ASSERT_GE(DamageInPools(store_, "<<a small value of its own>>"), 1);
  ReadOptions verified;
  verified.verify_checksums = true;
  ASSERT_OK(store_.Open());
  std::string found;
  const Status lost = store_.db()->Get(verified, "its/key", &found);
  EXPECT_TRUE(lost.IsCorruption()) << lost.ToString() << found;
  EXPECT_TRUE(store_.db()->Get(verified, "another key", &found).IsNotFound());
}

// Only the footer of a tree says where the leaves are; a repair finds them without it.
TEST_F(DamagedPool, ATreeFooterIsMissedAndNothingElse) {
  store_.BringBack("closed");
  const std::vector<PoolPlace> footers = FindInPools(store_, "BshT");
  ASSERT_OK(store_.Open());
  const int readable = ReadEverything(true);
  store_.Close();
  ASSERT_GE(footers.size(), 2u);
  int used = 0;
  for (const PoolPlace& footer : footers) {
    SCOPED_TRACE(footer.file + " at " + std::to_string(footer.offset));
    store_.BringBack("closed");
    FlipBit({footer.file, footer.offset + dice_.Below(88)}, static_cast<int>(dice_.Below(8)));
    const Status opened = store_.Open();
    store_.Close();
    if (opened.ok()) {
      continue;  // the footer of a tree that has been merged
    }
    ++used;
    EXPECT_TRUE(opened.IsCorruption()) << opened.ToString();
    EXPECT_TRUE(Says(opened, store_.pools())) << opened.ToString();
    ASSERT_OK(RepairDB(store_.path(), store_.options));
    ASSERT_OK(store_.OpenPlainly());
    EXPECT_EQ(ReadEverything(true), readable);
    store_.Close();
  }
  EXPECT_GE(used, 1);
}

class DamagedTree : public ::testing::Test {
 protected:
  // Makes one tree of 3,000 keys, damages the leaves with the marked ones, and closes the store.
  void MakeTree(const std::vector<uint64_t>& marked) {
    const std::string mark = "<<in a damaged leaf>>";
    Dice dice(AnnouncedSeed());
    store_.options.write_buffer_size = 4 << 20;
    ASSERT_OK(store_.Open());
    for (uint64_t number = 0; number < 3000; ++number) {
      const bool is_marked = std::count(marked.begin(), marked.end(), number) > 0;
      const std::string key = Key(number) + (is_marked ? mark : "");
      numbers_[key] = number;
      written_[key] = dice.Text(dice.Below(100));
      ASSERT_OK(store_.db()->Put(WriteOptions(), key, written_[key]));
    }
    store_.Flush();
    ASSERT_EQ(store_.Metric("trees-at-level0"), 1u);
    store_.Close();
    ASSERT_GE(DamageInPools(store_, mark), static_cast<int>(marked.size()));
  }

  TierStore store_;
  std::map<std::string, std::string> written_;
  std::map<std::string, uint64_t> numbers_;
};

TEST_F(DamagedTree, LosesItsDamagedLeavesAndNothingBetweenThem) {
  const std::vector<uint64_t> marked = {500, 1500, 2500};
  ASSERT_NO_FATAL_FAILURE(MakeTree(marked));

  // A verified read fails exactly for the keys of those leaves.
  ReadOptions verified;
  verified.verify_checksums = true;
  ASSERT_OK(store_.Open());
  std::string found;
  for (const auto& [key, number] : numbers_) {
    const Status status = store_.db()->Get(verified, key, &found);
    if (status.ok()) {
      continue;
    }
    EXPECT_TRUE(status.IsCorruption()) << status.ToString();
    const bool is_near = std::any_of(marked.begin(), marked.end(), [at = number](uint64_t other) {
      return std::max(at, other) - std::min(at, other) < 300;
    });
    EXPECT_TRUE(is_near) << key;
    written_.erase(key);
  }
  EXPECT_LE(written_.size(), 3000 - marked.size());
  store_.Close();

  ASSERT_OK(RepairDB(store_.path(), store_.options));
  ASSERT_OK(store_.OpenPlainly());
  for (const auto& [key, number] : numbers_) {
    const Status status = store_.db()->Get(verified, key, &found);
    const auto expected = written_.find(key);
    if (expected == written_.end()) {
      EXPECT_TRUE(status.IsNotFound()) << key;
    } else {
      ASSERT_OK(status) << key;
      EXPECT_EQ(found, expected->second);
    }
  }
}

TEST_F(DamagedTree, ItsErrorStaysWhateverAScanDoesBehindIt) {
  ASSERT_NO_FATAL_FAILURE(MakeTree({500}));
  ASSERT_OK(store_.Open());
  // There are so many versions that a scan skips them by a seek.
  for (int version = 0; version < 100; ++version) {
    ASSERT_OK(store_.db()->Put(WriteOptions(), Key(1700), "version " + std::to_string(version)));
  }
  ReadOptions verified;
  verified.verify_checksums = true;
  const auto make_iterator = [&] {
    return std::unique_ptr<Iterator>(store_.db()->NewIterator(verified));
  };
  std::unique_ptr<Iterator> iterator = make_iterator();
  iterator->SeekToFirst();
  while (iterator->Valid()) {
    iterator->Next();
  }
  EXPECT_TRUE(iterator->status().IsCorruption()) << iterator->status().ToString();

  // The error is also reported if the iterator turns back after the damage.
  iterator = make_iterator();
  iterator->SeekToFirst();
  while (iterator->Valid() && iterator->key() != Slice(Key(1700))) {
    iterator->Next();
  }
  ASSERT_TRUE(iterator->Valid());
  iterator->Prev();
  iterator->Prev();
  EXPECT_TRUE(iterator->status().IsCorruption()) << iterator->status().ToString();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
