#include "pmem/media/pool_offset.h"

#include <gtest/gtest.h>

#include <set>

namespace leveldb {

TEST(PoolId, TextAndBack) {
  PoolId id;
  for (size_t i = 0; i < PoolId::kSize; i++) id.bytes[i] = static_cast<uint8_t>(16 * i + 15 - i);
  EXPECT_EQ("0f1e2d3c4b5a69788796a5b4c3d2e1f0", id.Text());
  PoolId parsed;
  ASSERT_TRUE(PoolId::FromText(id.Text(), &parsed));
  EXPECT_EQ(id, parsed);
}

TEST(PoolId, RefusesOtherTexts) {
  PoolId id = PoolId::Random();
  const PoolId before = id;
  for (const char* const text :
       {"", "0f1e2d3c4b5a69788796a5b4c3d2e1f", "0f1e2d3c4b5a69788796a5b4c3d2e1f00",
        "0F1E2D3C4B5A69788796A5B4C3D2E1F0", "0f1e2d3c4b5a69788796a5b4c3d2e1g0",
        "0f1e2d3c 4b5a69788796a5b4c3d2e1f"}) {
    EXPECT_FALSE(PoolId::FromText(text, &id)) << text;
    EXPECT_EQ(before, id);
  }
}

TEST(PoolId, RandomOnesDiffer) {
  std::set<std::string> texts;
  std::set<uint64_t> folded;
  std::set<uint64_t> salts;
  for (int i = 0; i < 1000; i++) {
    const PoolId id = PoolId::Random();
    texts.insert(id.Text());
    folded.insert(id.Folded());
    salts.insert(RandomSalt());
  }
  EXPECT_EQ(1000u, texts.size());
  EXPECT_EQ(1000u, folded.size());
  EXPECT_EQ(1000u, salts.size());
  EXPECT_EQ(0u, salts.count(0));
}

}  // namespace leveldb
