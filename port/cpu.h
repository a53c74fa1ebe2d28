// Functions that tell what the CPU supports.
#ifndef BUSHSTORE_PORT_CPU_H_
#define BUSHSTORE_PORT_CPU_H_

namespace leveldb {

// Return whether the CPU has the SSE 4.2 crc32 instruction, and carry-less multiplication. Always
// false where the compiler does not target x86-64.
bool CpuHasSse42();
bool CpuHasPclmul();

// Return whether the CPU has the instructions that write cache lines back to memory: CLFLUSH,
// CLFLUSHOPT, CLWB. Always false where the compiler does not target x86-64.
bool CpuHasClflush();
bool CpuHasClflushopt();
bool CpuHasClwb();

// Return whether the CPU has the AArch64 instructions that write cache lines back to the point of
// persistence and to the point of deep persistence: DC CVAP, DC CVADP. Always false where the
// compiler does not target AArch64.
bool CpuHasDcCvap();
bool CpuHasDcCvadp();

// Return whether the CPU and the system support registers of 256 bits, and of 512 bits. Always
// false where the compiler does not target x86-64.
bool CpuHasAvx();
bool CpuHasAvx512f();

// Pauses for a moment inside a spin loop.
inline void CpuRelax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace leveldb

#endif  // BUSHSTORE_PORT_CPU_H_
