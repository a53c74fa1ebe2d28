#include "pmem/bptree/tree_salvage.h"

#include <memory>
#include <string>

#include "entry/internal_key.h"
#include "pmem/bptree/leaf_scan.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/tree_meta.h"
#include "pmem/media/pool.h"
#include "util/text.h"

namespace leveldb {

namespace {

class TreeSalvager {
 public:
  TreeSalvager(const TreeContext& context, const TreeRecord& record, const VisitEntry& visit,
               const ReportDamage& report)
      : context_(context), pool_(*context.pool), record_(record), visit_(visit), report_(report) {}

  Status Run() {
    std::unique_ptr<TreeMeta> meta;
    const Status status = ReadTreeMeta(context_, record_, &meta);
    if (status.ok()) return ReadNamedLeaves(*meta);
    report_(status);
    return ReadFoundLeaves();
  }

  Status ReadFoundLeaves() {
    LeafScan scan(context_.pool, record_.number, record_.salt);
    uint64_t known_bytes = 0;
    Status status;
    while (status.ok() && scan.Next()) {
      if (scan.gap_bytes() > 0) {
        Report("has no sound leaf in " + NumberToString(scan.gap_bytes()) + " bytes up to place " +
               NumberToString(scan.pool_offset()));
      }
      known_bytes += scan.gap_bytes() + scan.leaf().size();
      status = ReadLeaf(scan.leaf(), scan.pool_offset());
    }
    if (status.ok() && known_bytes < record_.leaf_bytes) {
      Report("has lost " + NumberToString(record_.leaf_bytes - known_bytes) +
             " bytes of leaves at the end of runs, or with their headers");
    }
    return status;
  }

 private:
  void Report(const std::string& what) { report_(DamagedTree(pool_, record_, what)); }

  Status ReadNamedLeaves(const TreeMeta& meta) {
    Status status;
    for (size_t i = 0; i < meta.leaves.size() && status.ok(); i++) {
      LeafView leaf;
      const Status opened = meta.OpenLeaf(pool_, i, /*verify_checksum=*/true, &leaf);
      if (opened.ok()) {
        status = ReadLeaf(leaf, meta.leaves[i].pool_offset());
      } else {
        report_(opened);
      }
    }
    return status;
  }

  Status ReadLeaf(const LeafView& leaf, PoolOffset pool_offset) {
    Status status;
    for (size_t i = 0; i < leaf.count() && status.ok(); i++) {
      LeafEntry entry;
      if (!leaf.ReadEntry(i, &entry)) {
        Report("has a malformed entry in the leaf at place " + NumberToString(pool_offset));
        continue;
      }
      key_.assign(leaf.prefix().data(), leaf.prefix().size());
      key_.append(entry.suffix.data(), entry.suffix.size());
      AppendFixed64(&key_, PackTrailer(entry.sequence, entry.type));
      status = visit_(key_, entry.value);
    }
    return status;
  }

  const TreeContext& context_;
  const Pool& pool_;
  const TreeRecord& record_;
  const VisitEntry& visit_;
  const ReportDamage& report_;
  std::string key_;
};

}  // namespace

Status SalvageTree(const TreeContext& context, const TreeRecord& record, const VisitEntry& visit,
                   const ReportDamage& report) {
  return TreeSalvager(context, record, visit, report).Run();
}

Status SalvageFoundTree(const TreeContext& context, const FoundTree& tree, const VisitEntry& visit,
                        const ReportDamage& report) {
  TreeRecord record;
  record.number = tree.number;
  record.salt = tree.salt;
  return TreeSalvager(context, record, visit, report).ReadFoundLeaves();
}

}  // namespace leveldb
