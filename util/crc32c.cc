#include "util/crc32c.h"

#include <array>
#include <atomic>
#include <cassert>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "port/cpu.h"
#include "util/coding.h"

// All methods work on the register of the CRC, which is the complement of its value; bit 0 of the
// register is the highest power of x.
//
// One crc32 instruction takes eight bytes, but the next must wait three cycles for its result. So
// larger inputs are divided into three lanes of equal length that are processed in parallel, and
// the three registers are combined at the end:
//
//    | lane a, L bytes | lane b, L bytes | lane c, L bytes |
//
//    register = a * x^(8 * 2L)  +  b * x^(8 * L)  +  c       (mod P)
//
// Each product is one carry-less multiplication by a constant from a table.

namespace leveldb {
namespace crc32c {

namespace {

using Register = uint32_t;
using ExtendFunction = Register (*)(Register, const char*, size_t);

constexpr uint32_t kPolynomial = 0x82f63b78;  // P, lowest bit = highest power.

constexpr Register TimesX(Register r) {
  return (r >> 1) ^ ((r & 1) != 0 ? kPolynomial : 0);
}

// Eight tables, to take eight bytes at a time: kTables[t][b] is the effect of byte b on the
// register when t more bytes follow.
using ByteTables = std::array<std::array<uint32_t, 256>, 8>;

constexpr ByteTables MakeByteTables() {
  ByteTables tables{};
  for (uint32_t byte = 0; byte < 256; byte++) {
    Register r = byte;
    for (int bit = 0; bit < 8; bit++) r = TimesX(r);
    tables[0][byte] = r;
  }
  for (size_t t = 1; t < tables.size(); t++) {
    for (size_t byte = 0; byte < 256; byte++) {
      const Register r = tables[t - 1][byte];
      tables[t][byte] = (r >> 8) ^ tables[0][r & 0xff];
    }
  }
  return tables;
}

constexpr ByteTables kTables = MakeByteTables();

Register ExtendPortable(Register r, const char* p, size_t n) {
  for (; n >= 8; p += 8, n -= 8) {
    const uint64_t word = LoadFixed64(p) ^ r;
    r = 0;
    for (size_t i = 0; i < 8; i++) r ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
  }
  for (; n > 0; p++, n--) r = (r >> 8) ^ kTables[0][(r ^ static_cast<uint8_t>(*p)) & 0xff];
  return r;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) Register ExtendSse42(Register r, const char* p, size_t n) {
  uint64_t wide = r;
  for (; n >= 8; p += 8, n -= 8) wide = _mm_crc32_u64(wide, LoadFixed64(p));
  r = static_cast<Register>(wide);
  if ((n & 4) != 0) {
    r = _mm_crc32_u32(r, LoadFixed32(p));
    p += 4;
  }
  for (n &= 3; n > 0; p++, n--) r = _mm_crc32_u8(r, static_cast<unsigned char>(*p));
  return r;
}

constexpr size_t kLongestLane = 2048;
// For smaller inputs, combining the lanes costs more than it saves.
constexpr size_t kLeastForLanes = 72;

// kShift[i] moves a register over 8 * i bytes. Multiplying two registers and reducing the product
// with one crc32 instruction adds a factor of x^33, so the constant is x^(64 * i - 33).
using ShiftTable = std::array<uint32_t, 2 * kLongestLane / 8 + 1>;

constexpr ShiftTable MakeShiftTable() {
  ShiftTable table{};
  Register r = 1;  // x^31.
  for (size_t i = 1; i < table.size(); i++) {
    table[i] = r;
    for (int bit = 0; bit < 64; bit++) r = TimesX(r);
  }
  return table;
}

constexpr ShiftTable kShift = MakeShiftTable();

__attribute__((target("sse4.2,pclmul"))) inline uint64_t Multiply(uint64_t a, uint32_t b) {
  const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<int64_t>(a)),
                                               _mm_cvtsi64_si128(int64_t{b}), 0);
  return static_cast<uint64_t>(_mm_cvtsi128_si64(product));
}

// The registers of three lanes.
struct Lanes {
  uint64_t a;
  uint64_t b;
  uint64_t c;
};

// Takes a word of each lane; p is in the first one, and each has `lane` bytes.
__attribute__((target("sse4.2,pclmul"))) inline void TakeWord(Lanes* lanes, const char* p,
                                                              size_t lane) {
  lanes->a = _mm_crc32_u64(lanes->a, LoadFixed64(p));
  lanes->b = _mm_crc32_u64(lanes->b, LoadFixed64(p + lane));
  lanes->c = _mm_crc32_u64(lanes->c, LoadFixed64(p + 2 * lane));
}

// Takes 3 * lane bytes. REQUIRES: lane is a multiple of 8, and more than 0.
__attribute__((target("sse4.2,pclmul"))) inline Register ExtendLanes(Register r, const char* p,
                                                                     size_t lane) {
  Lanes lanes{r, 0, 0};
  size_t words = lane / 8;
  for (; words >= 4; words -= 4, p += 32) {
    TakeWord(&lanes, p, lane);
    TakeWord(&lanes, p + 8, lane);
    TakeWord(&lanes, p + 16, lane);
    TakeWord(&lanes, p + 24, lane);
  }
  for (; words > 0; words--, p += 8) TakeWord(&lanes, p, lane);
  const uint64_t moved =
      Multiply(lanes.a, kShift[2 * lane / 8]) ^ Multiply(lanes.b, kShift[lane / 8]);
  return static_cast<Register>(_mm_crc32_u64(0, moved) ^ lanes.c);
}

__attribute__((target("sse4.2,pclmul"))) Register ExtendSse42Pclmul(Register r, const char* p,
                                                                    size_t n) {
  while (n >= kLeastForLanes) {
    const size_t lane = n >= 3 * kLongestLane ? kLongestLane : n / 24 * 8;
    r = ExtendLanes(r, p, lane);
    p += 3 * lane;
    n -= 3 * lane;
  }
  return ExtendSse42(r, p, n);
}

ExtendFunction FunctionOf(Method method) {
  switch (method) {
    case Method::kPortable:
      return &ExtendPortable;
    case Method::kSse42:
      return &ExtendSse42;
    case Method::kSse42Pclmul:
      return &ExtendSse42Pclmul;
  }
  return nullptr;
}

#else

ExtendFunction FunctionOf(Method method) {
  return &ExtendPortable;
}

#endif

Register ExtendFirst(Register r, const char* p, size_t n);

// Points first to a function that chooses the method. It is constant-initialised, so that static
// constructors of other files may compute CRCs.
constinit std::atomic<ExtendFunction> extend{&ExtendFirst};

Register ExtendFirst(Register r, const char* p, size_t n) {
  Method best = Method::kPortable;
  for (const Method method : {Method::kSse42, Method::kSse42Pclmul}) {
    if (MethodIsSupported(method)) best = method;
  }
  extend.store(FunctionOf(best), std::memory_order_relaxed);
  return FunctionOf(best)(r, p, n);
}

}  // namespace

uint32_t Extend(uint32_t crc, const char* data, size_t n) {
  return ~extend.load(std::memory_order_relaxed)(~crc, data, n);
}

bool MethodIsSupported(Method method) {
  switch (method) {
    case Method::kPortable:
      return true;
    case Method::kSse42:
      return CpuHasSse42();
    case Method::kSse42Pclmul:
      return CpuHasSse42() && CpuHasPclmul();
  }
  return false;
}

uint32_t ExtendWith(Method method, uint32_t crc, const char* data, size_t n) {
  assert(MethodIsSupported(method));
  return ~FunctionOf(method)(~crc, data, n);
}

}  // namespace crc32c
}  // namespace leveldb
