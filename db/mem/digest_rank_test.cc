#include "db/mem/digest_rank.h"

#include <gtest/gtest.h>

#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

void ExpectRank(const std::vector<uint64_t>& digests, uint64_t digest, int smaller, int equal) {
  const int count = static_cast<int>(digests.size());
  for (const DigestRanker ranker : {&RankDigestPlain, FastestDigestRanker()}) {
    const DigestRank rank = ranker(digests.data(), count, digest);
    EXPECT_EQ(smaller, rank.smaller);
    EXPECT_EQ(equal, rank.equal);
  }
}

TEST(DigestRank, CountsSmallerAndEqualOnes) {
  ExpectRank({}, 5, 0, 0);
  ExpectRank({7, 5, 3}, 5, 1, 1);
  ExpectRank({7, 5, 3}, 6, 2, 0);
  ExpectRank({5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, 5, 0, 10);
}

TEST(DigestRank, DigestsHaveNoSign) {
  const uint64_t high = uint64_t{1} << 63;
  ExpectRank({0, high, ~uint64_t{0}, high - 1}, high, 2, 1);
  ExpectRank({0, high, ~uint64_t{0}, high - 1}, 0, 0, 1);
  ExpectRank({0, high, ~uint64_t{0}, high - 1}, ~uint64_t{0}, 3, 1);
}

// Each vector ends where its memory does, which AddressSanitizer watches.
TEST(DigestRank, AllRankersAgree) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int round = 0; round < testkit::Scaled(2000); round++) {
    std::vector<uint64_t> digests;
    for (uint64_t i = dice.Below(kRankedDigestsMax + 1); i > 0; i--) {
      digests.push_back(dice.OneIn(2) ? dice.Below(4) : ~dice.Below(4));
    }
    const uint64_t digest = dice.OneIn(2) ? dice.Below(5) : ~dice.Below(5);
    const DigestRank plain =
        RankDigestPlain(digests.data(), static_cast<int>(digests.size()), digest);
    ExpectRank(digests, digest, plain.smaller, plain.equal);
  }
}

}  // namespace
}  // namespace leveldb
