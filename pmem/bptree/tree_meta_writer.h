// TreeMetaWriter: collects the meta of a tree while its leaves are written, and writes it after
// them (tree_meta.h shows the format).
#ifndef BUSHSTORE_PMEM_BPTREE_TREE_META_WRITER_H_
#define BUSHSTORE_PMEM_BPTREE_TREE_META_WRITER_H_

#include <cstdint>
#include <string>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/filter_policy.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/bptree/tree_record.h"
#include "pmem/bptree/tree_space.h"
#include "pmem/media/pool.h"
#include "pmem/media/value_extent_use.h"

namespace leveldb {

// Used by one thread.
class TreeMetaWriter {
 public:
  // `space` is also where leaves are placed. Owns nothing.
  TreeMetaWriter(Pool* pool, TreeSpace* space) : pool_(pool), space_(space) {}

  // Notes the separator before the leaf that is added next. Not for the first leaf.
  void AddSeparator(const Slice& user_key, uint64_t trailer);

  // Notes the next leaf: its pool offset and size, and the user bytes of its entries.
  void AddLeaf(PoolOffset pool_offset, uint64_t size, uint64_t user_bytes);

  // Notes the filter that the caller's policy made of the keys of the leaf added last.
  void AddLeafFilter(const Slice& filter);

  uint64_t leaf_count() const { return leaf_count_; }

  // Writes body and footer and sets the record's footer fields. The other fields are set already.
  // `filter` is empty or whole blocks of a blocked Bloom filter; `policy` is null unless there is a
  // filter for each leaf. Persistent after the next fence.
  Status Write(const std::vector<ValueExtentUse>& value_extents, const Slice& filter,
               const FilterPolicy* policy, TreeRecord* record);

  // Returns how many bytes Write has copied to the pool.
  uint64_t written_bytes() const { return written_bytes_; }

 private:
  struct Piece {
    PoolOffset pool_offset;
    uint32_t bytes;
    uint32_t crc;
  };

  Status WritePieces(Slice bytes, std::vector<Piece>* pieces);
  Status WriteFooter(uint64_t index_bytes, uint64_t filter_blocks, const std::vector<Piece>& pieces,
                     TreeRecord* record);

  Pool* const pool_;
  TreeSpace* const space_;
  std::string leaves_;
  std::string leaf_filters_;
  std::string separator_;  // the last one's user key
  uint64_t leaf_count_ = 0;
  PoolOffset leaf_end_ = kNoPoolOffset;
  uint64_t written_bytes_ = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_TREE_META_WRITER_H_
