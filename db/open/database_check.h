// Reads all data of a database that has just been opened, and reports what is wrong.
//
//  1. Every table file, block by block, filters included.
//  2. Every tree: nodes, separators, filters, and the values that entries refer to.
//  3. The order of sources: the versions of a user key that a reader meets first are newer than
//     those that it would meet after them.
//  4. The pool: the extents in use are those that trees and logs name, and no others.
//
// It also reports how many files are set aside in lost/, which is not damage.
#ifndef BUSHSTORE_DB_OPEN_DATABASE_CHECK_H_
#define BUSHSTORE_DB_OPEN_DATABASE_CHECK_H_

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "db/open/open_steps.h"
#include "leveldb/iterator.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"
#include "pmem/media/pool_offset.h"

namespace leveldb {

// Used once, by one thread, before any job runs.
class DatabaseCheck {
 public:
  // `parts` must outlive this object. Appends lines for humans to `*report`: findings in the order
  // in which they are found, and what was checked.
  DatabaseCheck(const OpenParts* parts, std::string* report) : parts_(*parts), report_(report) {}

  // Returns OK, or Corruption with the first finding. Without a finding, returns the IOError of
  // what could not be read, which may be sound or damaged.
  Status Run();

 private:
  // Entries of one kind of source, in the order of a reader.
  struct Source {
    std::string name;
    std::unique_ptr<Iterator> entries;
  };

  void CheckTables();
  void CheckTable(uint64_t number);
  void CheckTrees();
  void CheckOrder();
  std::vector<Source> OpenSources() const;
  void CheckEntry(const Source& source);
  void CheckReference(const std::string& source, const Slice& encoded);
  void CheckExtents();
  void CountFilesInLost();
  void Found(const std::string& finding);
  void CouldNotRead(const std::string& what);
  void Failed(const std::string& where, const Status& status);
  void Say(const std::string& line);

  const Version& version() const { return *view_->version; }

  const OpenParts& parts_;
  std::string* const report_;
  std::shared_ptr<const ReadView> view_;
  uint64_t entries_ = 0;
  uint64_t references_ = 0;
  uint64_t findings_ = 0;
  Status first_;
  Status unread_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_OPEN_DATABASE_CHECK_H_
