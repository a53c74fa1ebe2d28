#include "db/state/memtable_iterator.h"

#include <utility>
#include <vector>

#include "db/version/internal_key_order.h"
#include "iterator/merging.h"

namespace leveldb {

InternalIterator* NewMemTableIterator(const MemTable& memtable) {
  std::vector<InternalIterator*> parts;
  memtable.AppendIterators(&parts);
  return NewMergingIterator(InternalKeyOrder(memtable.comparator()), std::move(parts));
}

}  // namespace leveldb
