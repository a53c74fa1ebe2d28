// Where a digest stands among those of a node of the memtable's index, which are in any order.
#ifndef BUSHSTORE_DB_MEM_DIGEST_RANK_H_
#define BUSHSTORE_DB_MEM_DIGEST_RANK_H_

#include <cstdint>
#include <vector>

namespace leveldb {

struct DigestRank {
  int smaller = 0;
  int equal = 0;
};

// How many of digests[0, count) are smaller than `digest`, and how many equal to it. Nothing behind
// them is looked at. REQUIRES: count <= kRankedDigestsMax.
using DigestRanker = DigestRank (*)(const uint64_t* digests, int count, uint64_t digest);
constexpr int kRankedDigestsMax = 16;

DigestRank RankDigestPlain(const uint64_t* digests, int count, uint64_t digest);

// What this CPU can do, the fastest first. Thread-safe.
std::vector<DigestRanker> DigestRankers();

// The fastest of them. Thread-safe.
DigestRanker FastestDigestRanker();

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_DIGEST_RANK_H_
