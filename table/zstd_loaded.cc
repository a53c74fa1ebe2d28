#include <dlfcn.h>

#include "table/zstd_library.h"

namespace leveldb {

namespace {

template <typename Function>
bool Find(void* library, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(library, name));
  return *function != nullptr;
}

struct LoadedZstd {
  ZstdLibrary functions;
  bool is_complete = false;

  LoadedZstd() {
    void* const zstd = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    is_complete = zstd != nullptr &&
                  Find(zstd, "ZSTD_createCCtx", &functions.create_compressor) &&
                  Find(zstd, "ZSTD_freeCCtx", &functions.free_compressor) &&
                  Find(zstd, "ZSTD_createDCtx", &functions.create_decompressor) &&
                  Find(zstd, "ZSTD_freeDCtx", &functions.free_decompressor) &&
                  Find(zstd, "ZSTD_compressBound", &functions.compress_bound) &&
                  Find(zstd, "ZSTD_compressCCtx", &functions.compress) &&
                  Find(zstd, "ZSTD_decompressDCtx", &functions.decompress) &&
                  Find(zstd, "ZSTD_getFrameContentSize", &functions.content_size) &&
                  Find(zstd, "ZSTD_isError", &functions.is_error);
  }
};

}  // namespace

const ZstdLibrary* FindZstd() {
  static const LoadedZstd library;
  return library.is_complete ? &library.functions : nullptr;
}

}  // namespace leveldb
