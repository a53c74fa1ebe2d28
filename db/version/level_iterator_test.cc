#include "db/version/level_iterator.h"

#include <algorithm>
#include <memory>

#include "db/files/filename.h"
#include "db/files/table_cache.h"
#include "db/files/table_output.h"
#include "db/version/approximate_offset.h"
#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "iterator/iterator_check.h"
#include "leveldb/cache.h"
#include "leveldb/comparator.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/iterator.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {
namespace {

class LevelIteratorTest : public testing::Test {
 protected:
  LevelIteratorTest() : env_(NewMemEnv(Env::Default())) {
    options_.env = env_.get();
    options_.comparator = &comparator_;
    EXPECT_TRUE(env_->CreateDir("/d").ok());
    cache_ = std::make_unique<TableCache>("/d", options_, 10);
  }

  // Writes a table with the given user keys and adds it to the level.
  void AddTable(const std::vector<std::string>& user_keys) {
    const uint64_t number = 10 + files_.size();
    std::unique_ptr<TableOutput> output;
    ASSERT_TRUE(TableOutput::Open(options_, "/d", number, cache_.get(), &output).ok());
    for (const std::string& key : user_keys) output->Add(ParseKey(key).Encode(), "v" + key);
    ASSERT_TRUE(output->Finish().ok());
    files_.push_back(std::make_shared<FileMeta>(number, output->size(), ParseKey(user_keys.front()),
                                                ParseKey(user_keys.back())));
  }

  std::unique_ptr<Iterator> NewIterator(bool begins_seeks = false) {
    return OneWayToSeek(NewLevelIterator(ReadOptions(), &comparator_, cache_.get(),
                                         std::make_shared<const LevelFiles>(files_)),
                        begins_seeks);
  }

  static std::string Here(const Iterator& iterator) {
    if (!iterator.Valid()) return iterator.status().ok() ? "end" : "error";
    const std::string key = ExtractUserKey(iterator.key()).ToString();
    EXPECT_EQ("v" + key, iterator.value().ToString());
    return key;
  }

  static std::string Forward(Iterator* iterator) {
    std::string text;
    for (iterator->SeekToFirst(); iterator->Valid(); iterator->Next())
      text += Here(*iterator) + " ";
    return text + Here(*iterator);
  }

  static std::string Backward(Iterator* iterator) {
    std::string text;
    for (iterator->SeekToLast(); iterator->Valid(); iterator->Prev()) text += Here(*iterator) + " ";
    return text + Here(*iterator);
  }

  static std::string Seek(Iterator* iterator, const std::string& key) {
    iterator->Seek(ParseKey(key).Encode());
    return Here(*iterator);
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  const std::unique_ptr<Env> env_;
  Options options_;
  std::unique_ptr<TableCache> cache_;
  std::vector<FileMetaPtr> files_;
};

TEST_F(LevelIteratorTest, AnEmptyLevel) {
  const std::unique_ptr<Iterator> iterator = NewIterator();
  EXPECT_EQ("end", Here(*iterator));
  EXPECT_EQ("end", Forward(iterator.get()));
  EXPECT_EQ("end", Backward(iterator.get()));
  EXPECT_EQ("end", Seek(iterator.get(), "a"));
}

TEST_F(LevelIteratorTest, WalksOverTheTablesBothWays) {
  AddTable({"b", "c"});
  AddTable({"f"});
  AddTable({"g", "h", "i"});
  const std::unique_ptr<Iterator> iterator = NewIterator();
  EXPECT_EQ("end", Here(*iterator));
  EXPECT_EQ("b c f g h i end", Forward(iterator.get()));
  EXPECT_EQ("i h g f c b end", Backward(iterator.get()));
}

TEST_F(LevelIteratorTest, Seeks) {
  AddTable({"b", "c"});
  AddTable({"f"});
  AddTable({"g", "h", "i"});
  for (const bool begins_seeks : {false, true}) {
    const std::unique_ptr<Iterator> iterator = NewIterator(begins_seeks);
    EXPECT_EQ("b", Seek(iterator.get(), "a"));
    EXPECT_EQ("c", Seek(iterator.get(), "c"));
    EXPECT_EQ("f", Seek(iterator.get(), "d"));
    EXPECT_EQ("i", Seek(iterator.get(), "i"));
    EXPECT_EQ("end", Seek(iterator.get(), "j"));
    EXPECT_EQ("g", Seek(iterator.get(), "g"));
    iterator->Prev();
    EXPECT_EQ("f", Here(*iterator));
    iterator->Next();
    iterator->Next();
    EXPECT_EQ("h", Here(*iterator));
  }
}

TEST_F(LevelIteratorTest, OutlivesEveryoneElse) {
  AddTable({"b", "c"});
  const std::unique_ptr<Iterator> iterator = NewIterator();
  files_.clear();
  EXPECT_EQ("b c end", Forward(iterator.get()));
}

// Uses blocks of one entry, which only the iterators keep alive.
TEST_F(LevelIteratorTest, AValueStaysOverOneStepBack) {
  const std::unique_ptr<Cache> no_blocks(NewLRUCache(0));
  options_.block_cache = no_blocks.get();
  options_.block_size = 1;
  cache_ = std::make_unique<TableCache>("/d", options_, 1);
  AddTable({"b", "c"});
  AddTable({"f"});
  AddTable({"g", "h", "i"});
  const std::unique_ptr<Iterator> iterator = NewIterator();
  iterator->SeekToLast();
  std::string passed;
  while (iterator->Valid()) {
    const std::string key = Here(*iterator);
    const Slice value = iterator->value();
    iterator->Prev();
    EXPECT_EQ("v" + key, value.ToString());
    passed += key;
  }
  EXPECT_EQ("ihgfcb", passed);
  EXPECT_EQ("b c f g h i end", Forward(iterator.get()));
}

TEST_F(LevelIteratorTest, ATableThatCantBeReadIsSkippedAndReported) {
  AddTable({"b", "c"});
  AddTable({"f"});
  AddTable({"g"});
  cache_->Evict(11);
  ASSERT_TRUE(env_->RemoveFile(TableFileName("/d", 11)).ok());
  const std::unique_ptr<Iterator> iterator = NewIterator();
  EXPECT_EQ("b c g error", Forward(iterator.get()));
  EXPECT_EQ("g c b error", Backward(iterator.get()));
  EXPECT_FALSE(iterator->status().ok());
  const std::unique_ptr<Iterator> seeking = NewIterator(true);
  EXPECT_EQ("g", Seek(seeking.get(), "f"));
  EXPECT_FALSE(seeking->status().ok());
}

TEST_F(LevelIteratorTest, RandomMoves) {
  Random random(7);
  std::vector<std::string> keys;
  for (uint64_t k = 100; k < 200;) {
    std::vector<std::string> table;
    for (uint64_t n = 1 + random.Uniform(8); n > 0; n--) {
      table.push_back(NumberToString(k));
      k += 1 + random.Uniform(3);
    }
    AddTable(table);
    keys.insert(keys.end(), table.begin(), table.end());
  }
  const std::unique_ptr<Iterator> iterator = NewIterator(true);
  size_t at = keys.size();  // where the iterator should be
  for (int step = 0; step < 5000; step++) {
    const uint64_t move = random.Uniform(4);
    if (move == 0 || at == keys.size()) {
      const std::string target = NumberToString(95 + random.Uniform(110));
      at = static_cast<size_t>(std::lower_bound(keys.begin(), keys.end(), target) - keys.begin());
      iterator->Seek(ParseKey(target).Encode());
    } else if (move == 1) {
      at = at == 0 ? keys.size() : at - 1;
      iterator->Prev();
    } else {
      at++;
      iterator->Next();
    }
    ASSERT_EQ(at == keys.size() ? "end" : keys[at], Here(*iterator));
  }
}

TEST_F(LevelIteratorTest, ApproximateOffsetsSumOverAllLevels) {
  AddTable({"b", "c"});
  AddTable({"f", "g"});
  VersionEdit edit;
  edit.AddFile(0, 10, files_[0]->size, ParseKey("b"), ParseKey("c"));
  edit.AddFile(1, 11, files_[1]->size, ParseKey("f"), ParseKey("g"));
  VersionBuilder builder(&comparator_, VersionPtr(new Version(&comparator_)));
  builder.Apply(edit);
  VersionPtr version;
  ASSERT_TRUE(builder.Build(&version).ok());
  const auto offset_of = [&](const std::string& key) {
    return ApproximateOffsetOf(*version, cache_.get(), ParseKey(key).Encode());
  };
  EXPECT_EQ(0u, offset_of("a"));
  EXPECT_LT(offset_of("c@2"), files_[0]->size);
  EXPECT_EQ(files_[0]->size, offset_of("d"));
  EXPECT_EQ(files_[0]->size + files_[1]->size, offset_of("h"));
}

}  // namespace
}  // namespace leveldb
