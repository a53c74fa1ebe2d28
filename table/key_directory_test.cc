#include "table/key_directory.h"

#include <gtest/gtest.h>

#include <string>

#include "iterator/key_order.h"
#include "table/block.h"
#include "table/block_builder.h"
#include "table/block_search.h"
#include "table/table_testing.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Checks that the directory finds what a search of the block finds, for any keys.
void Compare(const Entries& entries, int restart_interval, const KeyOrder& order,
             const std::vector<std::string>& targets) {
  BlockBuilder builder(restart_interval);
  for (const auto& [key, value] : entries) builder.Add(key, value);
  Block block;
  ASSERT_TRUE(Block::Parse(builder.Finish(0)->slice(), &block));
  KeyDirectory directory;
  directory.Build(block, order);
  for (const std::string& target : targets) {
    uint32_t expected;
    uint32_t found;
    const bool ok = entries.empty()
                        ? false
                        : FindRestart(block, order, target, 0, block.restart_count(), &expected);
    ASSERT_EQ(directory.Find(block, order, target, &found), ok);
    if (ok) {
      ASSERT_EQ(found, expected) << Escaped(target);
    }
  }
}

TEST(KeyDirectory, FindsWhatSearchingTheBlockFinds) {
  const ReverseComparator reverse;
  const TrailerComparator trailer(BytewiseComparator());
  const KeyOrder orders[] = {BytewiseComparator(), KeyOrder(&trailer, kTestTrailerSize, true),
                             &reverse};
  for (uint64_t seed = 1; seed <= 150; seed++) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Random random(seed);
    const KeyOrder& order = orders[seed % 3];
    const std::string stem = random.OneIn(2) ? "" : std::string(random.Uniform(20), 's');
    const auto new_key = [&] {
      const std::string body = stem + RandomBody(&random);
      return order.trailer_size() > 0 ? TrailerComparator::MakeKey(body, random.Uniform(3)) : body;
    };
    const Entries entries = RandomEntries(random.Uniform(random.OneIn(5) ? 2000 : 200), 5,
                                          order.comparator(), &random, new_key);
    std::vector<std::string> targets;
    for (int i = 0; i < 300; i++) targets.push_back(new_key());
    for (const auto& [key, value] : entries) targets.push_back(key);
    if (order.trailer_size() == 0) targets.insert(targets.end(), {"", "s", stem, stem + "\xff"});
    Compare(entries, random.OneIn(2) ? 1 : 5, order, targets);
    if (HasFatalFailure()) return;
  }
}

TEST(KeyDirectory, KeysThatDifferFarBehindTheirPrefix) {
  Entries entries;
  std::vector<std::string> targets;
  for (int i = 100; i < 300; i++) {
    const std::string key = (i < 200 ? "a" : "b") + std::string(20, 'x') + NumberToString(i);
    entries.emplace_back(key, "");
    targets.push_back(key);
    targets.push_back(key + "0");
    targets.push_back(key.substr(0, i % key.size()));
  }
  Compare(entries, 1, BytewiseComparator(), targets);
}

}  // namespace

}  // namespace leveldb
