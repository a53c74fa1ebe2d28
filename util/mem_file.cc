#include "util/mem_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace leveldb {

uint64_t MemFile::size() const {
  MutexLock lock(&mutex_);
  return size_;
}

void MemFile::Append(const Slice& data) {
  MutexLock lock(&mutex_);
  Slice rest = data;
  while (!rest.empty()) {
    const size_t used = static_cast<size_t>(size_ % kChunkBytes);
    if (used == 0) chunks_.emplace_back(new char[kChunkBytes]);
    const size_t step = std::min(rest.size(), kChunkBytes - used);
    memcpy(chunks_.back().get() + used, rest.data(), step);
    size_ += step;
    rest.remove_prefix(step);
  }
}

size_t MemFile::Read(uint64_t offset, size_t n, char* scratch) const {
  MutexLock lock(&mutex_);
  if (offset >= size_) return 0;
  n = static_cast<size_t>(std::min<uint64_t>(n, size_ - offset));
  size_t done = 0;
  while (done < n) {
    const uint64_t place = offset + done;
    const size_t skipped = static_cast<size_t>(place % kChunkBytes);
    const size_t step = std::min(n - done, kChunkBytes - skipped);
    memcpy(scratch + done, chunks_[place / kChunkBytes].get() + skipped, step);
    done += step;
  }
  return n;
}

void MemFile::Truncate() {
  MutexLock lock(&mutex_);
  size_ = 0;
  chunks_.clear();
}

namespace {

class MemSequentialFile final : public SequentialFile {
 public:
  explicit MemSequentialFile(std::shared_ptr<MemFile> file) : file_(std::move(file)) {}

  Status Read(size_t n, Slice* result, char* scratch) override {
    const size_t got = file_->Read(position_, n, scratch);
    position_ += got;
    *result = Slice(scratch, got);
    return Status::OK();
  }

  Status Skip(uint64_t n) override {
    const uint64_t size = file_->size();
    if (position_ < size) position_ += std::min(n, size - position_);
    return Status::OK();
  }

 private:
  const std::shared_ptr<MemFile> file_;
  uint64_t position_ = 0;
};

class MemRandomAccessFile final : public RandomAccessFile {
 public:
  explicit MemRandomAccessFile(std::shared_ptr<MemFile> file) : file_(std::move(file)) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    *result = Slice(scratch, file_->Read(offset, n, scratch));
    return Status::OK();
  }

 private:
  const std::shared_ptr<MemFile> file_;
};

class MemWritableFile final : public WritableFile {
 public:
  explicit MemWritableFile(std::shared_ptr<MemFile> file) : file_(std::move(file)) {}

  Status Append(const Slice& data) override {
    file_->Append(data);
    return Status::OK();
  }

  Status Close() override { return Status::OK(); }
  Status Flush() override { return Status::OK(); }
  Status Sync() override { return Status::OK(); }

 private:
  const std::shared_ptr<MemFile> file_;
};

}  // namespace

SequentialFile* NewMemSequentialFile(std::shared_ptr<MemFile> file) {
  return new MemSequentialFile(std::move(file));
}

RandomAccessFile* NewMemRandomAccessFile(std::shared_ptr<MemFile> file) {
  return new MemRandomAccessFile(std::move(file));
}

WritableFile* NewMemWritableFile(std::shared_ptr<MemFile> file) {
  return new MemWritableFile(std::move(file));
}

}  // namespace leveldb
