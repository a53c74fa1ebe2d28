#include "table/entry_spacing.h"

#include <gtest/gtest.h>

namespace leveldb {

namespace {

TEST(EntrySpacing, IsWhatTwoEntriesAgreeAbout) {
  EntrySpacing spacing;
  EXPECT_EQ(spacing.bytes(), 0u);
  spacing.Note(1050);
  EXPECT_EQ(spacing.bytes(), 0u);
  spacing.Note(1036);
  EXPECT_EQ(spacing.bytes(), 1036u);
  spacing.Note(5);
  EXPECT_EQ(spacing.bytes(), 1036u);
}

TEST(EntrySpacing, IsNotKnownWhereTheyDiffer) {
  for (const size_t second : {1075, 1025, 1, 4000}) {
    EntrySpacing spacing;
    spacing.Note(1050);
    spacing.Note(second);
    EXPECT_EQ(spacing.bytes(), 0u);
    spacing.Note(second);
    spacing.Note(second);
    EXPECT_EQ(spacing.bytes(), 0u);
  }
}

TEST(EntrySpacing, OfEntriesBeyondAnySizeIsSomeSize) {
  EntrySpacing spacing;
  spacing.Note(size_t{5} << 30);
  spacing.Note(size_t{6} << 30);
  EXPECT_EQ(spacing.bytes(), size_t{1} << 30);
}

}  // namespace

}  // namespace leveldb
