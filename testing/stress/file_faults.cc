#include "testing/stress/file_faults.h"

namespace leveldb {
namespace testkit {

FileFaults::FileFaults(Env* target, const Episode& episode, Figures* figures)
    : env_(target),
      is_full_(episode.kind == Kind::kFull),
      any_(is_full_ || episode.kind == Kind::kEio ||
           (episode.kind == Kind::kPower && episode.numbers.Has("call"))),
      fault_(FaultOf(episode)),
      figures_(figures) {}

Fault FileFaults::FaultOf(const Episode& episode) const {
  const Numbers& numbers = episode.numbers;
  Fault fault;
  fault.call = static_cast<Call>(numbers.Get("call", 0) % kCallKinds);
  fault.at = numbers.Get("at", 1);
  fault.lasting = numbers.Get("lasting", 0) != 0;
  fault.half_written = numbers.Get("half", 0) != 0;
  if (is_full_) fault.text = "No space left on device";
  return fault;
}

void FileFaults::Arm() {
  if (any_) env_.Inject(fault_);
}

void FileFaults::Heal() {
  const uint64_t failures = env_.failures();
  if (is_full_) {
    figures_->Add(Figure::kFullDisk, failures);
  } else if (failures > 0) {
    figures_->AddFault(fault_.call, failures);
  }
  env_.Heal();
}

}  // namespace testkit
}  // namespace leveldb
