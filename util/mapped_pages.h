// The interface of files whose reads return pages of a mapping.
#ifndef BUSHSTORE_UTIL_MAPPED_PAGES_H_
#define BUSHSTORE_UTIL_MAPPED_PAGES_H_

namespace leveldb {

class MappedPages {
 public:
  virtual ~MappedPages() = default;

  // Takes all pages out of this process's resident memory. What reads have returned stays valid,
  // and the pages stay in the system's cache: the next access maps them again. Thread-safe.
  virtual void ReleasePages() const = 0;
};

}  // namespace leveldb

#endif  // BUSHSTORE_UTIL_MAPPED_PAGES_H_
