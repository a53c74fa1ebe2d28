#include "db/mem/digest_rank.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <vector>

#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

// Digests after the first `count` are ignored, whatever their values are.
void ExpectRank(const std::vector<int32_t>& digests, int32_t digest, int smaller, int equal) {
  const int count = static_cast<int>(digests.size());
  for (const int32_t behind : {INT32_MIN, digest, INT32_MAX}) {
    std::vector<int32_t> all = digests;
    all.resize(kDigestRoom, behind);
    const DigestRank rank = RankDigest(all.data(), count, digest);
    EXPECT_EQ(smaller, rank.smaller);
    EXPECT_EQ(equal, rank.equal);
  }
}

TEST(DigestRank, CountsSmallerAndEqualOnes) {
  ExpectRank({}, 5, 0, 0);
  ExpectRank({7, 5, 3}, 5, 1, 1);
  ExpectRank({7, 5, 3}, 6, 2, 0);
  ExpectRank({5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, 5, 0, 10);
  ExpectRank({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, 15, 14, 1);
  ExpectRank({9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, 9, 0, 15);
}

TEST(DigestRank, DigestsHaveASign) {
  ExpectRank({0, INT32_MIN, -1, INT32_MAX}, 0, 2, 1);
  ExpectRank({0, INT32_MIN, -1, INT32_MAX}, INT32_MIN, 0, 1);
  ExpectRank({0, INT32_MIN, -1, INT32_MAX}, INT32_MAX, 3, 1);
}

TEST(DigestRank, AgreesWithThePlainOne) {
  testkit::Dice dice(testkit::AnnouncedSeed());
  for (int round = 0; round < testkit::Scaled(2000); round++) {
    const auto draw = [&] { return static_cast<int32_t>(dice.Below(5)) - 2; };
    std::vector<int32_t> digests;
    for (uint32_t i = dice.Below(kDigestRoom); i > 0; i--) digests.push_back(draw());
    const int32_t digest = draw();
    const DigestRank plain =
        RankDigestPlain(digests.data(), static_cast<int>(digests.size()), digest);
    ExpectRank(digests, digest, plain.smaller, plain.equal);
  }
}

// The digests end right before a page that must not be accessed.
TEST(DigestRank, NothingBehindARoomfulIsLookedAt) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  void* const pages =
      mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(MAP_FAILED, pages);
  char* const end = static_cast<char*>(pages) + page;
  ASSERT_EQ(0, mprotect(end, page, PROT_NONE));
  int32_t* const digests = reinterpret_cast<int32_t*>(end) - kDigestRoom;
  for (int i = 0; i < kDigestRoom; i++) digests[i] = i;
  for (int count = 0; count < kDigestRoom; count++) {
    EXPECT_EQ(count, RankDigest(digests, count, 100).smaller);
  }
  EXPECT_EQ(0, munmap(pages, 2 * page));
}

}  // namespace
}  // namespace leveldb
