// An iterator returns the database as it was when the iterator was made, whatever is written,
// deleted, flushed, compacted or removed from the disk meanwhile.

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/contents.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class IteratorsOverLiveWrites : public ::testing::Test {
 protected:
  IteratorsOverLiveWrites() {
    Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options, dir_ / "db", &db));
    db_.reset(db);
  }

  void PutAll(int count, const std::string& value) {
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(db_->Put(WriteOptions(), Key(i), value));
    }
  }

  void DeleteAll(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_OK(db_->Delete(WriteOptions(), Key(i)));
    }
  }

  static std::string Key(int number) {
    char key[16];
    std::snprintf(key, sizeof(key), "key%06d", number);
    return key;
  }

  const TempDir dir_;
  std::unique_ptr<DB> db_;
};

TEST_F(IteratorsOverLiveWrites, KeepWhatTheySaw) {
  constexpr int kCount = 500;
  const std::string old_value(300, 'o');
  PutAll(kCount, old_value);
  const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
  iterator->SeekToFirst();
  for (int i = 0; i < kCount; ++i) {
    if (i == 10) {
      PutAll(kCount, std::string(300, 'n'));
    } else if (i == 100) {
      DeleteAll(kCount);
    } else if (i == 200) {
      db_->CompactRange(nullptr, nullptr);
    } else if (i == 300) {
      PutAll(2 * kCount, "again");
      db_->CompactRange(nullptr, nullptr);
    }
    ASSERT_TRUE(iterator->Valid()) << i;
    ASSERT_EQ(iterator->key(), Key(i));
    ASSERT_EQ(iterator->value(), old_value);
    iterator->Next();
  }
  EXPECT_FALSE(iterator->Valid());
  iterator->SeekToLast();
  for (int i = kCount - 1; i >= 0; --i) {
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->key(), Key(i));
    ASSERT_EQ(iterator->value(), old_value);
    iterator->Prev();
  }
  EXPECT_FALSE(iterator->Valid());
  EXPECT_OK(iterator->status());
}

TEST_F(IteratorsOverLiveWrites, TurnRoundAnywhere) {
  PutAll(100, "a");
  PutAll(100, "b");
  for (int i = 0; i < 100; i += 2) {
    ASSERT_OK(db_->Delete(WriteOptions(), Key(i)));
  }
  const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
  for (int i = 1; i + 4 < 100; i += 2) {
    iterator->Seek(Key(i - 1));  // deleted: finds the next key
    ASSERT_TRUE(iterator->Valid());
    ASSERT_EQ(iterator->key(), Key(i));
    iterator->Next();
    iterator->Next();
    ASSERT_EQ(iterator->key(), Key(i + 4));
    iterator->Prev();
    ASSERT_EQ(iterator->key(), Key(i + 2));
    ASSERT_EQ(iterator->value(), "b");
    iterator->Next();
    ASSERT_EQ(iterator->key(), Key(i + 4));
  }
}

TEST_F(IteratorsOverLiveWrites, ASnapshotIsReadAgainAndAgain) {
  PutAll(300, "first");
  const Snapshot* const first = db_->GetSnapshot();
  PutAll(200, "second");
  const Snapshot* const second = db_->GetSnapshot();
  DeleteAll(300);
  db_->CompactRange(nullptr, nullptr);

  Contents at_first;
  Contents at_second;
  Contents now;
  ASSERT_OK(ReadContents(db_.get(), &at_first, first));
  ASSERT_OK(ReadContents(db_.get(), &at_second, second));
  ASSERT_OK(ReadContents(db_.get(), &now));
  ASSERT_EQ(at_first.size(), 300u);
  ASSERT_EQ(at_second.size(), 300u);
  EXPECT_TRUE(now.empty());
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(at_first[i].second, "first");
    EXPECT_EQ(at_second[i].second, i < 200 ? "second" : "first");
  }
  db_->ReleaseSnapshot(first);
  db_->CompactRange(nullptr, nullptr);
  Contents again;
  ASSERT_OK(ReadContents(db_.get(), &again, second));
  EXPECT_TRUE(again == at_second);
  db_->ReleaseSnapshot(second);
}

// Bindings leave snapshots unreleased when a program ends, for example in plyvel's own tests.
TEST_F(IteratorsOverLiveWrites, ASnapshotLeftBehindGoesWithTheDatabase) {
  PutAll(10, "value");
  static_cast<void>(db_->GetSnapshot());
  static_cast<void>(db_->GetSnapshot());
  db_.reset();
}

TEST_F(IteratorsOverLiveWrites, CleanupRunsWhenTheIteratorGoes) {
  int steps[] = {1, 2, 3};
  int cleaned = 0;
  {
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
    for (int& step : steps) {
      iterator->RegisterCleanup(
          [](void* sum, void* number) { *static_cast<int*>(sum) += *static_cast<int*>(number); },
          &cleaned, &step);
    }
    EXPECT_EQ(cleaned, 0);
  }
  EXPECT_EQ(cleaned, 6);
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
