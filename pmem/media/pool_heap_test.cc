#include "pmem/media/pool_heap.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <memory>

#include "testing/temp_dir.h"

namespace leveldb {

namespace {

constexpr char kSetting[] = "sds.at_create";

int Setting() {
  void* const library = dlopen("libpmemobj.so.1", RTLD_NOW);
  using Get = int (*)(void*, const char*, void*);
  int value = -1;
  reinterpret_cast<Get>(dlsym(library, "pmemobj_ctl_get"))(nullptr, kSetting, &value);
  return value;
}

void Set(int value) {
  void* const library = dlopen("libpmemobj.so.1", RTLD_NOW);
  using Function = int (*)(void*, const char*, void*);
  reinterpret_cast<Function>(dlsym(library, "pmemobj_ctl_set"))(nullptr, kSetting, &value);
}

}  // namespace

// The setting belongs to the whole process, which may have pools of its own.
TEST(PoolHeap, ShutdownsAreCountedAsBeforeForOtherPools) {
  const int usual = Setting();
  for (const int before : {0, 1}) {
    Set(before);
    const testkit::TempDir dir;
    std::unique_ptr<PoolHeap> heap;
    ASSERT_TRUE(PoolHeap::Create(dir / "pool", 8 << 20, &heap).ok());
    EXPECT_EQ(before, Setting());
    heap.reset();
    ASSERT_TRUE(PoolHeap::Open(dir / "pool", &heap).ok());
    EXPECT_EQ(before, Setting());
    heap.reset();
    EXPECT_FALSE(PoolHeap::Open(dir / "no pool", &heap).ok());
    EXPECT_EQ(before, Setting());
  }
  Set(usual);
}

TEST(PoolHeap, PoolsDoNotCountShutdowns) {
  constexpr size_t kFeaturesAt = 16;
  constexpr int kShutdownState = 4;
  const testkit::TempDir dir;
  std::unique_ptr<PoolHeap> heap;
  ASSERT_TRUE(PoolHeap::Create(dir / "pool", 8 << 20, &heap).ok());
  heap.reset();
  EXPECT_EQ(0, testkit::ReadFile(dir / "pool")[kFeaturesAt] & kShutdownState);
}

}  // namespace leveldb
