// LEVELDB_EXPORT marks what libleveldb offers to programs. Everything else stays hidden in the
// shared library.
//
// The library's own build defines LEVELDB_COMPILE_LIBRARY; programs that use the shared library
// get LEVELDB_SHARED_LIBRARY from its CMake target (harmless when missing).

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
