// Reads that cannot allocate a block return an IOError that says so, never Corruption, because
// programs repair or delete a database on that. This is a program of its own, because it replaces
// the allocation functions.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <tuple>

#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/pmem.h"
#include "testing/dice.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace {

// The largest allocation with std::nothrow, by which blocks are allocated, that succeeds.
std::atomic<size_t> largest_piece{SIZE_MAX};

// Not inlined: GCC would see that free() gets a pointer from `new`, and not that `new` uses malloc.
__attribute__((noinline)) void GiveBack(void* memory) {
  free(memory);
}

}  // namespace

void* operator new(size_t size) {
  void* const memory = malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(size_t size, const std::nothrow_t& /*unused*/) noexcept {
  return size > largest_piece ? nullptr : malloc(size);
}
void operator delete(void* memory) noexcept {
  GiveBack(memory);
}
void operator delete(void* memory, size_t /*size*/) noexcept {
  GiveBack(memory);
}
void operator delete(void* memory, const std::nothrow_t& /*unused*/) noexcept {
  GiveBack(memory);
}
void* operator new[](size_t size) {
  return operator new(size);
}
void* operator new[](size_t size, const std::nothrow_t& unused) noexcept {
  return operator new(size, unused);
}
void operator delete[](void* memory) noexcept {
  GiveBack(memory);
}
void operator delete[](void* memory, size_t /*size*/) noexcept {
  GiveBack(memory);
}
void operator delete[](void* memory, const std::nothrow_t& /*unused*/) noexcept {
  GiveBack(memory);
}

namespace leveldb {
namespace testkit {
namespace {

constexpr int kKeys = 60;
constexpr size_t kValueBytes = 20000;  // more than a buffer on the stack holds

std::string Key(int i) {
  char text[20];
  std::snprintf(text, sizeof(text), "%06d", i);
  return text;
}

std::string Value(int i) {
  std::string value;
  Dice dice(static_cast<uint64_t>(i) + 1);
  while (value.size() < kValueBytes) {
    value.append(20, static_cast<char>('a' + dice.Between(0, 25)));
  }
  return value;
}

::testing::AssertionResult IsForWantOfMemory(const Status& status) {
  if (status.IsIOError() && status.ToString().find("Cannot allocate memory") != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << status.ToString();
}

class NoMemory : public ::testing::TestWithParam<std::tuple<CompressionType, bool>> {
 protected:
  NoMemory() : memory_env_(NewMemEnv(Env::Default())) {
    options_.create_if_missing = true;
    options_.compression = std::get<0>(GetParam());
    if (std::get<1>(GetParam())) options_.env = memory_env_.get();
  }
  ~NoMemory() override { largest_piece = SIZE_MAX; }

  // Files in memory are copied for each read; other files may be mapped.
  bool NeedsMemory() const {
    return std::get<1>(GetParam()) || options_.compression != kNoCompression;
  }

  std::string path() const { return std::get<1>(GetParam()) ? "/db" : dir_ / "db"; }

  std::unique_ptr<DB> Open() {
    DB* db = nullptr;
    EXPECT_OK(DB::Open(options_, path(), &db));
    return std::unique_ptr<DB>(db);
  }

  void Fill() {
    const std::unique_ptr<DB> db = Open();
    for (int i = 0; i < kKeys; ++i) ASSERT_OK(db->Put(WriteOptions(), Key(i), Value(i)));
    db->CompactRange(nullptr, nullptr);
  }

  const TempDir dir_;
  const std::unique_ptr<Env> memory_env_;
  Options options_;
};

TEST_P(NoMemory, IsNoDamageToReads) {
  Fill();
  for (const bool verify : {false, true}) {
    const std::unique_ptr<DB> db = Open();  // with an empty block cache
    ReadOptions read;
    read.verify_checksums = verify;
    int failed = 0;
    largest_piece = 8192;
    for (int i = 0; i < kKeys; ++i) {
      std::string value;
      const Status status = db->Get(read, Key(i), &value);
      if (status.ok()) {
        EXPECT_EQ(value, Value(i));
      } else {
        EXPECT_TRUE(IsForWantOfMemory(status));
        EXPECT_TRUE(Says(status, path()));
        failed++;
      }
    }
    if (NeedsMemory()) {
      EXPECT_EQ(failed, kKeys);
    }
    const std::unique_ptr<Iterator> entries(db->NewIterator(read));
    for (entries->SeekToFirst(); entries->Valid(); entries->Next()) continue;
    if (NeedsMemory() || !entries->status().ok()) {
      EXPECT_TRUE(IsForWantOfMemory(entries->status()));
    }
    largest_piece = SIZE_MAX;
    for (int i = 0; i < kKeys; ++i) {
      std::string value;
      ASSERT_OK(db->Get(read, Key(i), &value));
      EXPECT_EQ(value, Value(i));
    }
  }
}

TEST_P(NoMemory, IsNoDamageToAnOpenACheckOrARepair) {
  Fill();
  std::string report;
  PmemOptions pmem;
  largest_piece = 8192;
  {
    DB* db = nullptr;
    const Status status = DB::Open(options_, path(), &db);
    EXPECT_FALSE(status.IsCorruption()) << status.ToString();
    delete db;
  }
  const Status checked = CheckDB(path(), options_, pmem, &report);
  const Status repaired = RepairDB(path(), options_);
  largest_piece = SIZE_MAX;
  if (NeedsMemory() || !checked.ok()) {
    EXPECT_TRUE(IsForWantOfMemory(checked)) << report;
  }
  if (NeedsMemory() || !repaired.ok()) {
    EXPECT_TRUE(IsForWantOfMemory(repaired));
  }
  const std::unique_ptr<DB> db = Open();
  for (int i = 0; i < kKeys; ++i) {
    std::string value;
    ASSERT_OK(db->Get(ReadOptions(), Key(i), &value));
    EXPECT_EQ(value, Value(i));
  }
}

INSTANTIATE_TEST_SUITE_P(In, NoMemory,
                         ::testing::Combine(::testing::Values(kNoCompression, kSnappyCompression,
                                                              kZstdCompression),
                                            ::testing::Bool()));

}  // namespace
}  // namespace testkit
}  // namespace leveldb
