#include "db/mem/digest_rank.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

void ExpectRank(const std::vector<uint64_t>& digests, uint64_t digest, int smaller, int equal) {
  const int count = static_cast<int>(digests.size());
  for (const DigestRanker ranker : DigestRankers()) {
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

// The digests stand right before a page that must not be touched.
TEST(DigestRank, NothingBehindTheDigestsIsLookedAt) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, pages);
  char* const end = static_cast<char*>(pages) + page;
  ASSERT_EQ(0, mprotect(end, page, PROT_NONE));
  for (int count = 0; count <= kRankedDigestsMax; count++) {
    uint64_t* const digests = reinterpret_cast<uint64_t*>(end) - count;
    for (int i = 0; i < count; i++) digests[i] = static_cast<uint64_t>(i);
    for (const DigestRanker ranker : DigestRankers()) {
      EXPECT_EQ(count, ranker(digests, count, 100).smaller);
    }
  }
  EXPECT_EQ(0, munmap(pages, 2 * page));
}

}  // namespace
}  // namespace leveldb
