// Binds a program's own import to another function and back.
#include "port/import_binding.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace leveldb {

namespace {

pid_t NobodysParent() {
  return -7;
}

const void* const kInsideProgram = reinterpret_cast<const void*>(&NobodysParent);

}  // namespace

#if defined(__LP64__) && (defined(__x86_64__) || defined(__aarch64__))
TEST(ImportBinding, CallsGoWhereTheImportIsBound) {
  const pid_t parent = getppid();
  const void* const original = dlsym(RTLD_DEFAULT, "getppid");
  ASSERT_NE(nullptr, original);
  ASSERT_TRUE(BindImport(kInsideProgram, "getppid", reinterpret_cast<const void*>(&NobodysParent)));
  EXPECT_EQ(-7, getppid());
  ASSERT_TRUE(BindImport(kInsideProgram, "getppid", original));
  EXPECT_EQ(parent, getppid());
}
#endif

TEST(ImportBinding, WhatIsNotImportedIsNotBound) {
  EXPECT_FALSE(BindImport(kInsideProgram, "no_function_of_this_name", kInsideProgram));
}

TEST(ImportBinding, AddressesOutsideOfLibrariesHaveNoImports) {
  int on_the_stack = 0;
  EXPECT_FALSE(BindImport(&on_the_stack, "getppid", kInsideProgram));
}

}  // namespace leveldb
