#include "port/cpu.h"

namespace leveldb {

#if defined(__x86_64__)

// The built-in needs its init call where static constructors may ask before it has run.
bool CpuHasSse42() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("sse4.2") != 0;
}

bool CpuHasPclmul() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("pclmul") != 0;
}

#else

bool CpuHasSse42() {
  return false;
}

bool CpuHasPclmul() {
  return false;
}

#endif

}  // namespace leveldb
