# What comes from the system: threads, snappy and zstd for the library; gflags for the
# benchmarks; GoogleTest for the tests.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

find_path(SNAPPY_INCLUDE_DIR snappy.h)
find_library(SNAPPY_LIBRARY snappy)
if(NOT SNAPPY_INCLUDE_DIR OR NOT SNAPPY_LIBRARY)
  message(FATAL_ERROR "snappy is missing: install libsnappy-dev")
endif()
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

if(BUSHSTORE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(BUSHSTORE_BUILD_BENCHMARKS)
  find_package(gflags REQUIRED)
endif()
