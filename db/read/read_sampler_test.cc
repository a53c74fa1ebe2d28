#include "db/read/read_sampler.h"

#include <vector>

#include "db/version/version_text.h"
#include "gtest/gtest.h"
#include "leveldb/comparator.h"

namespace leveldb {
namespace {

class ReadSamplerTest : public testing::Test, protected SeekCompactionSink {
 protected:
  struct Exhausted {
    uint64_t number;
    int level;
  };

  // Reads entries of 100 bytes at that key, with each fruitless read of a table being its last
  // allowed one. Returns how many entries were looked up.
  int Read(const std::string& version_text, const std::string& key_text, size_t bytes) {
    const VersionPtr version = ParseVersion(&comparator_, version_text);
    ReadSampler sampler(version.get(), this);
    const InternalKey key = ParseKey(key_text);
    int samples = 0;
    for (size_t read = 0; read < bytes; read += 100) {
      for (int level = 0; level < kNumLevels; level++) {
        for (const FileMetaPtr& file : version->files(level)) file->allowed_seeks = 1;
      }
      if (!sampler.OnRead(100)) continue;
      sampler.Sample(key.Encode());
      samples++;
    }
    return samples;
  }

  const InternalKeyComparator comparator_{BytewiseComparator()};
  std::vector<Exhausted> exhausted_;

 private:
  void OnSeeksExhausted(const FileMetaPtr& file, int level) override {
    exhausted_.push_back({file->number, level});
  }
};

// Periods have random lengths of up to 2 MiB: in 400 MiB at least 200, and about 400, of them end.
TEST_F(ReadSamplerTest, ChargesTheFirstOfSeveralTablesAboutOnceInAMebibyte) {
  const int samples = Read("L0: 1[a..c]\nL1: 2[a..d]\nL2: 3[a..d]", "b", size_t{400} << 20);
  EXPECT_GE(samples, 200);
  EXPECT_LE(samples, 800);
  ASSERT_EQ(exhausted_.size(), static_cast<size_t>(samples));
  for (const Exhausted& each : exhausted_) {
    EXPECT_EQ(each.number, 1u);
    EXPECT_EQ(each.level, 0);
  }
}

TEST_F(ReadSamplerTest, ChargesNobodyWhereOneTableHasTheKey) {
  EXPECT_GT(Read("L0: 1[a..c]\nL1: 2[d..e]", "b", size_t{20} << 20), 0);
  EXPECT_TRUE(exhausted_.empty());
}

TEST_F(ReadSamplerTest, AnEntryMayBeLongerThanAPeriod) {
  const VersionPtr version = ParseVersion(&comparator_, "L0: 1[a..c]\nL1: 2[a..c]");
  ReadSampler sampler(version.get(), this);
  const InternalKey key = ParseKey("b");
  for (int i = 0; i < 10; i++) {
    ASSERT_TRUE(sampler.OnRead(size_t{2} << 20));
    sampler.Sample(key.Encode());
  }
}

}  // namespace
}  // namespace leveldb
