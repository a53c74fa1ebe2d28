# Installs headers, both libraries, the files with which find_package(leveldb) and pkg-config find
# them, and the tool bushstore (tools/CMakeLists.txt). A test (testing/surface/install_test.py) uses
# an installed copy.
include(CMakePackageConfigHelpers)

# A static library passes its dependencies on to the targets that link it: by path in this build, by
# the names that leveldbConfig.cmake looks up in an installed copy.
set_property(TARGET leveldb_static PROPERTY INTERFACE_LINK_LIBRARIES
  Threads::Threads
  $<LINK_ONLY:${CMAKE_DL_LIBS}>
  $<LINK_ONLY:$<BUILD_INTERFACE:${SNAPPY_LIBRARY}>>
  $<LINK_ONLY:$<BUILD_INTERFACE:PkgConfig::ZSTD>>
  $<INSTALL_INTERFACE:leveldb::snappy>
  $<INSTALL_INTERFACE:leveldb::zstd>)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/leveldb)

install(DIRECTORY include/leveldb DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(TARGETS leveldb EXPORT leveldbTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS leveldb_static EXPORT leveldbStaticTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

install(EXPORT leveldbTargets NAMESPACE leveldb:: DESTINATION ${package_dir})
install(EXPORT leveldbStaticTargets NAMESPACE leveldb:: DESTINATION ${package_dir})
configure_package_config_file(cmake/leveldbConfig.cmake.in leveldbConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(leveldbConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/leveldbConfig.cmake
  ${PROJECT_BINARY_DIR}/leveldbConfigVersion.cmake
  DESTINATION ${package_dir})

# The prefix may be given as late as `cmake --install --prefix`, so leveldb.pc is generated then.
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
  set(PC_LIBDIR "${CMAKE_INSTALL_LIBDIR}")
else()
  set(PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(PC_INCLUDEDIR "${CMAKE_INSTALL_INCLUDEDIR}")
else()
  set(PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
install(CODE "
  set(PC_LIBDIR [[${PC_LIBDIR}]])
  set(PC_INCLUDEDIR [[${PC_INCLUDEDIR}]])
  set(PROJECT_VERSION [[${PROJECT_VERSION}]])
  configure_file([[${PROJECT_SOURCE_DIR}/cmake/leveldb.pc.in]]
    [[${PROJECT_BINARY_DIR}/leveldb.pc]] @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/leveldb.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
