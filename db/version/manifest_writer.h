// Appends edits to one manifest file.

#ifndef BUSHSTORE_DB_VERSION_MANIFEST_WRITER_H_
#define BUSHSTORE_DB_VERSION_MANIFEST_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "filelog/log_writer.h"
#include "leveldb/env.h"
#include "leveldb/slice.h"
#include "leveldb/status.h"

namespace leveldb {

// Used by one thread at a time. After an error the content of the file's end is unknown, and the
// writer must not be used again.
class ManifestWriter {
 public:
  // Creates a new, empty manifest; replaces a file of that name.
  static Status Create(Env* env, const std::string& dbname, uint64_t number,
                       std::unique_ptr<ManifestWriter>* writer);

  // Continues manifest `number`, which is `size` bytes long.
  static Status Continue(Env* env, const std::string& dbname, uint64_t number, uint64_t size,
                         std::unique_ptr<ManifestWriter>* writer);

  ManifestWriter(const ManifestWriter&) = delete;
  ManifestWriter& operator=(const ManifestWriter&) = delete;

  // Appends one encoded edit.
  Status Add(const Slice& record);

  // Makes everything added so far durable.
  Status Sync() { return file_->Sync(); }

  // Closes the file. REQUIRES: not called before.
  Status Close() { return file_->Close(); }

  uint64_t number() const { return number_; }
  // Returns about how long the file is.
  uint64_t size() const { return size_; }

 private:
  ManifestWriter(uint64_t number, uint64_t size, std::unique_ptr<WritableFile> file);

  const uint64_t number_;
  uint64_t size_;
  std::unique_ptr<WritableFile> file_;
  LogWriter log_;
};

}  // namespace leveldb

#endif  // BUSHSTORE_DB_VERSION_MANIFEST_WRITER_H_
