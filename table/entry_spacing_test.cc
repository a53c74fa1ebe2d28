#include "table/entry_spacing.h"

#include <gtest/gtest.h>

namespace leveldb {

namespace {

// Only the addresses are used.
char table_bytes[4096];

TEST(EntrySpacing, IsWhatTwoEntriesAgreeAbout) {
  EntrySpacing spacing;
  EXPECT_EQ(spacing.bytes(), 0u);
  spacing.Note(Slice(table_bytes, 1050));
  EXPECT_EQ(spacing.bytes(), 0u);
  spacing.Note(Slice(table_bytes + 1050, 1036));
  EXPECT_EQ(spacing.bytes(), 1036u);
  spacing.Note(Slice(table_bytes + 2086, 5));
  EXPECT_EQ(spacing.bytes(), 1036u);
}

TEST(EntrySpacing, OneEntryDoesNotAgreeWithItself) {
  EntrySpacing spacing;
  for (int i = 0; i < 3; i++) {
    spacing.Note(Slice(table_bytes, 1050));
    EXPECT_EQ(spacing.bytes(), 0u);
  }
  spacing.Note(Slice(table_bytes + 1050, 1050));
  EXPECT_EQ(spacing.bytes(), 1050u);
}

TEST(EntrySpacing, IsNotKnownWhereTheyDiffer) {
  for (const size_t second : {1075, 1025, 1, 3000}) {
    EntrySpacing spacing;
    spacing.Note(Slice(table_bytes, 1050));
    spacing.Note(Slice(table_bytes + 1050, second));
    EXPECT_EQ(spacing.bytes(), 0u);
    spacing.Note(Slice(table_bytes + 2000, second));
    spacing.Note(Slice(table_bytes + 3000, second));
    EXPECT_EQ(spacing.bytes(), 0u);
  }
}

TEST(EntrySpacing, OfEntriesBeyondAnySizeIsSomeSize) {
  EntrySpacing spacing;
  spacing.Note(Slice(table_bytes, size_t{5} << 30));
  spacing.Note(Slice(table_bytes + 1, size_t{6} << 30));
  EXPECT_EQ(spacing.bytes(), size_t{1} << 30);
}

}  // namespace

}  // namespace leveldb
