# libleveldb, shared and static, of the objects of all folders.
get_property(modules GLOBAL PROPERTY BUSHSTORE_MODULES)
set(objects)
foreach(module IN LISTS modules)
  list(APPEND objects $<TARGET_OBJECTS:${module}>)
endforeach()

if(BUSHSTORE_LTO)
  # Compiled again, since objects for link-time optimization are of use to one compiler only: they
  # are not for the static library, nor for those who link tests.
  add_library(leveldb SHARED $<TARGET_OBJECTS:bush_zstd_loaded>)
  set_target_properties(leveldb PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
  foreach(module IN LISTS modules)
    get_target_property(folder ${module} SOURCE_DIR)
    get_target_property(sources ${module} SOURCES)
    list(TRANSFORM sources PREPEND ${folder}/)
    target_sources(leveldb PRIVATE ${sources})
    foreach(property COMPILE_OPTIONS COMPILE_DEFINITIONS INCLUDE_DIRECTORIES)
      set_property(TARGET leveldb APPEND PROPERTY
        ${property} $<TARGET_PROPERTY:${module},${property}>)
    endforeach()
  endforeach()
else()
  add_library(leveldb SHARED ${objects} $<TARGET_OBJECTS:bush_zstd_loaded>)
endif()
set_target_properties(leveldb PROPERTIES
  LINKER_LANGUAGE CXX VERSION 1d.23.0 SOVERSION 1d OUTPUT_NAME leveldb)
add_library(leveldb_static STATIC ${objects} $<TARGET_OBJECTS:bush_zstd_linked>)
set_target_properties(leveldb_static PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME leveldb)
foreach(lib leveldb leveldb_static)
  target_include_directories(${lib} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${lib} PUBLIC Threads::Threads PRIVATE ${SNAPPY_LIBRARY} ${CMAKE_DL_LIBS})
endforeach()
target_link_libraries(leveldb_static PRIVATE PkgConfig::ZSTD)
# The background threads live as long as the process: the library must not be unloaded under them.
target_link_options(leveldb PRIVATE LINKER:-z,nodelete)
# What a program has to load and to relocate before it begins is kept small: every program pays it.
target_link_options(leveldb PRIVATE LINKER:--as-needed LINKER:-z,noseparate-code)
target_compile_definitions(leveldb INTERFACE LEVELDB_SHARED_LIBRARY)
if(BUSHSTORE_SANITIZE)
  target_link_options(leveldb PUBLIC -fsanitize=${BUSHSTORE_SANITIZE})
  target_link_options(leveldb_static PUBLIC -fsanitize=${BUSHSTORE_SANITIZE})
endif()
add_library(leveldb::leveldb ALIAS leveldb)
