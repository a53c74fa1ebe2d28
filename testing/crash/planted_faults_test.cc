// Tests that the crash tests notice bugs. With a missing fence, with something published before it
// was fenced, and with salts that do not distinguish a log from its predecessor, their checks must
// fail for some of the wrecks.

#include <gtest/gtest.h>

#include <dlfcn.h>
#include <sys/types.h>

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "testing/crash/tier_ride.h"
#include "testing/dice.h"
#include "testing/seed.h"
#include "testing/status_checks.h"

namespace {

std::atomic<bool> dull{false};

}  // namespace

// Replaces the C library's function, which makes salts: when `dull` is set, all of them are the
// same.
extern "C" ssize_t getrandom(void* buffer, size_t size, unsigned int flags) {
  using GetRandom = ssize_t (*)(void*, size_t, unsigned int);
  static const GetRandom real = reinterpret_cast<GetRandom>(::dlsym(RTLD_NEXT, "getrandom"));
  if (dull) {
    std::memset(buffer, 0x5a, size);
    return static_cast<ssize_t>(size);
  }
  return real(buffer, size, flags);
}

namespace leveldb {
namespace testkit {
namespace {

RideOptions MakeOptions(Loss loss) {
  RideOptions options;
  options.loss = loss;
  options.options.write_buffer_size = 64 << 10;
  options.pmem.size = 8 << 20;
  options.pmem.assume_pmem = true;
  options.pmem.assume_pmem_anywhere = true;
  options.batches = 120;
  options.drains = false;  // how planted faults affect drains does not matter here
  return options;
}

// Returns whether an error is about the contents of the database, as TierRide and History report
// it. Other errors, such as that of a refused open, might have another cause.
bool IsAboutContents(const Status& status) {
  for (const char* const words : {"batches of", "a batch that cannot be there",
                                  "a batch is missing", "not what the batches"}) {
    if (Says(status, words)) return true;
  }
  return false;
}

// Returns whether an error is about a log in the pool, or a consequence of it. Records of an
// earlier use of an extent are mostly recognised by sequences and values that do not fit.
bool IsAboutALog(const Status& status) {
  return IsAboutContents(status) || (Says(status, "log #") && Says(status, "in pool"));
}

using IsTheFault = bool (*)(const Status& status);

// Returns whether a wreck of the rides is noticed in the required way. Sets *other to any other
// error.
bool IsNoticed(const RideOptions& options, const std::function<void(PmemSim*, Dice*)>& plant,
               Status* other, IsTheFault is_the_fault = IsAboutContents, int rounds = 60) {
  Dice dice(AnnouncedSeed());
  for (int round = 0; round < rounds; ++round) {
    TierRide ride(dice.Next(), options);
    ride.AfterFirstOpen([&](PmemSim* sim) { plant(sim, &dice); });
    ride.Run();
    for (const Wreck& wreck : *ride.wrecks()) {
      uint64_t count = 0;
      const Status status = ride.Recover(wreck, 0, &count);
      if (is_the_fault(status)) {
        return true;
      }
      if (!status.ok()) {
        *other = status;
      }
    }
  }
  return false;
}

void PlantNothing(PmemSim*, Dice*) {}

// Delays each fence, and if a single line is written next, as when the pool's root records a log,
// makes that line durable before it, as if the fence between the two were missing.
class EarlyPublisher : public Persist {
 public:
  explicit EarlyPublisher(std::unique_ptr<Persist> persist) : persist_(std::move(persist)) {}

  void Copy(void* to, const void* from, size_t n) override {
    if (put_off_ && n == kLine) {
      std::thread([&] {
        persist_->Copy(to, from, n);
        persist_->Fence();
      }).join();
    }
    CatchUp();
    persist_->Copy(to, from, n);
  }

  void Flush(const void* p, size_t n) override {
    CatchUp();
    persist_->Flush(p, n);
  }

  void Fence() override {
    CatchUp();
    put_off_ = true;
  }

  Status Sync() override {
    CatchUp();
    return persist_->Sync();
  }

  bool SurvivesPowerLoss() const override { return persist_->SurvivesPowerLoss(); }
  std::string Name() const override { return persist_->Name(); }
  PersistCounts counts() const override { return persist_->counts(); }

 private:
  static constexpr size_t kLine = 64;

  void CatchUp() {
    if (std::exchange(put_off_, false)) {
      persist_->Fence();
    }
  }

  static thread_local bool put_off_;
  const std::unique_ptr<Persist> persist_;
};

thread_local bool EarlyPublisher::put_off_ = false;

TEST(PlantedFaults, NothingIsNoticedWhereNoneIs) {
  RideOptions options = MakeOptions(Loss::kDropAll);
  options.cuts = 8;
  Status other;
  EXPECT_FALSE(IsNoticed(options, PlantNothing, &other, IsAboutALog, /*rounds=*/10));
  EXPECT_OK(other);
}

TEST(PlantedFaults, MissingFencesAreNoticed) {
  RideOptions options = MakeOptions(Loss::kDropAll);
  options.cuts = 100;
  options.changes_between_cuts = 4;
  const auto plant = [](PmemSim* sim, Dice* dice) { sim->SkipFences(dice->Between(1, 60), 10); };
  Status other;
  EXPECT_TRUE(IsNoticed(options, plant, &other)) << other.ToString();
}

TEST(PlantedFaults, EarlyPublishesAreNoticed) {
  RideOptions options = MakeOptions(Loss::kDropAll);
  // Acknowledged writes are never certain under this fault: only a prefix is required.
  options.pmem.wal_persist_bytes = 1 << 30;
  options.cuts = 100;
  options.changes_between_cuts = 4;
  options.wrap = [](std::unique_ptr<Persist> persist) {
    return std::make_unique<EarlyPublisher>(std::move(persist));
  };
  Status other;
  EXPECT_TRUE(IsNoticed(options, PlantNothing, &other)) << other.ToString();
}

TEST(PlantedFaults, StaleLogsAreNoticed) {
  dull = true;
  Status other;
  const bool is_noticed = IsNoticed(MakeOptions(Loss::kDropAll), PlantNothing, &other, IsAboutALog);
  dull = false;
  EXPECT_TRUE(is_noticed) << other.ToString();
}

}  // namespace
}  // namespace testkit
}  // namespace leveldb
