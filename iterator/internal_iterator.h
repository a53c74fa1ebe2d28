// InternalIterator: what the store's own iterators are to each other. A step, and what it leads to,
// is one virtual call; through Iterator it is four, for each of the layers that a scan goes
// through.
#ifndef BUSHSTORE_ITERATOR_INTERNAL_ITERATOR_H_
#define BUSHSTORE_ITERATOR_INTERNAL_ITERATOR_H_

#include <type_traits>

#include "leveldb/iterator.h"
#include "leveldb/slice.h"

namespace leveldb {

class InternalIterator : public Iterator {
 public:
  // What key() and value() show. The key's bytes stay until the iterator moves, the value's over
  // one step back, but not over two.
  struct IterateResult {
    Slice key;
    Slice value;
  };

  // Tells where the iterator stands. False, leaving *result as it was, if that is nowhere.
  virtual bool GetResult(IterateResult* result) const = 0;

  // Next() or Prev(), and then GetResult(). REQUIRES: Valid().
  virtual bool NextAndGetResult(IterateResult* result) = 0;
  virtual bool PrevAndGetResult(IterateResult* result) = 0;
};

// NewEmptyIterator() where an InternalIterator is wanted.
InternalIterator* NewEmptyInternalIterator();

// Gives the class `Self`, which is derived from this, what InternalIterator asks for, made of its
// own functions. `Base` is InternalIterator or one that adds to it.
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
