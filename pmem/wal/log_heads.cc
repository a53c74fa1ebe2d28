#include "pmem/wal/log_heads.h"

#include <algorithm>
#include <string>

#include "pmem/media/extent_header.h"
#include "pmem/media/extent_search.h"
#include "pmem/wal/wal_reader.h"

namespace leveldb {

namespace {

// Returns where a log ends; number 0 if its end is not known for sure.
WalPredecessor EndOf(const Pool& pool, const LogSlot& log) {
  WalReader reader(pool, log);
  if (!reader.Open().ok()) return {};
  Slice record;
  std::string scratch;
  while (reader.ReadRecord(&record, &scratch)) continue;
  if (!reader.sealed()) return {};
  return {log.number, log.salt, reader.sealed_sequence()};
}

struct Predecessor {
  LogSlot log;
  WalPredecessor end;  // where it must end
};

// Returns the log that `log` names as its predecessor, if it is among the heads.
std::optional<Predecessor> FindPredecessor(const Pool& pool, const std::vector<LogSlot>& heads,
                                           const LogSlot& log, uint64_t least_number) {
  WalReader reader(pool, log);
  if (!reader.Open().ok()) return std::nullopt;
  const WalPredecessor& before = reader.start().predecessor;
  for (const LogSlot& head : heads) {
    const bool is_it = head.number == before.number && head.salt == before.salt;
    if (is_it && head.number >= least_number && head.number < log.number) {
      return Predecessor{head, before};
    }
  }
  return std::nullopt;
}

// Adds the logs that lead to those that are named. Before the first named log, adds none from the
// first that is not whole on, and returns that one.
std::optional<LogSlot> AddPredecessors(const Pool& pool, const std::vector<LogSlot>& heads,
                                       uint64_t least_number, std::vector<LogSlot>* logs) {
  const uint64_t first_named = logs->empty() ? 0 : logs->front().number;
  std::optional<LogSlot> not_whole;
  for (size_t i = 0; i < logs->size(); i++) {
    const auto before = FindPredecessor(pool, heads, (*logs)[i], least_number);
    if (!before.has_value() || std::count(logs->begin(), logs->end(), before->log) > 0) continue;
    if (before->log.number < first_named && EndOf(pool, before->log) != before->end) {
      not_whole = before->log;
      continue;
    }
    logs->insert(logs->begin() + static_cast<ptrdiff_t>(i), before->log);
    i--;
  }
  return not_whole;
}

}  // namespace

std::vector<LogSlot> FindLogHeads(const Pool& pool) {
  std::vector<LogSlot> heads;
  for (const FoundExtent& found : FindFirstRuns(pool, ExtentKind::kLog)) {
    heads.push_back({found.header.object, found.pool_offset, found.header.salt});
  }
  return heads;
}

std::optional<LogSlot> FindSuccessor(const Pool& pool, const std::vector<LogSlot>& heads,
                                     const WalPredecessor& last, uint64_t least_number,
                                     const IsWholeRecord& is_whole) {
  std::optional<LogSlot> successor;
  for (const LogSlot& head : heads) {
    if (head.number < least_number || head.number <= last.number) continue;
    WalReader reader(pool, head);
    if (!reader.Open().ok() || reader.start().unordered) continue;
    const WalPredecessor& before = reader.start().predecessor;
    const bool follows = last.number == 0 ? before.number < least_number : before == last;
    Slice record;
    std::string scratch;
    const bool has_record = follows && reader.ReadRecord(&record, &scratch);
    if (!has_record || !is_whole(record, reader.start().first_sequence)) continue;
    successor = head;
    if (last.number == 0) break;
  }
  return successor;
}

std::vector<LogSlot> AddUnnamedLogs(const Pool& pool, uint64_t least_number,
                                    std::vector<LogSlot>* logs) {
  const std::vector<LogSlot> heads = FindLogHeads(pool);
  std::vector<LogSlot> left_over;
  std::optional<LogSlot> older = AddPredecessors(pool, heads, least_number, logs);
  while (older.has_value()) {
    left_over.push_back(*older);
    const auto before = FindPredecessor(pool, heads, *older, least_number);
    older = before.has_value() ? std::optional(before->log) : std::nullopt;
  }
  while (true) {
    const WalPredecessor last = logs->empty() ? WalPredecessor() : EndOf(pool, logs->back());
    if (last.number == 0 && !logs->empty()) break;
    const auto next =
        FindSuccessor(pool, heads, last, least_number, [](const Slice&, uint64_t) { return true; });
    if (!next.has_value()) break;
    logs->push_back(*next);
  }
  return left_over;
}

}  // namespace leveldb
