#include "util/memory_limit.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "testing/temp_dir.h"

namespace leveldb {
namespace {

class MemoryLimitTest : public testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) const {
    const std::filesystem::path path(dir_ / name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  uint64_t Limit() const { return CgroupMemoryLimit(dir_ / "proc", dir_ / "cgroup"); }

  const testkit::TempDir dir_;
};

TEST_F(MemoryLimitTest, NoneWithoutGroups) {
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("proc/self/cgroup", "");
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("proc/self/cgroup", "nonsense\n5:\n3:memory\n::\n0::\n");
  EXPECT_EQ(Limit(), UINT64_MAX);
}

TEST_F(MemoryLimitTest, Version1) {
  Write("proc/self/cgroup", "9:cpu,cpuacct:/x\n4:memory:/a/b\n0::/\n");
  Write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  Write("cgroup/memory/a/memory.limit_in_bytes", "3000\n");
  Write("cgroup/memory/a/b/memory.limit_in_bytes", "4000\n");
  EXPECT_EQ(Limit(), 3000u) << "the group that it is in has less";
  Write("cgroup/memory/a/b/memory.limit_in_bytes", "2000\n");
  EXPECT_EQ(Limit(), 2000u);
}

TEST_F(MemoryLimitTest, Version2) {
  Write("proc/self/cgroup", "0::/user.slice/a\n");
  Write("cgroup/user.slice/a/memory.max", "max\n");
  EXPECT_EQ(Limit(), UINT64_MAX);
  Write("cgroup/user.slice/memory.max", "1048576\n");
  EXPECT_EQ(Limit(), 1048576u);
  Write("cgroup/user.slice/a/memory.high", "524288\n");
  EXPECT_EQ(Limit(), 524288u) << "beyond it the group is slowed down";
}

// The file names the group as the machine sees it, and only the group's own directory is there.
TEST_F(MemoryLimitTest, InsideAContainer) {
  Write("proc/self/cgroup", "4:memory:/docker/0123\n0::/docker/0123\n");
  Write("cgroup/memory/memory.limit_in_bytes", "7000\n");
  Write("cgroup/memory.max", "6000\n");
  EXPECT_EQ(Limit(), 6000u);
}

TEST_F(MemoryLimitTest, OfThisProcess) {
  EXPECT_GT(MemoryLimit(), uint64_t{1} << 20);
  EXPECT_LT(MemoryLimit(), UINT64_MAX);
}

}  // namespace
}  // namespace leveldb
