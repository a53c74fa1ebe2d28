// RankDigest finds the rank of a digest among those of a node of the memtable's index, which are in
// any order.
//
// Digests are signed 32-bit numbers, since these are what vector instructions of every x86-64
// processor compare.
#ifndef BUSHSTORE_DB_MEM_DIGEST_RANK_H_
#define BUSHSTORE_DB_MEM_DIGEST_RANK_H_

#include <cassert>
#include <cstdint>

#include "port/sanitizers.h"

// ThreadSanitizer does not see loads made by intrinsics.
#if defined(__x86_64__) && !defined(BUSHSTORE_UNDER_TSAN)
#define BUSHSTORE_RANKS_WITH_SSE2 1
#include <emmintrin.h>
#endif

namespace leveldb {

// The capacity of a node, in digests.
constexpr int kDigestRoom = 16;

struct DigestRank {
  int smaller = 0;
  int equal = 0;
};

// Returns how many of digests[0, count) are smaller than `digest`, and how many are equal to it.
DigestRank RankDigestPlain(const int32_t* digests, int count, int32_t digest);

#if defined(BUSHSTORE_RANKS_WITH_SSE2)

// A mask of ones for the first `count` digests and zeros for the rest begins at kShownDigests +
// kDigestRoom - count.
alignas(kDigestRoom) inline constexpr int8_t kShownDigests[2 * kDigestRoom] = {
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

// Returns the same as RankDigestPlain. REQUIRES: all kDigestRoom digests can be read, at an address
// that is a multiple of 16; those after the first `count` are ignored.
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
  // An equal digest is rare, and may be after the first `count`.
  if (_mm_movemask_epi8(is_equal) != 0) return RankDigestPlain(digests, count, digest);
  // One byte for each digest; then all bytes are summed up.
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
