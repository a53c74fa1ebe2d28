#include "table/block_handle.h"

#include <gtest/gtest.h>

#include <string>

namespace leveldb {

namespace {

TEST(BlockHandle, RoundTrips) {
  for (const uint64_t offset : {uint64_t{0}, uint64_t{300}, UINT64_MAX}) {
    BlockHandle handle{offset, UINT64_MAX - offset};
    std::string encoded = "";
    handle.AppendTo(&encoded);
    EXPECT_LE(encoded.size(), BlockHandle::kMaxEncodedSize);
    encoded += "rest";
    BlockHandle decoded;
    Slice input = encoded;
    ASSERT_TRUE(decoded.ConsumeFrom(&input));
    EXPECT_EQ(decoded, handle);
    EXPECT_EQ(input.ToString(), "rest");
  }
}

TEST(BlockHandle, CutOnesAreRefused) {
  std::string encoded;
  BlockHandle{1000, 1000}.AppendTo(&encoded);
  for (size_t size = 0; size < encoded.size(); size++) {
    BlockHandle decoded{1, 2};
    Slice input(encoded.data(), size);
    EXPECT_FALSE(decoded.ConsumeFrom(&input));
    EXPECT_EQ(decoded, (BlockHandle{1, 2}));
    EXPECT_EQ(input.size(), size);
  }
}

TEST(Footer, TheBytes) {
  Footer footer;
  footer.metaindex = {1, 2};
  footer.index = {3, 300};
  std::string encoded;
  footer.AppendTo(&encoded);
  std::string expected("\x01\x02\x03\xac\x02", 5);
  expected.append(35, '\0');
  expected += "\x57\xfb\x80\x8b\x24\x75\x47\xdb";
  EXPECT_EQ(encoded, expected);
  Footer decoded;
  ASSERT_TRUE(decoded.DecodeFrom(encoded).ok());
  EXPECT_EQ(decoded.metaindex, footer.metaindex);
  EXPECT_EQ(decoded.index, footer.index);
}

TEST(Footer, BadOnesAreRefused) {
  std::string encoded;
  Footer().AppendTo(&encoded);
  std::string bad = encoded;
  bad[47] ^= 1;
  Footer footer;
  EXPECT_TRUE(footer.DecodeFrom(bad).IsCorruption());
  bad = encoded;
  bad.replace(0, 40, std::string(40, '\xff'));
  EXPECT_TRUE(footer.DecodeFrom(bad).IsCorruption());
}

}  // namespace

}  // namespace leveldb
