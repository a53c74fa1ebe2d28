#include "db/open/lost_files.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "leveldb/helpers/memenv.h"

namespace leveldb {
namespace {

// Notes new files and renames, each by its directory: the first sync of a new file makes the names
// in its directory durable.
class NamesEnv final : public EnvWrapper {
 public:
  explicit NamesEnv(Env* base) : EnvWrapper(base) {}

  Status NewWritableFile(const std::string& name, WritableFile** result) override {
    calls.push_back("new " + name.substr(0, name.rfind('/')));
    return target()->NewWritableFile(name, result);
  }
  Status RenameFile(const std::string& from, const std::string& to) override {
    calls.push_back("rename " + to);
    return target()->RenameFile(from, to);
  }

  std::vector<std::string> calls;
};

TEST(LostFilesTest, ACopyIsMadeOnceAndItsNamesAreSyncedEachTime) {
  const std::unique_ptr<Env> memory(NewMemEnv(Env::Default()));
  NamesEnv env(memory.get());
  ASSERT_TRUE(WriteStringToFile(memory.get(), "log", "/db/000005.log").ok());
  uint64_t number = 10;
  LostFiles lost(&env, "/db", [&number] { return number++; });
  const std::vector<std::string> synced = {"new /db/lost", "new /db"};

  std::string target;
  ASSERT_TRUE(lost.Copy("000005.log", &target).ok());
  EXPECT_EQ("/db/lost/000005.log", target);
  ASSERT_EQ(4u, env.calls.size());
  EXPECT_EQ("rename /db/lost/000005.log", env.calls[1]);
  EXPECT_EQ(synced, std::vector<std::string>(env.calls.begin() + 2, env.calls.end()));

  env.calls.clear();
  target.clear();
  ASSERT_TRUE(lost.Copy("000005.log", &target).ok());
  EXPECT_EQ("/db/lost/000005.log", target);
  EXPECT_EQ(synced, env.calls);
  std::vector<std::string> names;
  ASSERT_TRUE(memory->GetChildren("/db/lost", &names).ok());
  EXPECT_EQ(std::vector<std::string>{"000005.log"}, names);
}

}  // namespace
}  // namespace leveldb
