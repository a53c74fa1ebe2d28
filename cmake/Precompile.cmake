# bush_precompile(TARGET GROUP): with BUSHSTORE_PRECOMPILE, precompiles the external headers that
# most sources include, once for all targets of a GROUP (LIBRARY, TESTS, GUESTS, KIT), whose
# compiler flags and definitions are the same. Such a build does not notice missing includes of
# these headers.
function(bush_precompile target group)
  if(NOT BUSHSTORE_PRECOMPILE)
    return()
  endif()
  get_target_property(is_one_unit ${target} UNITY_BUILD)
  if(is_one_unit AND group MATCHES "^(GUESTS|KIT)$")
    return()  # which reads them once anyway
  endif()
  # ccache needs it, since it compares the preprocessed source.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  get_property(owner GLOBAL PROPERTY BUSHSTORE_PRECOMPILED_${group})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  set_property(GLOBAL PROPERTY BUSHSTORE_PRECOMPILED_${group} ${target})
  target_precompile_headers(${target} PRIVATE
    <algorithm> <atomic> <chrono> <condition_variable> <deque> <functional> <map> <memory> <mutex>
    <optional> <set> <string> <thread> <unordered_map> <vector>)
  if(group MATCHES "^(TESTS|KIT)$")
    target_precompile_headers(${target} PRIVATE <filesystem> <fstream> <gtest/gtest.h>)
  endif()
endfunction()
