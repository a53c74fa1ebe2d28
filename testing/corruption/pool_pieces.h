// Finds the structures in a pool.

#ifndef BUSHSTORE_TESTING_CORRUPTION_POOL_PIECES_H_
#define BUSHSTORE_TESTING_CORRUPTION_POOL_PIECES_H_

#include "testing/corruption/file_pieces.h"
#include "testing/corruption/image.h"
#include "testing/corruption/piece.h"

namespace leveldb {
namespace testkit {

// Adds the pieces of the pool, which must stand at its place and be sound: it is opened, and may be
// changed by that. Ends the program if it is not.
void FindPoolPieces(const ImagePlace& image_place, const Image& image, const NamedParts& named,
                    PieceMap* map);

}  // namespace testkit
}  // namespace leveldb

#endif  // BUSHSTORE_TESTING_CORRUPTION_POOL_PIECES_H_
