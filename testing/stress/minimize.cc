// Passes, from coarse to fine, repeated until none helps:
//
//   1. leave out episodes, the last first
//   2. halve the operations, threads, keys, sessions
//   3. leave out names one at a time: kinds of operations, options, other events

#include "testing/stress/minimize.h"

#include <utility>

namespace leveldb {
namespace testkit {

namespace {

class Minimizer {
 public:
  Minimizer(Script script, const std::function<bool(const Script&)>& still_fails, int runs_max)
      : best_(std::move(script)), still_fails_(still_fails), runs_left_(runs_max) {}

  Script Run() {
    bool helped = true;
    while (helped && runs_left_ > 0) {
      helped = DropEpisodes();
      helped = HalveNumbers() || helped;
      helped = DropNames() || helped;
    }
    return best_;
  }

 private:
  // Keeps the script if it still fails.
  bool Try(Script script) {
    if (runs_left_ <= 0) {
      return false;
    }
    --runs_left_;
    const bool fails = still_fails_(script);
    if (fails) {
      best_ = std::move(script);
    }
    return fails;
  }

  bool DropEpisodes() {
    bool helped = false;
    for (size_t i = best_.episodes.size(); i-- > 0;) {
      Script script = best_;
      script.episodes.erase(script.episodes.begin() + static_cast<std::ptrdiff_t>(i));
      helped = Try(std::move(script)) || helped;
    }
    return helped;
  }

  static Numbers* NumbersAt(Script* script, size_t place) {
    return place == 0 ? &script->run : &script->episodes[place - 1].numbers;
  }

  bool HalveNumbers() {
    bool helped = false;
    for (size_t place = 0; place <= best_.episodes.size(); ++place) {
      for (const char* const name : {"ops", "threads", "keys", "sessions", "cuts", "value_max"}) {
        for (bool fails = true; fails;) {
          Script script = best_;
          Numbers* const numbers = NumbersAt(&script, place);
          const uint64_t value = numbers->Get(name, 0);
          numbers->Set(name, value / 2);
          fails = value > 1 && Try(std::move(script));
          helped = fails || helped;
        }
      }
    }
    return helped;
  }

  bool DropNames() {
    bool helped = false;
    for (size_t place = 0; place <= best_.episodes.size(); ++place) {
      for (const std::string& name : NumbersAt(&best_, place)->Names()) {
        if (name == "world" || name == "threads" || name == "keys" || name == "ops") {
          continue;
        }
        Script script = best_;
        NumbersAt(&script, place)->Remove(name);
        helped = Try(std::move(script)) || helped;
      }
    }
    return helped;
  }

  Script best_;
  const std::function<bool(const Script&)>& still_fails_;
  int runs_left_;
};

}  // namespace

Script Minimize(const Script& script, const std::function<bool(const Script&)>& still_fails,
                int runs_max) {
  return Minimizer(script, still_fails, runs_max).Run();
}

}  // namespace testkit
}  // namespace leveldb
