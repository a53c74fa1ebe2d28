#include "port/cpu.h"

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

namespace leveldb {

#if defined(__x86_64__)

// The built-in needs its init call: static constructors may use it before the library's own call.
bool CpuHasSse42() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") != 0;
}

bool CpuHasPclmul() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("pclmul") != 0;
}

bool CpuHasAvx() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx") != 0;
}

bool CpuHasAvx512f() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") != 0;
}

namespace {

// Returns a bit of register EBX in leaf 7 of CPUID.
bool HasExtendedFeature(int bit) {
  unsigned int eax, ebx, ecx, edx;
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0) return false;
  return (ebx >> bit & 1) != 0;
}

}  // namespace

bool CpuHasClflush() {
  return true;  // Part of x86-64.
}

bool CpuHasClflushopt() {
  return HasExtendedFeature(23);
}

bool CpuHasClwb() {
  return HasExtendedFeature(24);
}

#else

bool CpuHasSse42() {
  return false;
}

bool CpuHasPclmul() {
  return false;
}

bool CpuHasAvx() {
  return false;
}

bool CpuHasAvx512f() {
  return false;
}

bool CpuHasClflush() {
  return false;
}

bool CpuHasClflushopt() {
  return false;
}

bool CpuHasClwb() {
  return false;
}

#endif

#if defined(__aarch64__)

// The kernel reports both in the auxiliary vector: HWCAP_DCPOP and HWCAP2_DCPODP.
bool CpuHasDcCvap() {
  return (getauxval(AT_HWCAP) >> 16 & 1) != 0;
}

bool CpuHasDcCvadp() {
  return (getauxval(AT_HWCAP2) & 1) != 0;
}

#else

bool CpuHasDcCvap() {
  return false;
}

bool CpuHasDcCvadp() {
  return false;
}

#endif

}  // namespace leveldb
