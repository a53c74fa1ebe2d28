# bushstore_flags holds all compiler flags. Every target of the project links it.
add_library(bushstore_flags INTERFACE)
target_compile_options(bushstore_flags INTERFACE
  -Wall -Wextra -Wshadow -Wpointer-arith -Wno-unused-parameter
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:Clang>>:-Wthread-safety>)
# GCC 12 reports overlapping copies in the concatenation of short strings (its bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(bushstore_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
# The containers of the standard library check their arguments in debug builds.
target_compile_definitions(bushstore_flags INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
if(BUSHSTORE_WERROR)
  target_compile_options(bushstore_flags INTERFACE -Werror)
endif()
if(BUSHSTORE_SANITIZE)
  target_compile_options(bushstore_flags INTERFACE
    -fsanitize=${BUSHSTORE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(bushstore_flags INTERFACE -fsanitize=${BUSHSTORE_SANITIZE})
endif()
target_include_directories(bushstore_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)

# BUSHSTORE_LTO tells whether a release build of the shared library inlines calls between folders.
set(BUSHSTORE_LTO OFF)
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT BUSHSTORE_SANITIZE AND NOT BUSHSTORE_FUZZ)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT BUSHSTORE_LTO OUTPUT reason LANGUAGES CXX)
endif()
