#include "testing/tier_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace leveldb {
namespace testkit {

namespace fs = std::filesystem;

namespace {

// The front of a DAX device, where the headers of a pool are.
class DeviceFront {
 public:
  explicit DeviceFront(const std::string& device) {
    const int fd = open(device.c_str(), O_RDWR | O_CLOEXEC);
    void* const bytes = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    EXPECT_NE(bytes, MAP_FAILED) << device << ": " << strerror(errno);
    if (bytes != MAP_FAILED) bytes_ = static_cast<char*>(bytes);
    close(fd);
  }
  ~DeviceFront() {
    if (bytes_ != nullptr) munmap(bytes_, kBytes);
  }
  DeviceFront(const DeviceFront&) = delete;
  DeviceFront& operator=(const DeviceFront&) = delete;

  bool IsBlank() const {
    return bytes_ != nullptr &&
           std::all_of(bytes_, bytes_ + kHeaderBytes, [](char byte) { return byte == 0; });
  }
  void Blank() {
    if (bytes_ != nullptr) std::fill_n(bytes_, kBytes, 0);
  }

 private:
  static constexpr size_t kBytes = 2 << 20;  // a multiple of the usual alignments
  static constexpr size_t kHeaderBytes = 8192;

  char* bytes_ = nullptr;
};

}  // namespace

TierStore::TierStore(uint64_t pool_bytes, Medium medium) : dir_(medium) {
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  pmem.path = pools();
  pmem.size = pool_bytes;
  pmem.assume_pmem = medium != Medium::kDisk;
  pmem.assume_pmem_anywhere = pmem.assume_pmem && !IsInMemory(dir_.path());
  fs::create_directory(pools());
  const char* const device = std::getenv("BUSHSTORE_TEST_POOL");
  const bool is_named = device != nullptr && *device != '\0';
  if (is_named && medium == Medium::kMemory) UseDevice(device);
}

void TierStore::UseDevice(const std::string& device) {
  device_ = device;
  pmem.path = device;
  pmem.size = 0;
  pmem.assume_pmem = false;
  pmem.assume_pmem_anywhere = false;
  DeviceFront(device_).Blank();
}

TierStore::~TierStore() {
  Close();
  if (!device_.empty()) DeviceFront(device_).Blank();
}

Status TierStore::Open() {
  Close();
  PmemDB* opened = nullptr;
  const Status status = PmemOpen(options, pmem, path(), &opened);
  EXPECT_EQ(status.ok(), opened != nullptr);
  db_.reset(opened);
  return status;
}

Status TierStore::OpenPlainly() {
  Close();
  DB* opened = nullptr;
  const Status status = DB::Open(options, path(), &opened);
  EXPECT_EQ(status.ok(), opened != nullptr);
  db_.reset(opened);
  return status;
}

Status TierStore::Write(History* history, uint64_t batches, bool sync) {
  WriteOptions write_options;
  write_options.sync = sync;
  Status status;
  for (uint64_t i = 0; i < batches && status.ok(); ++i) {
    history->Extend();
    WriteBatch batch = history->Batch(history->size());
    status = db_->Write(write_options, &batch);
  }
  return status;
}

Status TierStore::CheckAt(const History& history) {
  uint64_t count = 0;
  const Status status = history.Check(db_.get(), &count);
  if (status.ok() && count != history.size()) {
    return Status::Corruption("the database is at batch " + std::to_string(count) +
                              " of the history, not at " + std::to_string(history.size()));
  }
  return status;
}

void TierStore::Flush() {
  const Slice beyond("\xff");
  db_->CompactRange(&beyond, &beyond);
}

uint64_t TierStore::Metric(const std::string& name) {
  std::string text;
  EXPECT_TRUE(db_->GetProperty("leveldb.pmem." + name, &text)) << name;
  return std::strtoull(text.c_str(), nullptr, 10);
}

Status TierStore::Check() {
  Close();
  std::string report;
  const Status status = CheckDB(path(), options, pmem, &report);
  return status.ok() ? status : Status::Corruption(status.ToString(), report);
}

std::vector<std::string> TierStore::PoolFiles() const {
  std::vector<std::string> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(pools())) {
    if (entry.is_regular_file() && entry.path().extension() != ".set") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string TierStore::PoolNames() const {
  if (!device_.empty()) return DeviceFront(device_).IsBlank() ? "" : device_ + "\n";
  std::string names;
  std::vector<std::string> all;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(pools())) {
    all.push_back(entry.path().filename().string());
  }
  std::sort(all.begin(), all.end());
  for (const std::string& name : all) {
    names += name + "\n";
  }
  return names;
}

std::string TierStore::Manifest() const {
  const std::string current = ReadFile(path() + "/CURRENT");
  return current + ReadFile(path() + "/" + current.substr(0, current.find('\n')));
}

void TierStore::Keep(const std::string& name) {
  ASSERT_EQ(device_, "") << "the bytes of a device are not kept";
  // A background job that ends meanwhile might be in one of the copies only, or remove a file while
  // it is being copied.
  std::string manifest;
  bool is_whole = false;
  for (int attempt = 0; !is_whole; ++attempt) {
    ASSERT_LT(attempt, 100) << "cannot copy " << path() << " and " << pools();
    manifest = Manifest();
    RemoveDir(dir_ / name);
    fs::create_directory(dir_ / name);
    is_whole = TryCopyDir(path(), dir_ / (name + "/db")) &&
               TryCopyDir(pools(), dir_ / (name + "/pools")) && manifest == Manifest();
  }
}

void TierStore::BringBack(const std::string& name) {
  Close();
  RemoveDir(path());
  RemoveDir(pools());
  CopyDir(dir_ / (name + "/db"), path());
  CopyDir(dir_ / (name + "/pools"), pools());
}

}  // namespace testkit
}  // namespace leveldb
