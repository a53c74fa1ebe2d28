#include "iterator/read_ahead.h"

#include <algorithm>
#include <bit>
#include <chrono>

namespace leveldb {

namespace {

// Returns the new estimate of the time of a step, from the old estimate and a measurement. One
// stretch says little: other threads and other machines on the same memory make one stretch take
// twice as long as the next. A slower measurement has less weight than a faster one, since it more
// often has another cause, and counts as at most twice the estimate. After a faster measurement the
// estimate is at most twice the measurement, so that a cold start is soon forgotten.
float Learn(float known, float measured) {
  constexpr float kTwice = 2;
  constexpr float kWeightOfSlower = 0.25F;
  if (known == 0) return measured;
  if (measured < known) return std::min((known + measured) / 2, kTwice * measured);
  return known + kWeightOfSlower * (std::min(measured, kTwice * known) - known);
}

// Returns whether the mode that seems slower is tried. More often at the beginning, since the first
// stretches find caches and pages cold.
bool IsTrial(uint32_t stretch) {
  return stretch < ReadAhead::kTrialEvery ? std::has_single_bit(stretch)
                                          : stretch % ReadAhead::kTrialEvery == 0;
}

}  // namespace

ReadAheadHabit::State ReadAheadHabit::Load() const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  State state;
  for (size_t way = 0; way < 2; way++) state.step_nanos[way] = step_nanos_[way].load(kRelaxed);
  state.stretches = stretches_.load(kRelaxed);
  state.wanted = wanted_.load(kRelaxed);
  state.asked = asked_.load(kRelaxed);
  state.steps = steps_.load(kRelaxed);
  state.timed_steps = timed_steps_.load(kRelaxed);
  state.nanos = nanos_.load(kRelaxed);
  return state;
}

void ReadAheadHabit::Store(const State& state) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  for (size_t way = 0; way < 2; way++) step_nanos_[way].store(state.step_nanos[way], kRelaxed);
  stretches_.store(state.stretches, kRelaxed);
  wanted_.store(state.wanted, kRelaxed);
  asked_.store(state.asked, kRelaxed);
  steps_.store(state.steps, kRelaxed);
  timed_steps_.store(state.timed_steps, kRelaxed);
  nanos_.store(state.nanos, kRelaxed);
}

uint64_t ReadAhead::SteadyNanos() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<uint64_t>(std::chrono::nanoseconds(now).count());
}

ReadAhead::ReadAhead(ReadAheadHabit* habit, Clock clock)
    : habit_(habit), clock_(clock), state_(habit->Load()) {}

ReadAhead::~ReadAhead() {
  StopTiming();
  habit_->Store(state_);
}

void ReadAhead::AddTime() {
  state_.nanos += static_cast<float>(clock_() - began_);
  state_.timed_steps = static_cast<uint16_t>(state_.timed_steps + state_.steps - first_timed_);
  began_ = 0;
}

void ReadAhead::Decide() {
  StopTiming();
  const bool was_wanted = state_.wanted;
  if (!state_.asked) {
    state_.wanted = false;
  } else if (state_.timed_steps > 0) {
    float& known = state_.step_nanos[was_wanted];
    known = Learn(known, std::max(1.0F, state_.nanos / state_.timed_steps));
    const auto& [plain, ahead] = state_.step_nanos;
    const bool is_trial = IsTrial(++state_.stretches);
    if (plain == 0 || ahead == 0) {
      state_.wanted = !was_wanted;
    } else {
      state_.wanted = (ahead < plain) != is_trial;
    }
  }
  state_.asked = false;
  state_.steps = 0;
  state_.timed_steps = 0;
  state_.nanos = 0;
}

}  // namespace leveldb
