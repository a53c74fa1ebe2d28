#include "testing/pool_bytes.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {

std::vector<PoolPlace> FindInPools(const TierStore& store, const std::string& bytes) {
  std::vector<PoolPlace> places;
  for (const std::string& file : store.PoolFiles()) {
    const std::string contents = ReadFile(file);
    for (size_t at = contents.find(bytes); at != std::string::npos;
         at = contents.find(bytes, at + 1)) {
      places.push_back(PoolPlace{file, at});
    }
  }
  return places;
}

void FlipBit(const PoolPlace& place, int bit) {
  std::fstream file(place.file, std::ios::binary | std::ios::in | std::ios::out);
  file.seekg(static_cast<std::streamoff>(place.offset));
  char byte = 0;
  file.get(byte);
  byte = static_cast<char>(byte ^ (1 << bit));
  file.seekp(static_cast<std::streamoff>(place.offset));
  file.put(byte);
  if (!file.flush()) {
    std::fprintf(stderr, "test set-up: cannot damage %s\n", place.file.c_str());
    std::abort();
  }
}

int DamageInPools(const TierStore& store, const std::string& bytes) {
  const std::vector<PoolPlace> places = FindInPools(store, bytes);
  for (const PoolPlace& place : places) {
    FlipBit(PoolPlace{place.file, place.offset + bytes.size() / 2});
  }
  return static_cast<int>(places.size());
}

}  // namespace testkit
}  // namespace leveldb
