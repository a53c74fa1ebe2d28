// Iterator: walks ordered (key, value) pairs in both directions.
//
// A fresh iterator stands on nothing; Seek, SeekToFirst or SeekToLast put it on an entry. Stepping
// off either end, or meeting an error, makes it invalid: look at status() then to tell the two
// apart. The caller deletes an iterator, and does so before it deletes what it came from.
//
// Thread-safety: const members may run concurrently with each other; anything else needs
// exclusive access. Different iterators are independent.

#ifndef LEVELDB_INCLUDE_ITERATOR_H_
#define LEVELDB_INCLUDE_ITERATOR_H_

#include "leveldb/export.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class LEVELDB_EXPORT Iterator {
 public:
  Iterator();

  Iterator(const Iterator&) = delete;
  Iterator& operator=(const Iterator&) = delete;

  // Runs the registered cleanups.
  virtual ~Iterator();

  // Whether the iterator stands on an entry.
  virtual bool Valid() const = 0;

  // To the first or last entry; invalid when there is none.
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;

  // To the first entry whose key is at or after target; invalid when there is none. The bytes of
  // target are needed during the call only.
  virtual void Seek(const Slice& target) = 0;

  // One entry forward or back. REQUIRES: Valid().
  virtual void Next() = 0;
  virtual void Prev() = 0;

  // The entry's key and value. The bytes stay until the iterator next moves or is deleted.
  // REQUIRES: Valid().
  virtual Slice key() const = 0;
  virtual Slice value() const = 0;

  // OK, or the error that made the iterator invalid (or, without paranoid checks, skip data).
  virtual Status status() const = 0;

  // Registers function(arg1, arg2) to run in the destructor, for letting go of what the iterator
  // leans on. May be called several times; every function runs once, in no promised order.
  // This and the data below are not virtual: subclasses of programs inherit them as they are.
  using CleanupFunction = void (*)(void* arg1, void* arg2);
  void RegisterCleanup(CleanupFunction function, void* arg1, void* arg2);

 private:
  // The first cleanup lives in the iterator itself (function == nullptr: none yet); more are
  // chained from it on the heap.
  struct CleanupNode {
    bool IsEmpty() const { return function == nullptr; }
    void Run() { (*function)(arg1, arg2); }

    CleanupFunction function;
    void* arg1;
    void* arg2;
    CleanupNode* next;
  };
  CleanupNode cleanup_head_;
};

// An iterator over nothing, with status OK. The caller deletes it.
LEVELDB_EXPORT Iterator* NewEmptyIterator();

// An iterator over nothing that reports the given status. The caller deletes it.
LEVELDB_EXPORT Iterator* NewErrorIterator(const Status& status);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_ITERATOR_H_
