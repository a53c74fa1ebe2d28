// Iterator: iterates over ordered (key, value) pairs in both directions.
//
// A new iterator is invalid; Seek, SeekToFirst and SeekToLast position it at an entry. It becomes
// invalid when it moves past either end or meets an error: status() tells the two apart. The caller
// must delete an iterator before the object that returned it.
//
// Thread-safety: const members may run concurrently with each other; any other call requires
// external synchronization. Different iterators are independent of each other.

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

  // Runs the registered cleanup functions.
  virtual ~Iterator();

  // Returns whether the iterator is positioned at an entry.
  virtual bool Valid() const = 0;

  // Moves to the first or last entry. The iterator is invalid afterwards if there is none.
  virtual void SeekToFirst() = 0;
  virtual void SeekToLast() = 0;

  // Moves to the first entry whose key is at or after target. The iterator is invalid afterwards if
  // there is none. The bytes of target are used only during the call.
  virtual void Seek(const Slice& target) = 0;

  // Moves one entry forward or backward. REQUIRES: Valid().
  virtual void Next() = 0;
  virtual void Prev() = 0;

  // Returns the key or the value of the current entry. The bytes are valid until the iterator moves
  // or is deleted.
  // REQUIRES: Valid().
  virtual Slice key() const = 0;
  virtual Slice value() const = 0;

  // Returns OK, or the error that made the iterator invalid (or, without paranoid checks, skip
  // data).
  virtual Status status() const = 0;

  // Registers function(arg1, arg2) to be called by the destructor, to release what the iterator
  // uses. May be called several times; every function is called once, in unspecified order. This
  // function and the data members below are not virtual: subclasses in programs inherit them
  // unchanged.
  using CleanupFunction = void (*)(void* arg1, void* arg2);
  void RegisterCleanup(CleanupFunction function, void* arg1, void* arg2);

 private:
  // The first cleanup is stored in the iterator itself (function == nullptr: there is none);
  // further nodes are allocated on the heap and linked from it.
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

// Returns an empty iterator with status OK. The caller deletes it.
LEVELDB_EXPORT Iterator* NewEmptyIterator();

// Returns an empty iterator with the given status. The caller deletes it.
LEVELDB_EXPORT Iterator* NewErrorIterator(const Status& status);

}  // namespace leveldb

#endif  // LEVELDB_INCLUDE_ITERATOR_H_
