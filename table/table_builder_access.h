// TableBuilderAccess: what the store asks of a table builder beyond its public interface.
#ifndef BUSHSTORE_TABLE_TABLE_BUILDER_ACCESS_H_
#define BUSHSTORE_TABLE_TABLE_BUILDER_ACCESS_H_

#include <cstdint>

#include "leveldb/slice.h"
#include "leveldb/table_builder.h"

namespace leveldb {

class TableBuilderAccess {
 public:
  // The bytes that the file will have if Finish follows this entry, or a little less: index and
  // filters count, what compression may spare in the block that is open does not. REQUIRES: neither
  // Finish nor Abandon has been called.
  static uint64_t SizeWith(const TableBuilder& builder, const Slice& key, const Slice& value);

  // Lets the table have filters over long ranges (table/filter_block.h). REQUIRES: nothing was
  // added yet.
  static void UseLongFilterRanges(TableBuilder* builder);
};

}  // namespace leveldb

#endif  // BUSHSTORE_TABLE_TABLE_BUILDER_ACCESS_H_
