// Field offsets in a tree footer, for its writer and its reader (tree_meta.h shows the format).
#ifndef BUSHSTORE_PMEM_BPTREE_FOOTER_LAYOUT_H_
#define BUSHSTORE_PMEM_BPTREE_FOOTER_LAYOUT_H_

#include <cstddef>
#include <cstdint>

namespace leveldb {
namespace footer_layout {

constexpr uint32_t kMagic = 0x54687342;  // "BshT"
constexpr uint32_t kVersion = 1;

constexpr size_t kMagicAt = 0;
constexpr size_t kVersionAt = 4;
constexpr size_t kPoolAt = 8;
constexpr size_t kNumberAt = 16;
constexpr size_t kSaltAt = 24;
constexpr size_t kEntriesAt = 32;
constexpr size_t kLeafBytesAt = 40;
constexpr size_t kUserBytesAt = 48;
constexpr size_t kLeavesAt = 56;
constexpr size_t kIndexBytesAt = 64;
constexpr size_t kFilterBlocksAt = 72;
constexpr size_t kRunCountAt = 80;
constexpr size_t kPieceCountAt = 84;
constexpr size_t kHeaderSize = 88;

constexpr size_t kRunSize = 12;
constexpr size_t kPieceSize = 16;

}  // namespace footer_layout
}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_BPTREE_FOOTER_LAYOUT_H_
