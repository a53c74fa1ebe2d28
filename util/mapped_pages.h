// What a file offers whose reads show the pages of a mapping.
#ifndef BUSHSTORE_UTIL_MAPPED_PAGES_H_
#define BUSHSTORE_UTIL_MAPPED_PAGES_H_

namespace leveldb {

class MappedPages {
 public:
  virtual ~MappedPages() = default;

  // Takes all pages out of this process's resident memory. What reads have shown stays valid, and
  // the pages stay in the system's cache: the next access maps them again. Thread-safe.
  virtual void LetGo() const = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MAPPED_PAGES_H_
