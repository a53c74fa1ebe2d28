#include "db/state/memtable_iterator.h"

#include <utility>
#include <vector>

#include "db/version/internal_key_order.h"
#include "iterator/merging.h"

namespace leveldb {

Iterator* NewMemTableIterator(const MemTable& memtable) {
  std::vector<Iterator*> parts;
  memtable.AppendIterators(&parts);
  if (parts.empty()) return NewEmptyIterator();
  if (parts.size() == 1) return parts[0];
  return NewMergingIterator(InternalKeyOrder(memtable.comparator()), std::move(parts));
}

}  // namespace leveldb
