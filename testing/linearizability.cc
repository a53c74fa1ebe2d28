#include "testing/linearizability.h"

#include <algorithm>
#include <set>
#include <utility>

namespace leveldb {
namespace testkit {

namespace {

using State = std::vector<int>;

class Search {
 public:
  explicit Search(const std::vector<TimedCall>& history) : history_(history) {}

  // Returns whether the calls outside `ordered` can follow, when those in it have left `state`.
  bool CanFollow(uint64_t ordered, const State& state) {
    const uint64_t all =
        history_.size() == kCallsMax ? ~uint64_t{0} : (uint64_t{1} << history_.size()) - 1;
    if (ordered == all) return true;
    if (!tried_.insert({ordered, state}).second) return false;
    // A call that began after another had ended cannot come before that.
    uint64_t first_end = UINT64_MAX;
    for (size_t i = 0; i < history_.size(); ++i) {
      if ((ordered >> i & 1) == 0) first_end = std::min(first_end, history_[i].end);
    }
    for (size_t i = 0; i < history_.size(); ++i) {
      if ((ordered >> i & 1) != 0 || history_[i].begin > first_end) continue;
      State after = state;
      if (Apply(history_[i], &after) && CanFollow(ordered | uint64_t{1} << i, after)) return true;
    }
    return false;
  }

 private:
  // Returns false if the call cannot have read what it did.
  static bool Apply(const TimedCall& call, State* state) {
    for (const Cell& cell : call.cells) {
      int& held = (*state)[static_cast<size_t>(cell.key)];
      if (call.is_write) {
        held = cell.value;
      } else if (held != cell.value) {
        return false;
      }
    }
    return true;
  }

  const std::vector<TimedCall>& history_;
  std::set<std::pair<uint64_t, State>> tried_;
};

}  // namespace

bool IsLinearizable(const std::vector<TimedCall>& history, int keys) {
  return Search(history).CanFollow(0, State(static_cast<size_t>(keys), 0));
}

std::string HistoryText(const std::vector<TimedCall>& history) {
  std::vector<TimedCall> calls = history;
  std::sort(calls.begin(), calls.end(),
            [](const TimedCall& a, const TimedCall& b) { return a.begin < b.begin; });
  std::string text;
  for (const TimedCall& call : calls) {
    text += std::to_string(call.begin) + ".." + std::to_string(call.end);
    text += call.is_write ? " writes" : " sees";
    for (const Cell& cell : call.cells) {
      text += " " + std::to_string(cell.key) + "=" + std::to_string(cell.value);
    }
    text += "\n";
  }
  return text;
}

}  // namespace testkit
}  // namespace leveldb
