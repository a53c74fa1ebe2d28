// Writes one table file from a sorted stream of entries. The file is created, filled, completed,
// synced, and opened once through the table cache before it is used.

#ifndef BUSHSTORE_DB_FILES_TABLE_OUTPUT_H_
#define BUSHSTORE_DB_FILES_TABLE_OUTPUT_H_

#include <cstdint>
#include <memory>
#include <string>

#include "leveldb/options.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

class Env;
class TableBuilder;
class TableCache;
class WritableFile;

// Used by one thread at a time. Unless Finish() has succeeded, the file is removed by Abandon() or
// by the destructor.
class TableOutput {
 public:
  // Creates the file of table `number`. `options.comparator` and `options.filter_policy` are used
  // as they are. What `options` points to, and `cache`, must outlive the result.
  static Status Open(const Options& options, const std::string& dbname, uint64_t number,
                     TableCache* cache, std::unique_ptr<TableOutput>* output);

  ~TableOutput();

  TableOutput(const TableOutput&) = delete;
  TableOutput& operator=(const TableOutput&) = delete;

  // Adds an entry. Write errors are kept for Complete() (see also status()).
  // REQUIRES: `key` is greater than every key added before; neither Complete() nor Finish() nor
  // Abandon() has been called.
  void Add(const Slice& key, const Slice& value);

  // Writes the rest of the table to the file, and does not wait until it is durable. After an error
  // the file is removed.
  // REQUIRES: at least one entry was added; neither Complete() nor Finish() nor Abandon() has been
  // called.
  Status Complete();

  // Completes the table if that has not been done, syncs and closes the file and opens it through
  // the table cache. After an error the file is removed.
  // REQUIRES: at least one entry was added; neither Finish() nor Abandon() has been called, and
  // Complete() has not failed.
  Status Finish();

  // Removes the file. Does nothing after Finish(), a failed Complete(), or Abandon().
  void Abandon();

  // Returns the first write error so far; OK after Complete(), which has returned it, and after
  // Abandon().
  Status status() const;

  uint64_t number() const { return number_; }
  // Returns the bytes of the file so far; the exact size after Complete() has succeeded.
  uint64_t size() const;
  // Returns about how many bytes the file will have if it ends with this entry.
  // REQUIRES: Add() may be called.
  uint64_t SizeWith(const Slice& key, const Slice& value) const;
  uint64_t entries() const { return entries_; }
  // Return the first and the last key added; empty before the first Add().
  Slice smallest() const { return smallest_; }
  Slice largest() const { return largest_; }

 private:
  TableOutput(const Options& options, const std::string& dbname, uint64_t number, TableCache* cache,
              std::unique_ptr<WritableFile> file);

  void RemoveFile();

  Env* const env_;
  const std::string file_name_;
  const uint64_t number_;
  TableCache* const cache_;
  std::unique_ptr<WritableFile> file_;     // null once finished or abandoned
  std::unique_ptr<TableBuilder> builder_;  // null once complete or abandoned
  uint64_t complete_size_ = 0;
  uint64_t entries_ = 0;
  std::string smallest_;
  std::string largest_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_FILES_TABLE_OUTPUT_H_
