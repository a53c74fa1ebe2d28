// InternalIterator: the interface between the store's own iterators. A step and its result are one
// virtual call; through Iterator they are four, for each of the layers of a scan.
#ifndef BUSHSTORE_ITERATOR_INTERNAL_ITERATOR_H_
#define BUSHSTORE_ITERATOR_INTERNAL_ITERATOR_H_

#include <type_traits>

#include "leveldb/iterator.h"
#include "leveldb/slice.h"

namespace leveldb {

class InternalIterator : public Iterator {
 public:
  // The values of key() and value(). The key's bytes stay valid until the iterator moves, the
  // value's after one step back, but not after two.
  struct IterateResult {
    Slice key;
    Slice value;
  };

  // Sets *result to the current key and value. Returns false, leaving *result unchanged, if the
  // iterator is not valid.
  virtual bool GetResult(IterateResult* result) const = 0;

  // Combine Next() or Prev() with GetResult(). REQUIRES: Valid().
  virtual bool NextAndGetResult(IterateResult* result) = 0;
  virtual bool PrevAndGetResult(IterateResult* result) = 0;
};

// Returns an InternalIterator that is like NewEmptyIterator().
InternalIterator* NewEmptyInternalIterator();

// Implements the functions of InternalIterator for the class `Self`, which is derived from this,
// with its own functions. `Base` is InternalIterator or an interface derived from it.
template <class Self, class Base = InternalIterator>
class InternalIteratorBase : public Base {
 public:
  using IterateResult = InternalIterator::IterateResult;

  bool GetResult(IterateResult* result) const final {
    static_assert(std::is_final_v<Self>, "what overrides its functions would not be asked");
    const Self& self = static_cast<const Self&>(*this);
    if (!self.Self::Valid()) return false;
    *result = {self.Self::key(), self.Self::value()};
    return true;
  }
  bool NextAndGetResult(IterateResult* result) final {
    static_cast<Self*>(this)->Self::Next();
    return InternalIteratorBase::GetResult(result);
  }
  bool PrevAndGetResult(IterateResult* result) final {
    static_cast<Self*>(this)->Self::Prev();
    return InternalIteratorBase::GetResult(result);
  }
};

}  // namespace leveldb

#endif  // BUSHSTORE_ITERATOR_INTERNAL_ITERATOR_H_
