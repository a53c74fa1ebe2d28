// FileMeta describes one table file of a version.

#ifndef BUSHSTORE_DB_VERSION_FILE_META_H_
#define BUSHSTORE_DB_VERSION_FILE_META_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "entry/internal_key.h"

namespace leveldb {

class ObsoleteFiles;

// One object per table for as long as any version names the table, also when it moves to another
// level. number, size and bounds never change.
struct FileMeta {
  FileMeta(uint64_t file_number, uint64_t file_size, const InternalKey& smallest_key,
           const InternalKey& largest_key);

  // Queues the number of a table that has been marked obsolete.
  ~FileMeta();

  FileMeta(const FileMeta&) = delete;
  FileMeta& operator=(const FileMeta&) = delete;

  // Returns how many fruitless reads a table of `size` bytes may cost before compacting it pays
  // off.
  static int InitialSeeks(uint64_t size);

  // Marks the table as dropped by the current version: when the last version that still names it is
  // destroyed, its number is put into `queue`, which must outlive every version.
  // REQUIRES: the database mutex is held, and so is a reference to this object.
  void MarkObsolete(ObsoleteFiles* queue) { obsolete_queue = queue; }

  const uint64_t number;
  const uint64_t size;
  const InternalKey smallest;  // exact bounds: both keys are in the table
  const InternalKey largest;

  // Counted down by reads that had to search this table and a further one. Any thread.
  std::atomic<int> allowed_seeks;

  // An input of a running job. Guarded by the database mutex; written by Reservations only.
  bool being_compacted = false;

  ObsoleteFiles* obsolete_queue = nullptr;  // see MarkObsolete()
};

using FileMetaPtr = std::shared_ptr<FileMeta>;

// The sum of the sizes of `files`.
uint64_t TotalBytes(const std::vector<FileMetaPtr>& files);

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_FILE_META_H_
