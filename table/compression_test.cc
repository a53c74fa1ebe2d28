#include "table/compression.h"

#include <gtest/gtest.h>

#include <string>

#include "util/coding.h"
#include "util/random.h"

namespace leveldb {

namespace {

constexpr CompressionType kTypes[] = {kSnappyCompression, kZstdCompression};

std::string Uncompress(CompressionType type, const Slice& compressed) {
  size_t size;
  EXPECT_TRUE(UncompressedSize(type, compressed, &size));
  std::string raw(size, '?');
  EXPECT_EQ(UncompressBlock(type, compressed, raw.data(), size), Uncompressed::kDone);
  return raw;
}

TEST(Compression, RoundTrips) {
  ByteBuffer compressed;
  for (const CompressionType type : kTypes) {
    for (const size_t size : {size_t{100}, size_t{4096}, size_t{1} << 20, size_t{5} << 20}) {
      std::string raw;
      while (raw.size() < size) raw += "some text " + std::string(raw.size() % 7, 'z');
      ASSERT_TRUE(CompressBlock(type, raw, 5, &compressed));
      EXPECT_LT(compressed.size(), raw.size());
      EXPECT_EQ(Uncompress(type, compressed.slice()), raw);
    }
    // The best ratio that the format can achieve must not be refused as a bomb.
    const std::string zeros(4 << 20, '\0');
    ASSERT_TRUE(CompressBlock(type, zeros, 0, &compressed));
    EXPECT_EQ(Uncompress(type, compressed.slice()), zeros);
  }
}

TEST(Compression, WhatDoesNotSaveAnEighthIsLeft) {
  Random random(301);
  ByteBuffer compressed;
  for (const CompressionType type : kTypes) {
    std::string raw;
    for (int i = 0; i < 4096; i++) raw.push_back(static_cast<char>(random.Next()));
    EXPECT_FALSE(CompressBlock(type, raw, 5, &compressed));
    EXPECT_FALSE(CompressBlock(type, raw + std::string(400, 'x'), 5, &compressed));
    EXPECT_TRUE(CompressBlock(type, raw + std::string(1000, 'x'), 5, &compressed));
    EXPECT_FALSE(CompressBlock(type, Slice(), 5, &compressed));
  }
  EXPECT_FALSE(CompressBlock(kNoCompression, std::string(4096, 'x'), 5, &compressed));
  EXPECT_FALSE(
      CompressBlock(static_cast<CompressionType>(3), std::string(4096, 'x'), 5, &compressed));
}

TEST(Compression, KnownTypes) {
  EXPECT_TRUE(IsKnownCompression(0));
  EXPECT_TRUE(IsKnownCompression(1));
  EXPECT_TRUE(IsKnownCompression(2));
  EXPECT_FALSE(IsKnownCompression(3));
  EXPECT_FALSE(IsKnownCompression(255));
}

TEST(Compression, BombsAreRefusedBeforeAnythingIsAllocated) {
  size_t size;
  std::string bomb;
  AppendVarint32(&bomb, 0xffffffff);
  bomb.append(4000, '\xfe');
  EXPECT_FALSE(UncompressedSize(kSnappyCompression, bomb, &size));
  EXPECT_FALSE(UncompressedSize(kSnappyCompression, Slice(), &size));
  EXPECT_FALSE(UncompressedSize(kSnappyCompression, std::string(5, '\xff'), &size));

  // Magic number, a frame header with an 8-byte content size, and that size: 2^60.
  std::string frame("\x28\xb5\x2f\xfd\xe0", 5);
  AppendFixed64(&frame, uint64_t{1} << 60);
  frame.append(100, '\0');
  EXPECT_FALSE(UncompressedSize(kZstdCompression, frame, &size));
  // The frame has no content size at all.
  EXPECT_FALSE(
      UncompressedSize(kZstdCompression, Slice("\x28\xb5\x2f\xfd\x00\x58\x01\x00\x00", 9), &size));
  EXPECT_FALSE(UncompressedSize(kZstdCompression, "no frame at all", &size));
  EXPECT_FALSE(UncompressedSize(kZstdCompression, Slice(), &size));
}

TEST(Compression, DamagedDataIsRefusedOrDiffers) {
  Random random(301);
  std::string raw;
  while (raw.size() < 3000) raw += "entry " + std::string(1 + random.Uniform(9), 'a');
  for (const CompressionType type : kTypes) {
    ByteBuffer compressed;
    ASSERT_TRUE(CompressBlock(type, raw, 0, &compressed));
    for (int i = 0; i < 3000; i++) {
      std::string bad = compressed.slice().ToString();
      bad[random.Uniform(bad.size())] ^= static_cast<char>(1 + random.Uniform(255));
      if (random.OneIn(3)) bad.resize(random.Uniform(bad.size()));
      size_t size;
      if (!UncompressedSize(type, bad, &size)) continue;
      ASSERT_LE(size, bad.size() * 32768);
      std::string out(size, '?');
      EXPECT_NE(UncompressBlock(type, bad, out.data(), size), Uncompressed::kNoMemory);
    }
  }
}

}  // namespace

}  // namespace leveldb
