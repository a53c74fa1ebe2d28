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

}  // namespace

DigestRanker FastestDigestRanker() {
  static const DigestRanker fastest = CpuHasAvx512f() ? RankDigestAvx512 : RankDigestPlain;
  return fastest;
}

#else

DigestRanker FastestDigestRanker() {
  return RankDigestPlain;
}

#endif

}  // namespace leveldb
