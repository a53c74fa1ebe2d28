#include "pmem/media/pool_medium.h"

#include <gtest/gtest.h>

#include "pmem/media/pool_files.h"
#include "testing/temp_dir.h"

namespace leveldb {

namespace {

using testkit::Medium;

MediumFacts Facts(bool is_device, bool all_parts_map_sync, bool assume_pmem) {
  MediumFacts facts;
  facts.is_device = is_device;
  facts.all_parts_map_sync = all_parts_map_sync;
  facts.assume_pmem = assume_pmem;
  facts.best_flush = FlushMethod::kClwb;
  return facts;
}

}  // namespace

TEST(PoolMedium, OnlyDevicesAndMapSyncArePersistentMemory) {
  for (const bool assume : {false, true}) {
    EXPECT_EQ(MediumKind::kPersistentMemory, DecideMedium(Facts(true, false, assume)).kind);
    EXPECT_EQ(MediumKind::kPersistentMemory, DecideMedium(Facts(false, true, assume)).kind);
  }
  EXPECT_EQ(MediumKind::kPageCache, DecideMedium(Facts(false, false, false)).kind);
  EXPECT_EQ(MediumKind::kEmulated, DecideMedium(Facts(false, false, true)).kind);
}

// Treating a file in the page cache as persistent memory would lose writes on a power failure.
TEST(PoolMedium, AFileInThePageCacheIsNotPersistentMemory) {
  const testkit::TempDir dir(Medium::kDisk);
  if (CanMapSync(dir.path())) GTEST_SKIP() << "this is persistent memory";
  testkit::WriteFile(dir / "pool", std::string(8192, 'x'));
  EXPECT_FALSE(CanMapSync(dir / "pool"));
  const PoolFiles files(dir / "pool", PoolKind::kFile);
  DeviceInfo device;
  device.dax = true;  // whatever the mount says
  device.persistence_domain = PersistenceDomain::kCpuCache;
  const PoolMedium medium = MediumOf(files, device, false);
  EXPECT_EQ(MediumKind::kPageCache, medium.kind);
  EXPECT_EQ("msync", medium.Name());
  EXPECT_EQ("synced like a file (msync)", medium.Text());
}

TEST(PoolMedium, ATmpfsIsEmulatedWhereThatIsAskedFor) {
  const testkit::TempDir dir(Medium::kMemory);
  if (!testkit::IsInMemory(dir.path())) GTEST_SKIP() << "there is no tmpfs";
  const PoolFiles files(dir / "pool.set", PoolKind::kDirectory);
  EXPECT_EQ("msync", MediumOf(files, DeviceInfo(), false).Name());
  EXPECT_EQ("emulated", MediumOf(files, DeviceInfo(), true).Name());
  EXPECT_EQ(0u, MediumOf(files, DeviceInfo(), true).Text().find("emulated"));
}

TEST(PoolMedium, TheRegionDecidesWhatIsWrittenBack) {
  MediumFacts facts = Facts(true, false, false);
  EXPECT_EQ(FlushMethod::kClwb, DecideMedium(facts).flush);
  EXPECT_NE(std::string::npos, DecideMedium(facts).Text().find("does not say"));
  facts.domain = PersistenceDomain::kMemoryController;
  EXPECT_EQ(FlushMethod::kClwb, DecideMedium(facts).flush);
  EXPECT_EQ("clwb", DecideMedium(facts).Name());
  EXPECT_EQ("persistent memory, written back by clwb", DecideMedium(facts).Text());
  facts.domain = PersistenceDomain::kNone;
  EXPECT_EQ(MediumKind::kEmulated, DecideMedium(facts).kind);
  EXPECT_NE(std::string::npos, DecideMedium(facts).Text().find("nothing survives"));
  facts.domain = PersistenceDomain::kCpuCache;
  EXPECT_EQ(FlushMethod::kNone, DecideMedium(facts).flush);
  EXPECT_EQ("eadr", DecideMedium(facts).Name());
  // An emulated medium uses the processor's flush method.
  facts = Facts(false, false, true);
  facts.domain = PersistenceDomain::kCpuCache;
  EXPECT_EQ(FlushMethod::kClwb, DecideMedium(facts).flush);
}

TEST(PoolMedium, NothingIsPromisedWithoutAWayToWriteBack) {
  MediumFacts facts = Facts(true, false, false);
  EXPECT_TRUE(CheckMedium(DecideMedium(facts), "/dev/dax0.0").ok());
  facts.best_flush = FlushMethod::kNone;
  const Status refused = CheckMedium(DecideMedium(facts), "/dev/dax0.0");
  EXPECT_TRUE(refused.IsNotSupportedError());
  EXPECT_NE(std::string::npos, refused.ToString().find("/dev/dax0.0"));
  facts.domain = PersistenceDomain::kCpuCache;
  EXPECT_TRUE(CheckMedium(DecideMedium(facts), "/dev/dax0.0").ok());
  facts = Facts(false, false, true);
  facts.best_flush = FlushMethod::kNone;
  EXPECT_TRUE(CheckMedium(DecideMedium(facts), "pool").ok());
}

// DAX devices may also be volatile memory.
TEST(PoolMedium, ADeviceHasToKeepItsContents) {
  const PoolFiles files("/dev/dax977.0", PoolKind::kDevice);
  DeviceInfo device;
  device.dax = true;
  EXPECT_NE(MediumKind::kPersistentMemory, MediumOf(files, device, false).kind);
  EXPECT_EQ(MediumKind::kEmulated, MediumOf(files, device, true).kind);
  device.keeps_contents = true;
  EXPECT_EQ(MediumKind::kPersistentMemory, MediumOf(files, device, false).kind);
}

// The directory itself counts, not its parent.
TEST(PoolMedium, ADirectoryIsTriedItself) {
  const testkit::TempDir dir(Medium::kMemory);
  if (!testkit::IsInMemory(dir.path())) GTEST_SKIP() << "there is no tmpfs";
  DeviceInfo device;
  device.dax = true;
  const PoolFiles missing(dir / "missing", PoolKind::kDirectory);
  EXPECT_EQ("msync", MediumOf(PoolFiles(dir.path(), PoolKind::kDetect), device, false).Name());
  // If a directory cannot be tried, the mount options decide.
  EXPECT_EQ(MediumKind::kPersistentMemory, MediumOf(missing, device, false).kind);
}

}  // namespace leveldb
