#include "pmem/media/cache_lines.h"

#include <cstring>
#include <initializer_list>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "port/cpu.h"
#include "port/sanitizers.h"

namespace leveldb {

namespace {

void FlushNone(const char*, size_t) {}

void CopyPlain(char* to, const char* from, size_t lines) {
  memcpy(to, from, lines * kCacheLineBytes);
}

#if defined(__x86_64__)

void FlushClflush(const char* first, size_t lines) {
  for (size_t i = 0; i < lines; i++) _mm_clflush(first + i * kCacheLineBytes);
}

__attribute__((target("clflushopt"))) void FlushClflushopt(const char* first, size_t lines) {
  for (size_t i = 0; i < lines; i++) {
    _mm_clflushopt(const_cast<char*>(first + i * kCacheLineBytes));
  }
}

__attribute__((target("clwb"))) void FlushClwb(const char* first, size_t lines) {
  for (size_t i = 0; i < lines; i++) _mm_clwb(const_cast<char*>(first + i * kCacheLineBytes));
}

void CopySse2(char* to, const char* from, size_t lines) {
  for (const char* const end = from + lines * kCacheLineBytes; from != end;
       from += kCacheLineBytes, to += kCacheLineBytes) {
    for (size_t i = 0; i < kCacheLineBytes; i += sizeof(__m128i)) {
      const __m128i part = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i));
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), part);
    }
  }
}

__attribute__((target("avx"))) inline void CopyLineAvx(char* to, const char* from) {
  const auto* const parts = reinterpret_cast<const __m256i*>(from);
  const __m256i first = _mm256_loadu_si256(parts);
  const __m256i second = _mm256_loadu_si256(parts + 1);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), first);
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to) + 1, second);
}

__attribute__((target("avx"))) void CopyAvx(char* to, const char* from, size_t lines) {
  constexpr size_t kAtOnce = 4;
  for (; lines >= kAtOnce; lines -= kAtOnce) {
    for (size_t i = 0; i < kAtOnce; i++) {
      CopyLineAvx(to + i * kCacheLineBytes, from + i * kCacheLineBytes);
    }
    from += kAtOnce * kCacheLineBytes;
    to += kAtOnce * kCacheLineBytes;
  }
  for (; lines > 0; lines--, from += kCacheLineBytes, to += kCacheLineBytes) CopyLineAvx(to, from);
}

__attribute__((target("avx512f"))) void CopyAvx512(char* to, const char* from, size_t lines) {
  for (const char* const end = from + lines * kCacheLineBytes; from != end;
       from += kCacheLineBytes, to += kCacheLineBytes) {
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
  }
}

#elif defined(__aarch64__)

// Returns what one instruction writes back at least: the processor's shortest line.
size_t ShortestLineBytes() {
  uint64_t cache_type;
  asm("mrs %0, ctr_el0" : "=r"(cache_type));
  return size_t{4} << (cache_type >> 16 & 15);
}

template <typename WriteBack>
void FlushEachLine(const char* first, size_t lines, WriteBack write_back) {
  static const size_t step = ShortestLineBytes();
  const char* const end = first + lines * kCacheLineBytes;
  for (const char* p = first; p < end; p += step) write_back(p);
}

// DC CVAP and DC CVADP are written by their encodings, because assemblers know the names only for
// processors of Armv8.2 and Armv8.5.
void FlushDcCvap(const char* first, size_t lines) {
  FlushEachLine(first, lines, [](const char* p) {
    asm volatile("sys #3, c7, c12, #1, %0" ::"r"(p) : "memory");
  });
}

void FlushDcCvadp(const char* first, size_t lines) {
  FlushEachLine(first, lines, [](const char* p) {
    asm volatile("sys #3, c7, c13, #1, %0" ::"r"(p) : "memory");
  });
}

#endif

}  // namespace

bool IsSupported(FlushMethod method) {
  switch (method) {
    case FlushMethod::kNone:
      return true;
    case FlushMethod::kClflush:
      return CpuHasClflush();
    case FlushMethod::kClflushopt:
      return CpuHasClflushopt();
    case FlushMethod::kClwb:
      return CpuHasClwb();
    case FlushMethod::kDcCvap:
      return CpuHasDcCvap();
    case FlushMethod::kDcCvadp:
      return CpuHasDcCvadp();
  }
  return false;
}

bool IsSupported(CopyMethod method) {
  switch (method) {
    case CopyMethod::kPlain:
      return true;
    case CopyMethod::kSse2:
      return CpuHasClflush();  // every x86-64 has both
    case CopyMethod::kAvx:
      return CpuHasAvx();
    case CopyMethod::kAvx512:
      return CpuHasAvx512f();
  }
  return false;
}

FlushMethod BestFlushMethod() {
  for (const FlushMethod method : {FlushMethod::kDcCvadp, FlushMethod::kDcCvap, FlushMethod::kClwb,
                                   FlushMethod::kClflushopt, FlushMethod::kClflush}) {
    if (IsSupported(method)) return method;
  }
  return FlushMethod::kNone;
}

CopyMethod BestCopyMethod() {
#if !defined(BUSHSTORE_UNDER_TSAN) && !defined(BUSHSTORE_UNDER_ASAN)
  for (const CopyMethod method : {CopyMethod::kAvx512, CopyMethod::kAvx, CopyMethod::kSse2}) {
    if (IsSupported(method)) return method;
  }
#endif
  return CopyMethod::kPlain;
}

const char* NameOf(FlushMethod method) {
  switch (method) {
    case FlushMethod::kNone:
      break;
    case FlushMethod::kClflush:
      return "clflush";
    case FlushMethod::kClflushopt:
      return "clflushopt";
    case FlushMethod::kClwb:
      return "clwb";
    case FlushMethod::kDcCvap:
      return "dc cvap";
    case FlushMethod::kDcCvadp:
      return "dc cvadp";
  }
  return "no flush";
}

const char* NameOf(CopyMethod method) {
  switch (method) {
    case CopyMethod::kPlain:
      break;
    case CopyMethod::kSse2:
      return "sse2";
    case CopyMethod::kAvx:
      return "avx";
    case CopyMethod::kAvx512:
      return "avx512";
  }
  return "plain";
}

FlushFunction FlushFunctionOf(FlushMethod method) {
  switch (method) {
#if defined(__x86_64__)
    case FlushMethod::kClflush:
      return &FlushClflush;
    case FlushMethod::kClflushopt:
      return &FlushClflushopt;
    case FlushMethod::kClwb:
      return &FlushClwb;
#elif defined(__aarch64__)
    case FlushMethod::kDcCvap:
      return &FlushDcCvap;
    case FlushMethod::kDcCvadp:
      return &FlushDcCvadp;
#endif
    default:
      return &FlushNone;
  }
}

CopyFunction CopyFunctionOf([[maybe_unused]] CopyMethod method) {
#if defined(__x86_64__)
  switch (method) {
    case CopyMethod::kPlain:
      break;
    case CopyMethod::kSse2:
      return &CopySse2;
    case CopyMethod::kAvx:
      return &CopyAvx;
    case CopyMethod::kAvx512:
      return &CopyAvx512;
  }
#endif
  return &CopyPlain;
}

}  // namespace leveldb
