#include "db/mem/digest_rank.h"

#include <bit>

#include "port/cpu.h"
#include "port/sanitizers.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace leveldb {

DigestRank RankDigestPlain(const uint64_t* digests, int count, uint64_t digest) {
  DigestRank rank;
  for (int i = 0; i < count; i++) {
    rank.smaller += digests[i] < digest;
    rank.equal += digests[i] == digest;
  }
  return rank;
}

// ThreadSanitizer sees no load that an intrinsic makes.
#if defined(__x86_64__) && !defined(BUSHSTORE_UNDER_TSAN)

namespace {

__attribute__((target("avx2"))) uint32_t MaskOf(__m256i lanes) {
  return static_cast<uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(lanes)));
}

__attribute__((target("avx512f,popcnt"))) DigestRank RankDigestAvx512(const uint64_t* digests,
                                                                      int count, uint64_t digest) {
  const uint32_t shown = (uint32_t{1} << count) - 1;
  const auto shown_low = static_cast<__mmask8>(shown);
  const auto shown_high = static_cast<__mmask8>(shown >> 8);
  const __m512i sought = _mm512_set1_epi64(static_cast<long long>(digest));
  const __m512i low = _mm512_maskz_loadu_epi64(shown_low, digests);
  const __m512i high = _mm512_maskz_loadu_epi64(shown_high, count > 8 ? digests + 8 : digests);
  const uint32_t smaller = uint32_t{_mm512_mask_cmplt_epu64_mask(shown_low, low, sought)} |
                           uint32_t{_mm512_mask_cmplt_epu64_mask(shown_high, high, sought)} << 8;
  const uint32_t equal = uint32_t{_mm512_mask_cmpeq_epu64_mask(shown_low, low, sought)} |
                         uint32_t{_mm512_mask_cmpeq_epu64_mask(shown_high, high, sought)} << 8;
  return {std::popcount(smaller), std::popcount(equal)};
}

__attribute__((target("avx2,popcnt"))) DigestRank RankDigestAvx2(const uint64_t* digests, int count,
                                                                 uint64_t digest) {
  // Numbers can be compared only as ones with a sign: with theirs turned, digests can, too.
  const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
  const __m256i sought = _mm256_set1_epi64x(static_cast<long long>(digest));
  const __m256i sought_signed = _mm256_xor_si256(sought, sign);
  const __m256i shown_end = _mm256_set1_epi64x(count);
  uint32_t smaller = 0;
  uint32_t equal = 0;
  for (int at = 0; at < kRankedDigestsMax; at += 4) {
    const __m256i number = _mm256_add_epi64(_mm256_set1_epi64x(at), _mm256_set_epi64x(3, 2, 1, 0));
    const __m256i shown = _mm256_cmpgt_epi64(shown_end, number);
    // Not a pointer before it is known to point at something: there may be fewer digests.
    const uintptr_t address = reinterpret_cast<uintptr_t>(digests) + sizeof(uint64_t) * at;
    const __m256i four = _mm256_maskload_epi64(reinterpret_cast<const long long*>(address), shown);
    const __m256i is_smaller = _mm256_cmpgt_epi64(sought_signed, _mm256_xor_si256(four, sign));
    const __m256i is_equal = _mm256_cmpeq_epi64(sought, four);
    smaller |= MaskOf(_mm256_and_si256(is_smaller, shown)) << at;
    equal |= MaskOf(_mm256_and_si256(is_equal, shown)) << at;
  }
  return {std::popcount(smaller), std::popcount(equal)};
}

}  // namespace

std::vector<DigestRanker> DigestRankers() {
  std::vector<DigestRanker> rankers;
  if (CpuHasAvx512f()) rankers.push_back(RankDigestAvx512);
  if (CpuHasAvx2()) rankers.push_back(RankDigestAvx2);
  rankers.push_back(RankDigestPlain);
  return rankers;
}

#else

std::vector<DigestRanker> DigestRankers() {
  return {RankDigestPlain};
}

#endif

DigestRanker FastestDigestRanker() {
  static const DigestRanker fastest = DigestRankers().front();
  return fastest;
}

}  // namespace leveldb
