// The same random program of operations gives the answers of the model under every option set with
// the tier.

#include <gtest/gtest.h>

#include "testing/option_sets.h"
#include "testing/random_program.h"
#include "testing/seed.h"
#include "testing/temp_dir.h"

namespace leveldb {
namespace testkit {
namespace {

class RandomOperations : public ::testing::TestWithParam<std::string> {};

TEST_P(RandomOperations, AgreeWithTheModel) {
  const TempDir dir;
  OptionSet set = MakeOptionSet(GetParam());
  RandomProgram program(&set, dir / "db", AnnouncedSeed());
  const int steps = Scaled(15000);
  program.Run(set.value_factor > 1 ? steps / 2 : steps);
}

INSTANTIATE_TEST_SUITE_P(Under, RandomOperations, ::testing::ValuesIn(TierOptionSetNames()),
                         [](const auto& set) { return set.param; });

}  // namespace
}  // namespace testkit
}  // namespace leveldb
