#include "db/env_without_rtti.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "leveldb/db.h"
#include "testing/status_checks.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace {

TEST(EnvWithoutRttiTest, ADatabaseOnItIsCompacted) {
  const testkit::TempDir directory;
  const std::unique_ptr<Env> env = NewEnvWithoutRtti(Env::Default());
  Options options;
  options.env = env.get();
  options.create_if_missing = true;
  options.write_buffer_size = 64 << 10;
  DB* opened = nullptr;
  ASSERT_OK(DB::Open(options, directory.path() + "/db", &opened));
  const std::unique_ptr<DB> db(opened);
  const std::string value(1000, 'v');
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < 300; i++) {
      ASSERT_OK(db->Put(WriteOptions(), "key" + std::to_string(i), value));
    }
  }
  db->CompactRange(nullptr, nullptr);
  std::string found;
  ASSERT_OK(db->Get(ReadOptions(), "key7", &found));
  EXPECT_EQ(value, found);
}

}  // namespace
}  // namespace leveldb
