// The functions of libzstd that blocks need, whether it is linked or loaded.
//
// The shared libleveldb loads libzstd when a block first needs it (zstd_loaded.cc): most programs
// never need it, and every additional library makes all of them start more slowly. In the static
// one the functions are linked (zstd_linked.cc), because a static program cannot rely on loading a
// library.
#ifndef BUSHSTORE_TABLE_ZSTD_LIBRARY_H_
#define BUSHSTORE_TABLE_ZSTD_LIBRARY_H_

#include <zstd.h>

namespace leveldb {

struct ZstdLibrary {
  decltype(&ZSTD_createCCtx) create_compressor = nullptr;
  decltype(&ZSTD_freeCCtx) free_compressor = nullptr;
  decltype(&ZSTD_createDCtx) create_decompressor = nullptr;
  decltype(&ZSTD_freeDCtx) free_decompressor = nullptr;
  decltype(&ZSTD_compressBound) compress_bound = nullptr;
  decltype(&ZSTD_compressCCtx) compress = nullptr;
  decltype(&ZSTD_decompressDCtx) decompress = nullptr;
  decltype(&ZSTD_getFrameContentSize) content_size = nullptr;
  decltype(&ZSTD_isError) is_error = nullptr;
};

// Returns null if the library is not available. Thread-safe.
const ZstdLibrary* FindZstd();

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_ZSTD_LIBRARY_H_
