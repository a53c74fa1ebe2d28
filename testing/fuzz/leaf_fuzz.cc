// Fuzzes the B+tree of the tier. A leaf of any bytes is searched without reads outside it. A tree
// whose footer, index and leaves are any bytes, with valid checksums, opens or is refused, and is
// iterated, searched and checked without reads outside the pool.
//
// Input: the mode (0: the rest is a leaf, 1: a tree), the rest.
#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "entry/internal_key.h"
#include "leveldb/comparator.h"
#include "pmem/bptree/footer_layout.h"
#include "pmem/bptree/node_layout.h"
#include "pmem/bptree/search.h"
#include "pmem/bptree/tree.h"
#include "pmem/media/extent_header.h"
#include "testing/fuzz/fuzz_input.h"
#include "testing/scratch_pool.h"
#include "util/blocked_bloom_filter.h"
#include "util/crc32c.h"
#include "util/hash64.h"

namespace leveldb {
namespace fuzz {
namespace {

constexpr uint64_t kExtent = 64 << 10;
constexpr uint64_t kSalt = 77;
constexpr uint64_t kNumber = 12;
constexpr int kStepsMax = 500;

const InternalKeyComparator& Comparator() {
  static const InternalKeyComparator comparator(BytewiseComparator());
  return comparator;
}

void CorrectLeafSum(char* leaf, size_t size, PoolOffset pool_offset) {
  const size_t used = LoadFixed32(leaf + 4);
  if (used >= kLeafHeaderSize && used <= size) {
    StoreFixed32(leaf, LeafCrc(leaf, used, kSalt, pool_offset));
  }
}

void TakeAsLeaf(FuzzInput* input) {
  const std::string key = input->ShortString().ToString();
  const SequenceNumber sequence = input->Long() & kMaxSequenceNumber;
  const Slice bytes = input->Rest();
  const size_t size = std::max<size_t>((bytes.size() + kLeafUnit - 1) / kLeafUnit, 1) * kLeafUnit;
  std::vector<char> leaf_bytes(size);
  std::copy(bytes.data(), bytes.data() + bytes.size(), leaf_bytes.begin());
  LeafView leaf;
  if (!leaf.Open(leaf_bytes.data(), size)) return;
  leaf.IsIntact(kSalt, kExtent);
  LeafEntry entry;
  for (size_t i = 0; i < leaf.count(); ++i) {
    LeafEntry usual{};
    const bool is_usual = leaf.ReadUsualEntry(i, &usual);
    const bool is_sound = leaf.ReadEntry(i, &entry);
    Require(is_sound || !is_usual, "usual entries are sound");
    if (!is_sound) continue;
    Require(!is_usual || (usual.value.data() == entry.value.data() &&
                          usual.value.size() == entry.value.size() &&
                          usual.sequence == entry.sequence && usual.type == entry.type),
            "and read the same");
    Require(entry.suffix.data() >= leaf_bytes.data(), "entries begin in the leaf");
    Require(entry.value.data() + entry.value.size() <= leaf_bytes.data() + leaf.used(),
            "and end in it");
    Require(entry.sequence <= kMaxSequenceNumber, "sequence numbers are in range");
    UserBytes(leaf, entry);
  }
  size_t index = 0;
  if (FindInLeaf(leaf, Comparator(), key, PackTrailer(sequence, kTypeValueRef), &index)) {
    Require(index <= leaf.count(), "what is found is an entry, or none");
  }
  bool found = false;
  FindVersionInLeaf(leaf, Comparator(), key, sequence, HashKey64(key), &found, &entry);
}

// The two extents of a tree: the leaves are in the first, index and footer in the second.
class TreeGround {
 public:
  TreeGround() : scratch_(8 << 20, kExtent) {
    Require(scratch_.extents()->Reserve(2, &run_).ok(), "there is room for a tree");
    ExtentHeader header;
    header.kind = ExtentKind::kTree;
    header.object = kNumber;
    header.salt = kSalt;
    header.length = 2;
    header.position = 0;
    WriteExtentHeader(scratch_.pool(), run_, header);
  }

  Pool* pool() const { return scratch_.pool(); }

  // Writes a tree to the extents as the input says.
  TreeRecord Lay(FuzzInput* input) {
    TreeRecord record;
    record.number = kNumber;
    record.salt = kSalt;
    record.entries = 1 + input->Short();
    record.leaf_bytes = input->Short();
    record.user_bytes = input->Short();
    record.smallest = InternalKey(input->ShortString(), 50, kTypeValue);
    record.largest = InternalKey(input->ShortString(), 61, kTypeDeletion);
    const uint64_t leaves = input->Short();
    const uint64_t filter_blocks = input->Byte() % 4;
    const bool has_more_runs = input->Flag();
    const uint64_t other_run = input->Short() * kExtent;
    const uint32_t other_length = input->Byte();

    const Slice leaf_bytes = input->String();
    const size_t leaf_room = kExtent - kLeafUnit;
    char* const leaf = At(run_ + kLeafUnit);
    std::memset(leaf, 0, leaf_room);
    std::memcpy(leaf, leaf_bytes.data(), std::min(leaf_bytes.size(), leaf_room));
    CorrectLeafSum(leaf, leaf_room, run_ + kLeafUnit);

    const Slice index = input->Bytes(kFooterAt - 4 * BlockedBloomFilter::kBlockBytes);
    const PoolOffset body = run_ + kExtent;
    std::memset(At(body), 0, kFooterAt);
    std::memcpy(At(body), index.data(), index.size());
    const uint64_t body_bytes = index.size() + filter_blocks * BlockedBloomFilter::kBlockBytes;
    WriteFooter(&record, leaves, index.size(), filter_blocks, body_bytes, has_more_runs, other_run,
                other_length);
    return record;
  }

 private:
  static constexpr uint64_t kFooterAt = 40 << 10;

  char* At(PoolOffset pool_offset) const { return scratch_.pool()->At(pool_offset); }

  void WriteFooter(TreeRecord* record, uint64_t leaves, uint64_t index_bytes,
                   uint64_t filter_blocks, uint64_t body_bytes, bool has_more_runs,
                   uint64_t other_run, uint32_t other_length) {
    using namespace footer_layout;
    record->footer_offset = run_ + kExtent + kFooterAt;
    char* const footer = At(record->footer_offset);
    StoreFixed32(footer + kMagicAt, kMagic);
    StoreFixed32(footer + kVersionAt, kVersion);
    StoreFixed64(footer + kPoolAt, pool()->id().Folded());
    StoreFixed64(footer + kNumberAt, record->number);
    StoreFixed64(footer + kSaltAt, record->salt);
    StoreFixed64(footer + kEntriesAt, record->entries);
    StoreFixed64(footer + kLeafBytesAt, record->leaf_bytes);
    StoreFixed64(footer + kUserBytesAt, record->user_bytes);
    StoreFixed64(footer + kLeavesAt, leaves);
    StoreFixed64(footer + kIndexBytesAt, index_bytes);
    StoreFixed64(footer + kFilterBlocksAt, filter_blocks);
    StoreFixed32(footer + kRunCountAt, has_more_runs ? 2 : 1);
    StoreFixed32(footer + kPieceCountAt, 1);
    char* p = footer + kHeaderSize;
    StoreFixed64(p, run_);
    StoreFixed32(p + 8, 2);
    p += kRunSize;
    if (has_more_runs) {
      StoreFixed64(p, other_run);
      StoreFixed32(p + 8, other_length);
      p += kRunSize;
    }
    StoreFixed64(p, run_ + kExtent);
    StoreFixed32(p + 8, static_cast<uint32_t>(body_bytes));
    StoreFixed32(p + 12, crc32c::Value(At(run_ + kExtent), body_bytes));
    p += kPieceSize;
    record->footer_bytes = static_cast<uint32_t>(p - footer);
    record->footer_crc = crc32c::Value(footer, record->footer_bytes);
  }

  const testkit::ScratchPool scratch_;
  PoolOffset run_ = kNoPoolOffset;
};

void Walk(const Tree& tree, bool verify) {
  const std::unique_ptr<Iterator> iterator(tree.NewIterator(verify));
  iterator->SeekToFirst();
  for (int i = 0; i < kStepsMax && iterator->Valid(); ++i) {
    Require(iterator->key().size() >= 8, "keys have trailers");
    iterator->Next();
  }
  iterator->SeekToLast();
  for (int i = 0; i < kStepsMax && iterator->Valid(); ++i) iterator->Prev();
}

void Search(const Tree& tree, const Slice& user_key) {
  const LookupKey key(user_key, kMaxSequenceNumber);
  const uint64_t hash = HashKey64(user_key);
  tree.PrefetchFilter(hash);
  tree.MayContain(hash);
  for (const bool verify : {false, true}) {
    TreeHit hit;
    const Status status = tree.Get(key, hash, verify, &hit);
    Require(status.ok() || !hit.found, "an error finds nothing");
  }
  tree.ApproximateOffset(key.internal_key());
}

void TakeAsTree(FuzzInput* input) {
  static TreeGround ground;
  const TreeRecord record = ground.Lay(input);
  Extents extents(ground.pool());
  TreeContext context;
  context.pool = ground.pool();
  context.extents = &extents;
  context.comparator = &Comparator();
  TreePtr tree;
  if (!Tree::Open(context, record, &tree).ok()) {
    Require(extents.used_bytes() == 0, "a tree that is refused holds nothing");
    return;
  }
  Walk(*tree, false);
  Walk(*tree, true);
  for (const Slice& key :
       {Slice(""), Slice("key"), tree->smallest_user_key(), tree->largest_user_key()}) {
    Search(*tree, key);
  }
  int findings = 0;
  const Status status = tree->Check([&findings](const std::string&) { ++findings; });
  Require(status.ok() == (findings == 0), "what is wrong is reported");
  tree.reset();
  Require(extents.used_bytes() == 0, "a tree that goes gives everything back");
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  leveldb::fuzz::FuzzInput input(data, size);
  if (input.Flag()) {
    leveldb::fuzz::TakeAsTree(&input);
  } else {
    leveldb::fuzz::TakeAsLeaf(&input);
  }
  return 0;
}
