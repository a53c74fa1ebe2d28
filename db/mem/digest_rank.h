// Where a digest stands among those of a node of the memtable's index, which are in any order.
//
// They are numbers with a sign, and of 32 bits, since these are what vector instructions of every
// x86-64 processor compare.
#ifndef BUSHSTORE_DB_MEM_DIGEST_RANK_H_
#define BUSHSTORE_DB_MEM_DIGEST_RANK_H_

#include <cassert>
#include <cstdint>

#include "port/sanitizers.h"

// ThreadSanitizer sees no load that an intrinsic makes.
#if defined(__x86_64__) && !defined(BUSHSTORE_UNDER_TSAN)
#define BUSHSTORE_RANKS_WITH_SSE2 1
#include <emmintrin.h>
#endif

namespace leveldb {

// A node has room for so many digests.
constexpr int kDigestRoom = 16;

struct DigestRank {
  int smaller = 0;
  int equal = 0;
};

// How many of digests[0, count) are smaller than `digest`, and how many equal to it.
DigestRank RankDigestPlain(const int32_t* digests, int count, int32_t digest);

#if defined(BUSHSTORE_RANKS_WITH_SSE2)

// Ones for the first digests, zeros for those behind: kShownDigests + kDigestRoom - count.
alignas(kDigestRoom) inline constexpr int8_t kShownDigests[2 * kDigestRoom] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// The same. All kDigestRoom can be read, at an address that is a multiple of 16; those behind the
// first `count` count for nothing.
inline DigestRank RankDigest(const int32_t* digests, int count, int32_t digest) {
  assert(count >= 0 && count <= kDigestRoom);
  const auto* const four = reinterpret_cast<const __m128i*>(digests);
  const __m128i sought = _mm_set1_epi32(digest);
  const __m128i a = _mm_load_si128(four);
  const __m128i b = _mm_load_si128(four + 1);
  const __m128i c = _mm_load_si128(four + 2);
  const __m128i d = _mm_load_si128(four + 3);
  const __m128i is_equal =
      _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi32(sought, a), _mm_cmpeq_epi32(sought, b)),
                   _mm_or_si128(_mm_cmpeq_epi32(sought, c), _mm_cmpeq_epi32(sought, d)));
  // Seldom, and then it may be one that does not count.
  if (_mm_movemask_epi8(is_equal) != 0) return RankDigestPlain(digests, count, digest);
  // A byte for each digest, and all bytes summed up.
  const __m128i is_smaller =
      _mm_packs_epi16(_mm_packs_epi32(_mm_cmpgt_epi32(sought, a), _mm_cmpgt_epi32(sought, b)),
                      _mm_packs_epi32(_mm_cmpgt_epi32(sought, c), _mm_cmpgt_epi32(sought, d)));
  const __m128i shown =
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(kShownDigests + kDigestRoom - count));
  const __m128i sums = _mm_sad_epu8(_mm_and_si128(is_smaller, shown), _mm_setzero_si128());
  return {_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4), 0};
}

#else

inline DigestRank RankDigest(const int32_t* digests, int count, int32_t digest) {
  return RankDigestPlain(digests, count, digest);
}

#endif

}  // namespace leveldb

#endif  // BUSHSTORE_DB_MEM_DIGEST_RANK_H_
