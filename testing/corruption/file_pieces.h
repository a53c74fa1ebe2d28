// Finds the structures in the files of a database.

#ifndef BUSHSTORE_TESTING_CORRUPTION_FILE_PIECES_H_
#define BUSHSTORE_TESTING_CORRUPTION_FILE_PIECES_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "pmem/bptree/tree_record.h"
#include "testing/corruption/image.h"
#include "testing/corruption/piece.h"

namespace leveldb {
namespace testkit {

// The tables and trees that the manifest names.
struct NamedParts {
  std::set<uint64_t> tables;
  std::vector<TreeRecord> trees;
  uint64_t log_number = 0;
};

// Adds the pieces of every file except the pool; of tables and logs only those that are in use.
// Ends the program if the image is not that of a sound database.
void FindFilePieces(const ImagePlace& place, const Image& image, PieceMap* map, NamedParts* named);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_FILE_PIECES_H_
