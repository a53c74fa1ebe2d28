#include "benchmarks/device_account.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "gtest/gtest.h"

namespace leveldb::bench {

TEST(DeviceAccount, ReadsOfEitherVersionAreAddedOverDevices) {
  EXPECT_EQ(DeviceReadsIn("8:0 rbytes=4096 wbytes=0 rios=7 wios=1 dbytes=0 dios=0\n"
                          "254:0 rbytes=4096 wbytes=0 rios=5 wios=0 dbytes=0 dios=0\n"),
            12U);
  EXPECT_EQ(DeviceReadsIn("254:0 Read 7\n254:0 Write 100\n254:0 Sync 3\n254:0 Total 107\n"
                          "8:0 Read 2\n8:0 Write 0\n8:0 Total 2\nTotal 109\n"),
            9U);
}

TEST(DeviceAccount, AGroupThatHasReadNothingHasNoLines) {
  EXPECT_EQ(DeviceReadsIn(""), 0U);
  EXPECT_EQ(DeviceReadsIn("Total 0\n"), 0U);
}

TEST(DeviceAccount, AnythingElseIsNoAccount) {
  EXPECT_EQ(DeviceReadsIn("hello world\n"), std::nullopt);
  EXPECT_EQ(DeviceReadsIn("254:0 rios=many\n"), std::nullopt);
}

TEST(DeviceAccount, WithoutAFileTheNumberOfReadsIsNotKnown) {
  EXPECT_EQ(LookAtDevices("").reads, std::nullopt);
  EXPECT_EQ(LookAtDevices("/no/such/account").reads, std::nullopt);
}

TEST(DeviceAccount, ReadsAreTakenFromTheFile) {
  const std::string path = ::testing::TempDir() + "device_account_test." +
                           std::to_string(getpid());
  std::ofstream(path) << "8:0 rbytes=4096 wbytes=0 rios=7 wios=1\n";
  EXPECT_EQ(LookAtDevices(path).reads, 7U);
  std::remove(path.c_str());
}

TEST(DeviceAccount, DifferencesAreKnownIfBothLooksAre) {
  const DeviceUse none;
  const DeviceUse before{100, 2};
  const DeviceUse after{150, 5};
  EXPECT_EQ((after - before).bytes, 50U);
  EXPECT_EQ((after - before).reads, 3U);
  EXPECT_EQ((after - none).bytes, std::nullopt);
  EXPECT_EQ((none - before).reads, std::nullopt);
}

}  // namespace leveldb::bench
