# What comes from the system: threads, snappy and zstd for the library; gflags for the
# benchmarks; GoogleTest for the tests. Of libpmemobj, libndctl and libdaxctl only the headers are
# needed: the libraries are loaded when the first pool is opened.
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)

find_path(SNAPPY_INCLUDE_DIR snappy.h)
find_library(SNAPPY_LIBRARY snappy)
if(NOT SNAPPY_INCLUDE_DIR OR NOT SNAPPY_LIBRARY)
  message(FATAL_ERROR "snappy is missing: install libsnappy-dev")
endif()
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)

find_path(PMEMOBJ_INCLUDE_DIR libpmemobj.h)
find_path(NDCTL_INCLUDE_DIR ndctl/libndctl.h)
find_path(DAXCTL_INCLUDE_DIR daxctl/libdaxctl.h)
mark_as_advanced(PMEMOBJ_INCLUDE_DIR NDCTL_INCLUDE_DIR DAXCTL_INCLUDE_DIR)
set(have_pmem OFF)
if(PMEMOBJ_INCLUDE_DIR)
  set(have_pmem ON)
endif()
option(BUSHSTORE_PMEM "Build the persistent-memory tier" ${have_pmem})
if(BUSHSTORE_PMEM AND NOT PMEMOBJ_INCLUDE_DIR)
  message(FATAL_ERROR "libpmemobj.h is missing: install libpmemobj-dev, or set BUSHSTORE_PMEM=OFF")
endif()

if(BUSHSTORE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
if(BUSHSTORE_BUILD_BENCHMARKS)
  find_package(gflags REQUIRED)
endif()
