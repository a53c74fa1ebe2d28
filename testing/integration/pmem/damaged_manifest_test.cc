// A repair loses nothing because of a damaged manifest: it finds the trees that the manifest named
// in the pool, but not those that had been dropped, with values that were deleted since.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "db/version/version_edit.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/record_file.h"
#include "testing/seed.h"
#include "testing/status_checks.h"
#include "testing/tier_store.h"

namespace leveldb {
namespace testkit {
namespace {

uint64_t NextFileNumberOf(const std::vector<std::string>& records) {
  uint64_t number = 0;
  for (const std::string& record : records) {
    VersionEdit edit;
    EXPECT_OK(edit.DecodeFrom(record));
    number = edit.next_file_number().value_or(number);
  }
  return number;
}

class DamagedManifest : public ::testing::Test {
 protected:
  // Flushes, merges and opens, while every key is written and deleted many times.
  void Live() {
    for (int opens = 0; opens < 3; ++opens) {
      ASSERT_OK(store_.Open());
      for (int flushes = 0; flushes < 12; ++flushes) {
        ASSERT_NO_FATAL_FAILURE(WriteSome());
        store_.Flush();
        if (dice_.OneIn(4)) {
          store_.db()->CompactRange(nullptr, nullptr);
        }
      }
      ASSERT_NO_FATAL_FAILURE(WriteSome());
    }
  }

  void WriteSome() {
    for (int i = 0; i < 40; ++i) {
      const std::string key = "key" + std::to_string(dice_.Below(100));
      if (dice_.OneIn(3)) {
        ASSERT_OK(store_.db()->Delete(WriteOptions(), key));
        expected_.erase(key);
      } else {
        const std::string value =
            std::to_string(++serial_) + std::string(dice_.OneIn(3) ? 1000 : 10, 'v');
        ASSERT_OK(store_.db()->Put(WriteOptions(), key, value));
        expected_[key] = value;
      }
    }
  }

  std::string ManifestPath() const {
    const std::string current = ReadFile(store_.path() + "/CURRENT");
    return store_.path() + "/" + current.substr(0, current.find('\n'));
  }

  void ExpectARepairSavesAll(const std::string& what) {
    ASSERT_OK(RepairDB(store_.path(), store_.options)) << what;
    ASSERT_OK(store_.OpenPlainly()) << what;
    Contents contents;
    ASSERT_OK(ReadContents(store_.db(), &contents)) << what;
    std::map<std::string, std::string> saved(contents.begin(), contents.end());
    for (const auto& [key, value] : expected_) {
      ASSERT_EQ(saved.count(key), 1u) << key << " is lost, manifest " << what;
      ASSERT_EQ(saved[key], value) << key << ", manifest " << what;
      saved.erase(key);
    }
    ASSERT_TRUE(saved.empty()) << saved.begin()->first << " has come back, manifest " << what;
  }

  // Repairs the same database `times` times, each time after `ruin` has damaged the bytes of its
  // manifest and returned a description.
  template <typename Ruin>
  void RuinIt(int times, const Ruin& ruin) {
    store_.Close();
    store_.Keep("whole");
    for (int i = 0; i < times; ++i) {
      store_.BringBack("whole");
      std::string manifest = ReadFile(ManifestPath());
      const std::string what = ruin(&manifest);
      WriteFile(ManifestPath(), manifest);
      ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll(what));
    }
  }

  // Flips one bit each time.
  void FlipBytes(int times) {
    RuinIt(times, [this](std::string* manifest) {
      const size_t at = dice_.Below(manifest->size());
      (*manifest)[at] = static_cast<char>((*manifest)[at] ^ 0x10);
      return "flipped at " + std::to_string(at);
    });
  }

  // Concurrent jobs take their numbers before they write their edits: the last edit that is left
  // may name numbers that trees and tables of lost edits have, and the cut leaves no trace.
  void CutBehindEachEdit() {
    store_.Close();
    store_.Keep("whole");
    const std::vector<std::string> records = ReadRecords(ManifestPath());
    VersionEdit of_another_job;
    of_another_job.SetNextFile(NextFileNumberOf(records));
    std::string last;
    of_another_job.EncodeTo(&last);
    // The first two edits are those of the open that began the manifest.
    for (size_t left = 2; left < records.size(); ++left) {
      store_.BringBack("whole");
      std::vector<std::string> cut(records.begin(), records.begin() + static_cast<ptrdiff_t>(left));
      cut.push_back(last);
      WriteRecords(ManifestPath(), cut);
      ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("left with " + std::to_string(left) + " of " +
                                                    std::to_string(records.size()) + " edits"));
    }
  }

  Dice dice_{AnnouncedSeed()};
  TierStore store_;
  std::map<std::string, std::string> expected_;
  int serial_ = 0;
};

TEST_F(DamagedManifest, AFlippedByteCostsNothing) {
  ASSERT_NO_FATAL_FAILURE(Live());
  ASSERT_NO_FATAL_FAILURE(FlipBytes(20));
}

TEST_F(DamagedManifest, ACutCostsNothing) {
  ASSERT_NO_FATAL_FAILURE(Live());
  ASSERT_NO_FATAL_FAILURE(RuinIt(20, [this](std::string* manifest) {
    manifest->resize(dice_.Below(manifest->size()));
    return "cut to " + std::to_string(manifest->size());
  }));
}

TEST_F(DamagedManifest, ACutBehindAnEditThatKnowsLaterNumbersCostsNothing) {
  ASSERT_NO_FATAL_FAILURE(Live());
  ASSERT_NO_FATAL_FAILURE(CutBehindEachEdit());
}

TEST_F(DamagedManifest, TheSameWhereTreesHaveBecomeTables) {
  store_.pmem.spill_start = 0.01;
  store_.pmem.spill_stop = 0.005;
  ASSERT_NO_FATAL_FAILURE(Live());
  EXPECT_GT(FileNamesEnding(store_.path(), ".ldb").size(), 0u);
  ASSERT_NO_FATAL_FAILURE(CutBehindEachEdit());
}

// The open that gives a database its tier makes trees before it begins a manifest.
TEST_F(DamagedManifest, ACutBehindTheFirstEditCostsNothing) {
  store_.pmem.convert = true;
  ASSERT_OK(store_.OpenPlainly());
  ASSERT_NO_FATAL_FAILURE(WriteSome());
  store_.Close();
  ASSERT_OK(store_.Open());
  store_.Close();
  const std::vector<std::string> records = ReadRecords(ManifestPath());
  ASSERT_GT(records.size(), 1u);
  WriteRecords(ManifestPath(), {records.front()});
  ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("left with its first edit"));
}

TEST_F(DamagedManifest, NoManifestAtAllCostsNothing) {
  ASSERT_NO_FATAL_FAILURE(Live());
  store_.Close();
  std::filesystem::remove(ManifestPath());
  ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("removed"));
}

// The process ends before dropped trees are freed; the next open frees them.
TEST_F(DamagedManifest, WhatACrashHasLeftBehindDoesNotComeBack) {
  ASSERT_NO_FATAL_FAILURE(Live());
  for (int i = 0; i < 3; ++i) {
    // As long as the iterator exists, no tree of this version is freed.
    std::unique_ptr<Iterator> iterator(store_.db()->NewIterator(ReadOptions()));
    ASSERT_NO_FATAL_FAILURE(WriteSome());
    store_.db()->CompactRange(nullptr, nullptr);
    store_.Keep("crashed");
    iterator.reset();
    store_.BringBack("crashed");
    ASSERT_OK(store_.Open());
  }
  ASSERT_NO_FATAL_FAILURE(FlipBytes(10));
}

// Flushed logs are not erased: the next log refers to them as long as it exists, and what has
// overwritten a part of one may have destroyed a deletion.
class FlushedLog : public DamagedManifest {
 protected:
  // Simulates that the part of the log with these bytes has been overwritten.
  void OverwriteInPool(const std::string& bytes) {
    size_t places = 0;
    for (const std::string& file : store_.PoolFiles()) {
      std::string pool = ReadFile(file);
      for (size_t at = 0; (at = pool.find(bytes, at)) != std::string::npos; ++places) {
        std::fill_n(pool.begin() + static_cast<ptrdiff_t>(at), bytes.size(), '\0');
      }
      WriteFile(file, pool);
    }
    ASSERT_GT(places, 0u);
  }

  // Leaves a log of a value and its deletion, both merged away, in which only the value is intact.
  void LeaveAPart() {
    const std::string last_write = "the last write before the deletion";
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.db()->Put(WriteOptions(), "deleted", "x"));
    ASSERT_OK(store_.db()->Put(WriteOptions(), "other", last_write));
    ASSERT_OK(store_.db()->Delete(WriteOptions(), "deleted"));
    ASSERT_OK(store_.db()->Delete(WriteOptions(), "other"));
    store_.db()->CompactRange(nullptr, nullptr);
    ASSERT_OK(store_.db()->Put(WriteOptions(), "kept", "y"));
    expected_ = {{"kept", "y"}};
    store_.Close();
    ASSERT_NO_FATAL_FAILURE(OverwriteInPool(last_write));
  }
};

TEST_F(FlushedLog, DoesNotComeBackWithoutAManifest) {
  ASSERT_NO_FATAL_FAILURE(LeaveAPart());
  std::filesystem::remove(ManifestPath());
  ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("removed"));
}

TEST_F(FlushedLog, DoesNotComeBackWhereAManifestLacksItsLastEdits) {
  ASSERT_NO_FATAL_FAILURE(LeaveAPart());
  std::vector<std::string> records = ReadRecords(ManifestPath());
  ASSERT_GT(records.size(), 2u);
  records.resize(2);
  WriteRecords(ManifestPath(), records);
  ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("left with two edits"));
}

// There is a value, and in a newer tree its deletion; then a merge drops both. A crash leaves the
// tree with the value, which an iterator had kept, and the manifest loses the edit of the merge.
class DeletedInAnotherTree : public DamagedManifest {
 protected:
  // `with_deletion`: the tree with the deletion is left, too.
  void MergeAndCrash(bool with_deletion) {
    ASSERT_OK(store_.Open());
    ASSERT_OK(store_.db()->Put(WriteOptions(), "deleted", "x"));
    ASSERT_OK(store_.db()->Put(WriteOptions(), "kept", "y"));
    store_.Flush();
    std::unique_ptr<Iterator> iterator;
    const auto keep = [&] { iterator.reset(store_.db()->NewIterator(ReadOptions())); };
    if (!with_deletion) {
      keep();
    }
    ASSERT_OK(store_.db()->Delete(WriteOptions(), "deleted"));
    store_.Flush();
    if (with_deletion) {
      keep();
    }
    ASSERT_EQ(store_.Metric("trees-at-level0"), 2u);
    store_.db()->CompactRange(nullptr, nullptr);
    store_.Keep("crashed");
    iterator.reset();
    store_.BringBack("crashed");
    expected_ = {{"kept", "y"}};

    records_ = ReadRecords(ManifestPath());
    const auto gives_trees_up = [this](const std::string& record) {
      VersionEdit edit;
      EXPECT_OK(edit.DecodeFrom(record));
      if (!edit.pmem().deleted_trees().empty()) {
        return true;
      }
      for (const PmemEdit::NewTree& tree : edit.pmem().new_trees()) {
        newest_named_ = tree.record.number;
        level_ = tree.level;
      }
      return false;
    };
    const auto merge = std::find_if(records_.begin(), records_.end(), gives_trees_up);
    ASSERT_NE(merge, records_.end());
    records_.erase(merge, records_.end());
  }

  std::vector<std::string> records_;  // the remaining records of the manifest
  uint64_t newest_named_ = 0;
  int level_ = 0;
};

TEST_F(DeletedInAnotherTree, ThatWasGivenUp) {
  ASSERT_NO_FATAL_FAILURE(MergeAndCrash(/*with_deletion=*/false));
  WriteRecords(ManifestPath(), records_);
  ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("without the merge"));
}

// An earlier merge has moved the deletion into a tree that the lost merge has dropped.
TEST_F(DeletedInAnotherTree, ThatWasMerged) {
  ASSERT_NO_FATAL_FAILURE(MergeAndCrash(/*with_deletion=*/true));
  VersionEdit merge;
  merge.pmem().RemoveTree(level_, newest_named_);
  merge.EncodeTo(&records_.emplace_back());
  WriteRecords(ManifestPath(), records_);
  ASSERT_NO_FATAL_FAILURE(ExpectARepairSavesAll("without the second merge"));
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
