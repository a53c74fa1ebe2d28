#include "db/version/manifest_writer.h"

#include <utility>

#include "db/files/filename.h"

namespace leveldb {

ManifestWriter::ManifestWriter(uint64_t number, uint64_t size, std::unique_ptr<WritableFile> file)
    : number_(number), size_(size), file_(std::move(file)), log_(file_.get(), size) {}

Status ManifestWriter::Create(Env* env, const std::string& dbname, uint64_t number,
                              std::unique_ptr<ManifestWriter>* writer) {
  WritableFile* file = nullptr;
  const Status status = env->NewWritableFile(ManifestFileName(dbname, number), &file);
  if (status.ok()) {
    writer->reset(new ManifestWriter(number, 0, std::unique_ptr<WritableFile>(file)));
  }
  return status;
}

Status ManifestWriter::Continue(Env* env, const std::string& dbname, uint64_t number, uint64_t size,
                                std::unique_ptr<ManifestWriter>* writer) {
  WritableFile* file = nullptr;
  const Status status = env->NewAppendableFile(ManifestFileName(dbname, number), &file);
  if (status.ok()) {
    writer->reset(new ManifestWriter(number, size, std::unique_ptr<WritableFile>(file)));
  }
  return status;
}

Status ManifestWriter::Add(const Slice& record) {
  size_ += record.size();
  return log_.AddRecord(record);
}

}  // namespace leveldb
