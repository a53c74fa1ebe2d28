// PoolHeap: the few calls of libpmemobj that a pool needs. The first one loads the library.
//
// pool_heap.cc is the only file that includes libpmemobj's header; pool_heap_absent.cc replaces it
// in builds without persistent memory.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_HEAP_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// One open libpmemobj pool. Not thread-safe. The destructor closes and unmaps it.
class PoolHeap {
 public:
  // The name of the layout that pools are created with.
  static constexpr char kLayout[] = "bushstore";
  // libpmemobj's heap consists of chunks of this size.
  static constexpr uint64_t kChunkBytes = 256 << 10;
  // The length of a part of a poolset is a multiple of this.
  static constexpr uint64_t kPartBytes = 2 << 20;

  // Creates a pool in a file of `bytes` bytes, which must not exist yet. With bytes == 0, creates
  // it in an existing file or device whose header is zeros, or according to a poolset.
  static Status Create(const std::string& path, uint64_t bytes, std::unique_ptr<PoolHeap>* heap);
  static Status Open(const std::string& path, std::unique_ptr<PoolHeap>* heap);

  ~PoolHeap();

  PoolHeap(const PoolHeap&) = delete;
  PoolHeap& operator=(const PoolHeap&) = delete;

  char* base() const { return reinterpret_cast<char*>(pool_); }

  // Sets *pool_offset to the offset of the root object, which is created, zeroed, if there is none,
  // and *pool_number to libpmemobj's number of the pool.
  Status Root(size_t bytes, PoolOffset* pool_offset, uint64_t* pool_number);

  // Adds a part of `bytes` bytes, a multiple of kPartBytes, to a poolset.
  Status Extend(uint64_t bytes);

  // Returns the size of the largest object, of no more than at_most bytes, that could be allocated
  // now.
  uint64_t LargestObject(uint64_t at_most) const;

  // Allocates an object, which is not zeroed, and stores its id (16 bytes) at `object`, which is in
  // the pool. Both happen, or neither does. IOError if there is no room.
  Status Allocate(void* object, uint64_t bytes);

  // Returns the bytes of the object that Allocate returned at this offset; 0 if there is none.
  // Walks the list of objects.
  uint64_t ObjectBytes(PoolOffset pool_offset) const;

 private:
  struct Library;
  class WithoutShutdownState;

  PoolHeap(const Library* library, const std::string& path, void* pool);

  static Status Load(const Library** library);
  static Status Failure(const Library& library, const std::string& context);
  // Turns off the automatic growth of libpmemobj's heap.
  Status Configure();

  const Library* const library_;
  const std::string path_;
  void* const pool_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_HEAP_H_
