#include "testing/stress/kill_point.h"

#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <utility>

namespace leveldb {
namespace testkit {

namespace {

class CountingPersist final : public Persist {
 public:
  CountingPersist(std::unique_ptr<Persist> target, KillPoint* point)
      : target_(std::move(target)), point_(point) {}

  void Copy(void* to, const void* from, size_t n) override {
    point_->Count(KillBy::kPersist);
    target_->Copy(to, from, n);
  }

  void Flush(const void* p, size_t n) override {
    point_->Count(KillBy::kPersist);
    target_->Flush(p, n);
  }

  void Fence() override {
    point_->Count(KillBy::kPersist);
    target_->Fence();
  }

  Status Sync() override {
    point_->Count(KillBy::kPersist);
    return target_->Sync();
  }

  bool SurvivesPowerLoss() const override { return target_->SurvivesPowerLoss(); }
  std::string Name() const override { return target_->Name(); }
  PersistCounts counts() const override { return target_->counts(); }

 private:
  const std::unique_ptr<Persist> target_;
  KillPoint* const point_;
};

}  // namespace

void KillPoint::Arm(KillBy by, uint64_t at) {
  if (by == KillBy::kTime) {
    std::thread([this, at] {
      std::this_thread::sleep_for(std::chrono::microseconds(at));
      Kill();
    }).detach();
    return;
  }
  by_ = by;
  left_ = at;
  armed_ = true;
}

void KillPoint::Kill() {
  const std::unique_lock<std::mutex> lock = Hold();
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

PersistFactory KillPoint::Factory() {
  return [this](const PersistTarget& target) {
    return std::make_unique<CountingPersist>(NewPersist(target), this);
  };
}

}  // namespace testkit
}  // namespace leveldb
