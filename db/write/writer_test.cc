#include "db/write/writer.h"

#include <atomic>
#include <cstdint>
#include <thread>

#include "gtest/gtest.h"
#include "port/cpu.h"
#include "testing/dice.h"
#include "testing/seed.h"

namespace leveldb {
namespace {

// Hands `rounds` writers over, one after the other, each after at most `most_delay` relaxations, so
// that some are spinning, some asleep and some about to fall asleep.
void HandOver(int rounds, uint64_t seed, uint64_t most_delay) {
  std::atomic<Writer*> waiting{nullptr};
  std::thread leader([&] {
    testkit::Dice dice(seed);
    for (int i = 0; i < rounds; i++) {
      Writer* writer;
      while ((writer = waiting.exchange(nullptr)) == nullptr) std::this_thread::yield();
      for (uint64_t left = dice.Below(most_delay); left > 0; left--) CpuRelax();
      writer->Set(i % 2 == 0 ? Writer::kLeading : Writer::kDone);
    }
  });
  for (int i = 0; i < rounds; i++) {
    Writer writer{.kind = Writer::kSwitch};
    waiting.store(&writer);
    ASSERT_EQ(i % 2 == 0 ? Writer::kLeading : Writer::kDone, writer.Await());
  }
  leader.join();
}

// A lost wakeup shows as a test that does not end.
TEST(WriterTest, IsWokenWheneverItIsServed) {
  const uint64_t seed = testkit::AnnouncedSeed();
  for (const uint64_t most_delay : {1, 400, 4000}) {
    HandOver(testkit::Scaled(8000), seed, most_delay);
  }
}

TEST(WriterTest, DoesNotWaitForWhatHasHappened) {
  Writer writer{.kind = Writer::kSwitch};
  writer.Set(Writer::kDone);
  EXPECT_EQ(Writer::kDone, writer.Await());
}

}  // namespace
}  // namespace leveldb
