# Finds the dependencies: threads, snappy and zstd for the library; gflags for the benchmarks;
# GoogleTest for the tests. Only the headers of libpmemobj, libndctl and libdaxctl are needed: the
# libraries are loaded when the first pool is opened.
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
# Every run of CMake decides AUTO again, so that it finds headers installed since the last run.
set(BUSHSTORE_PMEM AUTO CACHE STRING
  "Build the persistent-memory tier: ON, OFF, or AUTO (if libpmemobj.h is there)")
set_property(CACHE BUSHSTORE_PMEM PROPERTY STRINGS AUTO ON OFF)
if(BUSHSTORE_PMEM STREQUAL "AUTO")
  set(BUSHSTORE_PMEM OFF)
  if(PMEMOBJ_INCLUDE_DIR)
    set(BUSHSTORE_PMEM ON)
  else()
    message(WARNING "libpmemobj.h is missing: the persistent-memory tier is left out. "
      "Install libpmemobj-dev, or set BUSHSTORE_PMEM=OFF to say that this is meant")
  endif()
elseif(BUSHSTORE_PMEM AND NOT PMEMOBJ_INCLUDE_DIR)
  message(FATAL_ERROR "libpmemobj.h is missing: install libpmemobj-dev, or set BUSHSTORE_PMEM=OFF")
elseif(NOT BUSHSTORE_PMEM)
  message(STATUS "The persistent-memory tier is left out: BUSHSTORE_PMEM is ${BUSHSTORE_PMEM}")
endif()
set(BUSHSTORE_NDCTL OFF)
if(NDCTL_INCLUDE_DIR AND DAXCTL_INCLUDE_DIR)
  set(BUSHSTORE_NDCTL ON)
elseif(BUSHSTORE_PMEM)
  message(STATUS "Namespaces, health and bad blocks of persistent memory will not be told of: "
    "libndctl-dev or libdaxctl-dev is missing")
endif()

if(BUSHSTORE_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)

  # The system's own LevelDB is for tests in which both libraries work on one directory, or the same
  # program runs with either.
  find_library(BUSHSTORE_STOCK_LIBRARY libleveldb.so.1d
    PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64 /usr/lib NO_DEFAULT_PATH)
  set(BUSHSTORE_STOCK_LIBRARY_DIR "")
  if(BUSHSTORE_STOCK_LIBRARY)
    get_filename_component(BUSHSTORE_STOCK_LIBRARY_DIR ${BUSHSTORE_STOCK_LIBRARY} DIRECTORY)
  endif()
endif()
if(BUSHSTORE_BUILD_BENCHMARKS)
  find_package(gflags REQUIRED)
endif()
