#include "testing/crash/pools_image.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

namespace fs = std::filesystem;

namespace {

SparseBytes ReadSparse(const std::string& path) {
  SparseBytes bytes(fs::file_size(path));
  std::ifstream in(path, std::ios::binary);
  std::string page(SparseBytes::kPage, '\0');
  for (uint64_t at = 0; in && at < bytes.size(); at += page.size()) {
    in.read(page.data(), static_cast<std::streamsize>(page.size()));
    // The file may be growing.
    const size_t got = std::min<uint64_t>(static_cast<uint64_t>(in.gcount()), bytes.size() - at);
    if (!bytes.Equals(at, page.data(), got)) {  // not zeros
      bytes.Write(at, page.data(), got);
    }
  }
  return bytes;
}

}  // namespace

PoolsImage::PoolsImage(const PmemImages& images) {
  for (const PoolImage& pool : images.pools) {
    for (const PoolImage::File& file : pool.files) {
      files_[file.name] = file.bytes;
    }
  }
}

PoolsImage::PoolsImage(const std::string& directory) {
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) {
      const std::string name = fs::relative(entry.path(), directory).string();
      files_[name] = ReadSparse(entry.path().string());
    }
  }
}

void PoolsImage::WriteTo(const std::string& directory) const {
  RemoveDir(directory);
  fs::create_directory(directory);
  for (const auto& [name, bytes] : files_) {
    const fs::path path = fs::path(directory) / name;
    fs::create_directories(path.parent_path());
    bytes.WriteFile(path.string());
  }
}

}  // namespace testkit
}  // namespace leveldb
