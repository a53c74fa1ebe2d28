// Piece: a structure on the medium, its position, and what is lost when it is damaged.

#ifndef BUSHSTORE_TESTING_CORRUPTION_PIECE_H_
#define BUSHSTORE_TESTING_CORRUPTION_PIECE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace leveldb {
namespace testkit {

enum class Structure {
  kCurrent,
  kManifest,
  kPmemFile,
  kLogFile,
  kTableData,
  kTableFilter,
  kTableMetaindex,
  kTableIndex,
  kTableFooter,
  kDirectory,   // which files it holds, not their contents
  kPoolHeader,  // libpmemobj's
  kPoolHeap,    // likewise: descriptor, lanes, chunk headers
  kRootIdentity,
  kRootWords,
  kRootSlabs,
  kRootLogSlots,
  kLogExtentHeader,
  kValueExtentHeader,
  kTreeRunHeader,
  kPoolLog,
  kLeaf,
  kTreeFooter,
  kTreeIndex,
  kTreeFilter,
  kValue,
  kChunkList,
  kUnused,  // space in the pool that nothing refers to
};
constexpr int kStructures = static_cast<int>(Structure::kUnused) + 1;

const char* StructureName(Structure structure);
// Returns false if no structure has this name.
bool StructureOf(const std::string& name, Structure* structure);
bool IsInPool(Structure structure);

// A part of a piece, all bytes of which are of one kind.
struct Field {
  std::string name;
  uint64_t begin = 0;  // offset in the file
  uint64_t size = 0;
  bool is_checked = false;  // covered by a checksum, or itself one
};

struct KeyVersion {
  std::string key;
  uint64_t sequence = 0;

  friend auto operator<=>(const KeyVersion& a, const KeyVersion& b) = default;
};

// A position in a log: when this piece is damaged, the record there and all records after it cannot
// be reached.
struct LogCut {
  int log = 0;
  size_t record = 0;
};

struct Piece {
  Structure structure = Structure::kUnused;
  std::string file;
  std::vector<Field> fields;
  std::vector<KeyVersion> carries;  // versions that are lost with the piece
  std::vector<LogCut> cuts;

  uint64_t begin() const { return fields.front().begin; }
  uint64_t end() const { return fields.back().begin + fields.back().size; }
  // Appends a field after the last one, unless it is empty.
  void Add(const std::string& name, uint64_t size, bool is_checked);
  // Sets the first field; more can be added.
  void Start(const std::string& name, uint64_t begin, uint64_t size, bool is_checked);
};

// A log, in the pool or in a file: the versions that its records carry, in order.
struct LogRecords {
  std::string file;
  std::vector<std::vector<KeyVersion>> records;
  // Whether an end of the log before its last record proves damage.
  bool end_is_proven = false;
  bool is_fenced_in_order = true;
};

struct PieceMap {
  std::vector<Piece> pieces;
  std::vector<LogRecords> logs;
};

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_PIECE_H_
