// TableBuilderAccess: functions of a table builder that the store needs beyond the public
// interface.
#ifndef BUSHSTORE_TABLE_TABLE_BUILDER_ACCESS_H_
#define BUSHSTORE_TABLE_TABLE_BUILDER_ACCESS_H_

#include <cstdint>

#include "leveldb/slice.h"
#include "leveldb/table_builder.h"

namespace leveldb {

class TableBuilderAccess {
 public:
  // Returns the size of the file if Finish follows this entry, or slightly more: index and filters
  // are included; what compression may save in the open block is not deducted.
  // REQUIRES: neither Finish nor Abandon has been called.
  static uint64_t SizeWith(const TableBuilder& builder, const Slice& key, const Slice& value);

  // Makes the table's filters cover long ranges (table/filter_block.h).
  // REQUIRES: nothing was added yet.
  static void UseLongFilterRanges(TableBuilder* builder);
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_TABLE_BUILDER_ACCESS_H_
