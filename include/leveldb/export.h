// LEVELDB_EXPORT marks the public symbols of libleveldb. All other symbols of the shared library
// are hidden.
//
// The library's own build defines LEVELDB_COMPILE_LIBRARY. Programs that use the shared library get
// LEVELDB_SHARED_LIBRARY from its CMake target; the library also works without it.

#ifndef LEVELDB_INCLUDE_EXPORT_H_
#define LEVELDB_INCLUDE_EXPORT_H_

#if !defined(LEVELDB_EXPORT)
#if (defined(LEVELDB_COMPILE_LIBRARY) || defined(LEVELDB_SHARED_LIBRARY)) && defined(__GNUC__)
#define LEVELDB_EXPORT __attribute__((visibility("default")))
#else
#define LEVELDB_EXPORT
#endif
#endif

#endif  // LEVELDB_INCLUDE_EXPORT_H_
