// Merges overlapping tables of a repair in the order of their keys.
#ifndef BUSHSTORE_DB_OPEN_TABLE_MERGE_H_
#define BUSHSTORE_DB_OPEN_TABLE_MERGE_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "db/open/salvaged_table.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Used once, by one thread.
class TableMerge {
 public:
  // Called with each entry and the table that it is from. An error ends the merge.
  using Visit =
      std::function<Status(const SalvagedTable& table, const Slice& key, const Slice& value)>;

  // `context` must outlive this object.
  TableMerge(const RepairContext* context, std::vector<SalvagedTable> inputs);

  // Calls `visit` for every entry of every table, in the order of internal keys.
  Status Run(const Visit& visit);

 private:
  struct Source {
    const SalvagedTable* table;
    std::unique_ptr<Iterator> entries;
  };

  // An order for the heap functions, which put the greatest element in front: the source with the
  // least key.
  struct LeastKeyFirst {
    const InternalKeyComparator& comparator;

    bool operator()(const Source& a, const Source& b) const {
      return comparator.Compare(a.entries->key(), b.entries->key()) > 0;
    }
  };

  Status OpenTablesUpToHere();
  Status Advance(Source source);

  const RepairContext* const context_;
  const std::vector<SalvagedTable> inputs_;  // by smallest key
  size_t next_input_ = 0;
  std::vector<Source> sources_;  // a heap
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_TABLE_MERGE_H_
