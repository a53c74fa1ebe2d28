# bush_together(TARGET [TESTS] [ALONE SOURCE...]): with BUSHSTORE_TOGETHER, compiles the sources of
# a target as one translation unit; if it is TESTS, only the sources of tests. ALONE names sources
# that are compiled separately: they have file-local names that other sources have too, or define
# functions that tests redirect by --wrap, for which the linker must see the calls.
function(bush_together target)
  cmake_parse_arguments(ARG "TESTS" "" "ALONE" ${ARGN})
  if(BUSHSTORE_TOGETHER AND (ARG_TESTS OR NOT BUSHSTORE_TOGETHER STREQUAL "TESTS"))
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# bush_guide_fuzzer(TARGET): in builds for libFuzzer, instruments TARGET, so that its coverage
# guides the fuzzer. Tests are not instrumented, since that makes them slow.
function(bush_guide_fuzzer target)
  if(BUSHSTORE_FUZZ)
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()

# bush_module(NAME SOURCES ... DEPS ...): defines one folder of the library as the static target
# bush_NAME. DEPS names the folders it may call; LIBS names outside libraries; ALONE as for
# bush_together.
function(bush_module name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;DEPS;LIBS" ${ARGN})
  add_library(bush_${name} STATIC ${ARG_SOURCES})
  bush_together(bush_${name} ALONE ${ARG_ALONE})
  bush_precompile(bush_${name} LIBRARY)
  set_target_properties(bush_${name} PROPERTIES BUSHSTORE_ALONE "${ARG_ALONE}")
  target_link_libraries(bush_${name} PUBLIC bushstore_flags Threads::Threads)
  target_compile_definitions(bush_${name} PRIVATE LEVELDB_COMPILE_LIBRARY LEVELDB_SHARED_LIBRARY)
  bush_guide_fuzzer(bush_${name})
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(bush_${name} PUBLIC bush_${dep})
  endforeach()
  target_link_libraries(bush_${name} PRIVATE ${ARG_LIBS})
  set_property(GLOBAL APPEND PROPERTY BUSHSTORE_MODULES bush_${name})
endfunction()

# bush_tests_in_parts(NAME LABELS TIMEOUT): defines the cases of the program NAME_tests as four
# ctests, each a process that runs every fourth case: starting a process is slow under
# AddressSanitizer, and there are thousands of cases.
function(bush_tests_in_parts name labels timeout)
  foreach(part RANGE 3)
    add_test(NAME ${name}.part${part} COMMAND ${name}_tests)
    set_tests_properties(${name}.part${part} PROPERTIES TIMEOUT ${timeout} LABELS ${labels}
      ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${part}")
    # Tests that take long start first.
    if(name MATCHES "^(benchmarks|pmem_crash|pmem_open|pmem_sim|pmem_integration|integration|ycsbc)$")
      set_tests_properties(${name}.part${part} PROPERTIES COST 500)
    endif()
  endforeach()
endfunction()

# bush_tests(NAME SOURCES ... DEPS ...): defines the unit tests of a folder as one program
# NAME_tests, with each case a ctest of its own, or in parts under AddressSanitizer. LABELS replaces
# the label `unit`; tests that have `concurrent` among them also run under ThreadSanitizer. ALONE as
# for bush_together.
function(bush_tests name)
  if(NOT BUSHSTORE_BUILD_TESTS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;ALONE;DEPS;LIBS;LABELS" ${ARGN})
  add_executable(${name}_tests ${ARG_SOURCES})
  bush_together(${name}_tests TESTS ALONE ${ARG_ALONE})
  bush_precompile(${name}_tests TESTS)
  target_link_libraries(${name}_tests PRIVATE bushstore_flags ${ARG_LIBS})
  if(BUSHSTORE_SANITIZE OR BUSHSTORE_TOGETHER)
    # Tests take most of a build's time, and little time to run.
    target_compile_options(${name}_tests PRIVATE -O0)
  endif()
  foreach(dep IN LISTS ARG_DEPS)
    target_link_libraries(${name}_tests PRIVATE bush_${dep})
  endforeach()
  target_link_libraries(${name}_tests PRIVATE GTest::gtest GTest::gtest_main)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if("concurrent" IN_LIST ARG_LABELS)
    set_property(GLOBAL APPEND PROPERTY BUSHSTORE_CONCURRENT_TESTS ${name}_tests)
  endif()
  # gtest_discover_tests does not pass on lists, so the labels become one string; `ctest -L` matches
  # substrings.
  list(JOIN ARG_LABELS "+" labels)
  if(NOT labels)
    set(labels unit)
  endif()
  if(BUSHSTORE_SANITIZE MATCHES "address")
    math(EXPR timeout "3 * ${ARG_TIMEOUT}")
    bush_tests_in_parts(${name} ${labels} ${timeout})
    return()
  endif()
  set(discovery DISCOVERY_TIMEOUT 120)
  if(NOT CMAKE_VERSION VERSION_LESS 3.18)
    list(APPEND discovery DISCOVERY_MODE PRE_TEST)
  endif()
  gtest_discover_tests(${name}_tests TEST_PREFIX ${name}. NO_PRETTY_VALUES ${discovery}
    PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS ${labels})
endfunction()

# bush_pool_tests(NAME ...): defines tests that need persistent memory as bush_tests does; builds
# without it leave them out. They link the simulator (testing/pmem_sim.h), which intercepts
# libpmemobj's calls of libpmem and must be found by it.
function(bush_pool_tests name)
  if(NOT BUSHSTORE_PMEM)
    return()
  endif()
  bush_tests(${name} ${ARGN})
  if(TARGET ${name}_tests)
    target_link_libraries(${name}_tests PRIVATE pmemsim)
    set_target_properties(${name}_tests PROPERTIES ENABLE_EXPORTS ON)
  endif()
endfunction()
