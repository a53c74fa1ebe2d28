#include "table/zstd_library.h"

namespace leveldb {

const ZstdLibrary* FindZstd() {
  static constexpr ZstdLibrary kLibrary = {
      .create_compressor = &ZSTD_createCCtx,
      .free_compressor = &ZSTD_freeCCtx,
      .create_decompressor = &ZSTD_createDCtx,
      .free_decompressor = &ZSTD_freeDCtx,
      .compress_bound = &ZSTD_compressBound,
      .compress = &ZSTD_compressCCtx,
      .decompress = &ZSTD_decompressDCtx,
      .content_size = &ZSTD_getFrameContentSize,
      .is_error = &ZSTD_isError,
  };
  return &kLibrary;
}

}  // namespace leveldb
