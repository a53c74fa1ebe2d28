// What this CPU can do.
#ifndef BUSHSTORE_PORT_CPU_H_
#define BUSHSTORE_PORT_CPU_H_

namespace leveldb {

// Whether the CPU has the SSE 4.2 crc32 instruction, and carry-less multiplication. Always false
// where the compiler does not target x86-64.
bool CpuHasSse42();
bool CpuHasPclmul();

// What writes cache lines back to memory: CLFLUSH, CLFLUSHOPT, CLWB. Likewise.
bool CpuHasClflush();
bool CpuHasClflushopt();
bool CpuHasClwb();

// What does the same on AArch64, to the point of persistence and to the point of deep persistence:
// DC CVAP, DC CVADP. Always false where the compiler does not target AArch64.
bool CpuHasDcCvap();
bool CpuHasDcCvadp();

// Whether the CPU and the system know registers of 256 bits, and of 512 bits. Likewise.
bool CpuHasAvx();
bool CpuHasAvx512f();

// A short rest inside a spin loop.
inline void CpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_CPU_H_
