// libpmemobj behind the few calls that a pool needs of it. The library is loaded by the first one.
//
// pool_heap.cc is the only file that includes libpmemobj's header; pool_heap_absent.cc stands in
// for it in builds without persistent memory.
#ifndef BUSHSTORE_PMEM_MEDIA_POOL_HEAP_H_
#define BUSHSTORE_PMEM_MEDIA_POOL_HEAP_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/status.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// One open libpmemobj pool. Not thread-safe. Closed, and unmapped, by the destructor.
class PoolHeap {
 public:
  // The name of the layout that pools are made with.
  static constexpr char kLayout[] = "bushstore";
  // libpmemobj's heap is made of chunks of so many bytes.
  static constexpr uint64_t kChunkBytes = 256 << 10;
  // The parts of a poolset are multiples of this.
  static constexpr uint64_t kPartBytes = 2 << 20;

  // Makes a pool in a file of so many bytes, which must not exist yet; with bytes == 0 in a file
  // or device that does and whose header is zeros, or by a poolset.
  static Status Create(const std::string& path, uint64_t bytes, std::unique_ptr<PoolHeap>* heap);
  static Status Open(const std::string& path, std::unique_ptr<PoolHeap>* heap);

  ~PoolHeap();

  PoolHeap(const PoolHeap&) = delete;
  PoolHeap& operator=(const PoolHeap&) = delete;

  char* base() const { return reinterpret_cast<char*>(pool_); }

  // The place of the root object, which is made, zeroed, if there is none.
  Status Root(size_t bytes, PoolOffset* pool_offset, uint64_t* pool_number);

  // Adds a part of so many bytes, a multiple of kPartBytes, to a poolset.
  Status Extend(uint64_t bytes);

  // The largest object that could be allocated now, as far as it is no larger than at_most.
  uint64_t LargestObject(uint64_t at_most) const;

  // Allocates an object, which is not zeroed, and stores its id (16 bytes) at `object`, which is in
  // the pool, all or nothing. IOError if there is no room.
  Status Allocate(void* object, uint64_t bytes);

  // Bytes of the object that Allocate has given out at this place; 0 if there is none. Looks at one
  // object after the other.
  uint64_t ObjectBytes(PoolOffset pool_offset) const;

 private:
  struct Library;
  class WithoutShutdownState;

  PoolHeap(const Library* library, const std::string& path, void* pool);

  static Status Load(const Library** library);
  static Status Failure(const Library& library, const std::string& context);
  // Turns off what must not happen behind our back.
  Status Configure();

  const Library* const library_;
  const std::string path_;
  void* const pool_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_PMEM_MEDIA_POOL_HEAP_H_
