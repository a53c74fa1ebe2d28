// The steps of Compare:
//
//   1. Entries become states of keys: unknown keys and bytes that were never written are errors.
//   2. For each key, the numbers at which its thread's operations leave what was found; for each
//      thread, the numbers on which all of its keys agree. There must be one.
//   3. A batch that may be missing must be present as a whole if any part of it is.
//   4. If an operation is present, all operations of all threads that had returned before it began
//      must be present.

#include "testing/stress/comparison.h"

#include <algorithm>

namespace leveldb {
namespace testkit {

namespace {

std::string Shown(const KeyState& state) {
  if (state.size == kAbsent) {
    return "nothing";
  }
  return std::to_string(state.size) + " bytes of operation " + std::to_string(state.number);
}

std::string ShownKey(const ExpectedState& expected, uint32_t key) {
  return "key " + std::to_string(key) + " of thread " + std::to_string(expected.OwnerOf(key));
}

bool MayBeMissing(const KeyState& version, const ThreadBounds& bounds) {
  return version.failed || (bounds.has_holes && version.number > bounds.low);
}

// Lists what the key may hold after the operations up to some number between the bounds.
std::string ShownVersions(const ExpectedState& expected, uint32_t key, const ThreadBounds& bounds) {
  std::string text;
  for (const KeyState& version : expected.Versions(key, bounds.high)) {
    text += (text.empty() ? "" : ", or ") + Shown(version);
    if (version.size == kAbsent) {
      text += " (by " + std::to_string(version.number) + ")";
    }
    text += version.failed ? " (failed)" : "";
    if (!MayBeMissing(version, bounds) && version.number <= bounds.low) {
      break;
    }
  }
  return text;
}

// Finds the numbers on which all keys of a thread agree: the least and the greatest.
class Agreement {
 public:
  Agreement(uint64_t low, uint64_t high) : low_(low), steps_(high - low + 2, 0) {}

  void Add(std::vector<Interval> intervals) {
    // A number counts once for each key, also if two versions explain what was found.
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.first < b.first; });
    uint64_t next = low_;
    for (const Interval& interval : intervals) {
      const uint64_t first = std::max(interval.first, next);
      if (first <= interval.last) {
        ++steps_[first - low_];
        --steps_[interval.last + 1 - low_];
        next = interval.last + 1;
      }
    }
    ++keys_;
  }

  // Returns false if there is none; *common is then the number on which most keys agree.
  bool Find(Interval* common) const {
    int64_t agreeing = 0;
    int64_t most = -1;
    bool found = false;
    for (size_t i = 0; i + 1 < steps_.size(); ++i) {
      agreeing += steps_[i];
      if (agreeing == keys_) {
        common->first = found ? common->first : low_ + i;
        common->last = low_ + i;
        found = true;
      } else if (!found && agreeing > most) {
        most = agreeing;
        *common = Interval{low_ + i, low_ + i};
      }
    }
    return found;
  }

 private:
  const uint64_t low_;
  std::vector<int64_t> steps_;
  int64_t keys_ = 0;
};

std::string ReadStates(const ExpectedState& expected, const KeySpace& keys,
                       const Contents& contents, std::vector<KeyState>* found) {
  found->assign(expected.keys(), KeyState());
  for (const auto& entry : contents) {
    uint32_t key = 0;
    if (!keys.Find(entry.first, &key)) {
      return "a key that nobody wrote: " + entry.first;
    }
    if ((*found)[key].size != kAbsent) {
      return ShownKey(expected, key) + " is there twice";
    }
    if (!ReadState(key, entry.second, &(*found)[key])) {
      return ShownKey(expected, key) + " holds " + std::to_string(entry.second.size()) +
             " bytes that no operation has written";
    }
  }
  return "";
}

// Sets in *state the deletion that explains why the key is absent.
void ExplainAbsence(const ExpectedState& expected, uint32_t key, uint64_t number, KeyState* state) {
  for (const KeyState& version : expected.Versions(key, number)) {
    if (version.size == kAbsent) {
      state->number = version.number;
      return;
    }
  }
}

std::string CompareThread(const ExpectedState& expected, uint32_t thread,
                          const ThreadBounds& bounds, std::vector<KeyState>* found,
                          Interval* common) {
  Agreement agreement(bounds.low, bounds.high);
  const uint32_t first = thread * expected.keys_per_thread();
  const uint32_t end = first + expected.keys_per_thread();
  for (uint32_t key = first; key < end; ++key) {
    agreement.Add(WhenItHolds(expected, key, (*found)[key], bounds));
  }
  const bool agreed = agreement.Find(common);
  std::string why;
  int shown = 0;
  for (uint32_t key = first; key < end; ++key) {
    if (!agreed && shown < 3) {
      const ThreadBounds there = {common->last, common->last};
      const std::string wrong = CompareKey(expected, key, (*found)[key], there);
      why += wrong.empty() ? "" : "; " + wrong;
      shown += wrong.empty() ? 0 : 1;
    }
    if (agreed && (*found)[key].size == kAbsent) {
      ExplainAbsence(expected, key, common->last, &(*found)[key]);
    }
  }
  if (agreed) {
    return "";
  }
  return "no number of operations of thread " + std::to_string(thread) + " from " +
         std::to_string(bounds.low) + " to " + std::to_string(bounds.high) +
         (bounds.has_holes ? ", with holes," : "") + " leaves what is there; at " +
         std::to_string(common->last) + why;
}

// Checks that a batch that may be missing is present as a whole or not at all.
std::string CompareBatches(const ExpectedState& expected, uint32_t thread,
                           const ThreadBounds& bounds, uint64_t until,
                           const std::vector<KeyState>& found) {
  for (uint64_t number = expected.BaseOf(thread) + 1; number <= until; ++number) {
    if (!MayBeMissing(KeyState{number, 0, expected.HasFailed(thread, number)}, bounds)) {
      continue;
    }
    const std::vector<KeyChange> changes = expected.ChangesOf(thread, number);
    const bool is_there = std::any_of(changes.begin(), changes.end(), [&](const KeyChange& c) {
      return c.size != kAbsent && found[c.key].number == number && found[c.key].size == c.size;
    });
    for (const KeyChange& change : changes) {
      const KeyState& state = found[change.key];
      const bool both_absent = state.size == kAbsent && change.size == kAbsent;
      if (is_there && state.number < number && !both_absent) {
        return "of batch " + std::to_string(number) + " only a part is there: not what it did to " +
               ShownKey(expected, change.key) + ", which holds " + Shown(state);
      }
    }
  }
  return "";
}

std::string CompareOrder(const ExpectedState& expected, const std::vector<Interval>& common) {
  for (uint32_t thread = 0; thread < expected.threads(); ++thread) {
    const uint64_t number = common[thread].first;
    if (number <= expected.BaseOf(thread) || expected.HasFailed(thread, number)) {
      continue;
    }
    const Moment before = expected.Before(thread, number);
    for (uint32_t other = 0; other < expected.threads(); ++other) {
      if (before[other] > common[other].last) {
        return "operation " + std::to_string(number) + " of thread " + std::to_string(thread) +
               " is there, but of thread " + std::to_string(other) + " only what was done up to " +
               std::to_string(common[other].last) + ", though " + std::to_string(before[other]) +
               " had returned before";
      }
    }
  }
  return "";
}

}  // namespace

bool ReadState(uint32_t key, const Slice& value, KeyState* state) {
  state->size = static_cast<uint32_t>(value.size());
  return ReadValue(key, value, &state->number);
}

std::vector<Interval> WhenItHolds(const ExpectedState& expected, uint32_t key,
                                  const KeyState& found, const ThreadBounds& bounds) {
  std::vector<Interval> intervals;
  uint64_t end = bounds.high + 1;  // from here on a newer version is certain
  for (const KeyState& version : expected.Versions(key, bounds.high)) {
    const bool same =
        version.size == found.size && (found.size == kAbsent || version.number == found.number);
    const uint64_t first = std::max(bounds.low, version.number);
    if (same && first < end) {
      intervals.push_back(Interval{first, end - 1});
    }
    if (!MayBeMissing(version, bounds)) {
      end = version.number;
      if (version.number <= bounds.low) {
        break;
      }
    }
  }
  return intervals;
}

std::string CompareKey(const ExpectedState& expected, uint32_t key, const KeyState& found,
                       const ThreadBounds& bounds) {
  if (!WhenItHolds(expected, key, found, bounds).empty()) {
    return "";
  }
  return ShownKey(expected, key) + " holds " + Shown(found) + ", not " +
         ShownVersions(expected, key, bounds);
}

std::string Compare(const ExpectedState& expected, const KeySpace& keys, const Contents& contents,
                    const Bounds& bounds, std::vector<KeyState>* found) {
  std::vector<KeyState> states;
  std::string wrong = ReadStates(expected, keys, contents, &states);
  std::vector<Interval> common(expected.threads());
  for (uint32_t thread = 0; thread < expected.threads() && wrong.empty(); ++thread) {
    const ThreadBounds own = {bounds.low[thread], bounds.high[thread], bounds.has_holes};
    wrong = CompareThread(expected, thread, own, &states, &common[thread]);
    if (wrong.empty()) {
      wrong = CompareBatches(expected, thread, own, common[thread].last, states);
    }
  }
  if (wrong.empty() && !bounds.has_holes) {
    wrong = CompareOrder(expected, common);
  }
  if (found != nullptr) {
    *found = std::move(states);
  }
  return wrong;
}

}  // namespace testkit
}  // namespace leveldb
