#include "pmem/media/heap_footers.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "pmem/media/pool.h"
#include "testing/scratch_pool.h"
#include "testing/temp_dir.h"
#include "util/coding.h"

namespace leveldb {
namespace {

constexpr uint64_t kUsed = 3;
constexpr uint64_t kFree = 2;
constexpr uint64_t kFooter = 1;
constexpr size_t kHeadBytes = 8;

uint64_t Head(uint64_t type, uint64_t chunks) {
  return chunks << 32 | type;
}

class HeapFootersTest : public ::testing::Test {
 protected:
  // Reads a pool that libpmemobj has created, and finds the headers of the chunks in it.
  HeapFootersTest() {
    const testkit::TempDir dir;
    PoolOptions options;
    options.path = dir / "pool";
    options.size = 32 << 20;
    options.assume_pmem = true;
    options.assume_pmem_anywhere = true;
    std::unique_ptr<Pool> pool;
    const Status status = Pool::Create(options, "/db", PoolId::Random(), &pool);
    EXPECT_TRUE(status.ok()) << status.ToString();
    pool.reset();
    bytes_ = testkit::ReadFile(dir / "pool");
    std::string magic;
    AppendFixed32(&magic, 0xC3F0A2D2);
    const size_t zone = bytes_.find(magic);
    EXPECT_NE(zone, std::string::npos);
    chunks_ = LoadFixed32(bytes_.data() + zone + 4);
    heads_ = zone + 64;
  }

  uint64_t At(size_t chunk) const {
    return LoadFixed64(bytes_.data() + heads_ + chunk * kHeadBytes);
  }
  void Set(size_t chunk, uint64_t head) {
    StoreFixed64(bytes_.data() + heads_ + chunk * kHeadBytes, head);
  }

  // Returns the first chunk of the slab, which is the longest block. A test divides its chunks
  // again.
  size_t FindSlab(size_t* length) const {
    size_t found = 0;
    *length = 0;
    for (size_t chunk = 0; chunk < chunks_; chunk += At(chunk) >> 32) {
      if ((At(chunk) & 0xffff) != kUsed || At(chunk) >> 32 <= *length) continue;
      found = chunk;
      *length = At(chunk) >> 32;
    }
    return found;
  }

  std::string bytes_;
  size_t heads_ = 0;
  size_t chunks_ = 0;
};

TEST_F(HeapFootersTest, ASoundPoolStaysAsItIs) {
  ASSERT_GT(chunks_, 10u);
  const std::string before = bytes_;
  RestoreFooters(bytes_.data(), bytes_.size());
  EXPECT_TRUE(bytes_ == before);
}

TEST_F(HeapFootersTest, FootersOfFreeBlocksComeBack) {
  size_t length;
  const size_t slab = FindSlab(&length);
  ASSERT_GT(length, 20u);
  // Two free blocks, as an interrupted search for space has left them, with no footer and an old
  // one; then a free block of a single chunk, and a block in use.
  Set(slab, Head(kFree, 8));
  Set(slab + 7, 0);
  Set(slab + 8, Head(kFree, 5));
  Set(slab + 12, Head(kFree, 99));
  Set(slab + 13, Head(kFree, 1));
  Set(slab + 14, Head(kUsed, length - 14));
  Set(slab + length - 1, Head(kFooter, length - 14));
  std::string wanted = bytes_;
  RestoreFooters(bytes_.data(), bytes_.size());
  wanted.swap(bytes_);
  Set(slab + 7, Head(kFooter, 8));
  Set(slab + 12, Head(kFooter, 5));
  EXPECT_TRUE(bytes_ == wanted);
}

TEST_F(HeapFootersTest, WhatMakesNoSenseIsLeftAlone) {
  size_t length;
  const size_t slab = FindSlab(&length);
  Set(slab, Head(kFree, chunks_ + 1));
  const std::string before = bytes_;
  RestoreFooters(bytes_.data(), bytes_.size());
  EXPECT_TRUE(bytes_ == before);
  for (const size_t bytes : {size_t{0}, size_t{1}, size_t{3 << 20}}) {
    RestoreFooters(bytes_.data(), bytes);
    EXPECT_TRUE(bytes_ == before);
  }
}

}  // namespace
}  // namespace leveldb
