// Defines BUSHSTORE_UNDER_TSAN and BUSHSTORE_UNDER_ASAN if the code is compiled for that sanitizer,
// by GCC or by clang.
#ifndef BUSHSTORE_PORT_SANITIZERS_H_
#define BUSHSTORE_PORT_SANITIZERS_H_

#if defined(__SANITIZE_THREAD__)
#define BUSHSTORE_UNDER_TSAN 1
#endif
#if defined(__SANITIZE_ADDRESS__)
#define BUSHSTORE_UNDER_ASAN 1
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) && !defined(BUSHSTORE_UNDER_TSAN)
#define BUSHSTORE_UNDER_TSAN 1
#endif
#if __has_feature(address_sanitizer) && !defined(BUSHSTORE_UNDER_ASAN)
#define BUSHSTORE_UNDER_ASAN 1
#endif
#endif

#endif  // BUSHSTORE_PORT_SANITIZERS_H_
