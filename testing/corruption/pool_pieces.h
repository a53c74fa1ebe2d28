// Finds the structures in a pool.

#ifndef BUSHSTORE_TESTING_CORRUPTION_POOL_PIECES_H_
#define BUSHSTORE_TESTING_CORRUPTION_POOL_PIECES_H_

#include "testing/corruption/file_pieces.h"
#include "testing/corruption/image.h"
#include "testing/corruption/piece.h"

namespace leveldb {
namespace testkit {

// Adds the pieces of the pool. The pool is opened, which may change it. Ends the program unless the
// pool is at its path and sound.
void FindPoolPieces(const ImagePlace& image_place, const Image& image, const NamedParts& named,
                    PieceMap* map);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_POOL_PIECES_H_
