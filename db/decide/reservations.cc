#include "db/decide/reservations.h"

#include <cassert>
#include <utility>

namespace leveldb {

namespace {

void SetBusy(const std::vector<FileMetaPtr>& files, bool busy) {
  for (const FileMetaPtr& file : files) {
    assert(file->being_compacted != busy);
    file->being_compacted = busy;
  }
}

void AppendNumbers(const TreeList& trees, std::vector<uint64_t>* numbers) {
  for (const TreePtr& tree : trees) numbers->push_back(tree->number());
}

}  // namespace

uint64_t Reservations::Reserve(const CompactionPlan& plan) {
  Job job;
  job.level = plan.level;
  job.output_level = plan.output_level;
  job.smallest = plan.smallest_user_key;
  job.largest = plan.largest_user_key;
  job.leaving = plan.inputs[0];
  job.overwritten = plan.inputs[1];
  return Add(std::move(job));
}

uint64_t Reservations::Reserve(const MergePlan& plan) {
  Job job;
  job.smallest = plan.smallest_user_key;
  job.largest = plan.largest_user_key;
  job.merge_level = plan.level;
  job.tree_output_level = plan.output_level;
  AppendNumbers(plan.inputs[0], &job.trees_leaving);
  AppendNumbers(plan.inputs[1], &job.trees_overwritten);
  return Add(std::move(job));
}

uint64_t Reservations::Reserve(const SpillPlan& plan) {
  Job job;
  if (!plan.level0.empty()) job.level = 0;
  job.output_level = plan.output_level;
  job.smallest = plan.smallest_user_key;
  job.largest = plan.largest_user_key;
  job.leaving = plan.level0;
  job.overwritten = plan.overlapped;
  for (const TreeList& trees : plan.trees) AppendNumbers(trees, &job.trees_leaving);
  return Add(std::move(job));
}

uint64_t Reservations::ReserveRewrite(int level, const TreePtr& tree) {
  Job job;
  job.smallest = tree->smallest_user_key().ToString();
  job.largest = tree->largest_user_key().ToString();
  job.tree_output_level = level;
  job.trees_overwritten.push_back(tree->number());
  return Add(std::move(job));
}

uint64_t Reservations::ReserveOutput(int level, const Slice& smallest, const Slice& largest) {
  Job job;
  job.output_level = level;
  job.smallest = smallest.ToString();
  job.largest = largest.ToString();
  return Add(std::move(job));
}

uint64_t Reservations::Add(Job job) {
  assert(job.output_level <= 0 || !OutputOverlaps(job.output_level, job.smallest, job.largest));
  assert(job.tree_output_level == kNoLevel ||
         !TreesOverlap(job.tree_output_level, job.smallest, job.largest));
  SetBusy(job.leaving, true);
  SetBusy(job.overwritten, true);
  for (const uint64_t tree : job.trees_leaving) {
    const bool is_new = busy_trees_.emplace(tree, true).second;
    assert(is_new);
    static_cast<void>(is_new);
  }
  for (const uint64_t tree : job.trees_overwritten) {
    const bool is_new = busy_trees_.emplace(tree, false).second;
    assert(is_new);
    static_cast<void>(is_new);
  }
  const uint64_t ticket = next_ticket_++;
  jobs_.emplace(ticket, std::move(job));
  return ticket;
}

void Reservations::Release(uint64_t ticket) {
  const auto job = jobs_.find(ticket);
  assert(job != jobs_.end());
  SetBusy(job->second.leaving, false);
  SetBusy(job->second.overwritten, false);
  for (const uint64_t tree : job->second.trees_leaving) busy_trees_.erase(tree);
  for (const uint64_t tree : job->second.trees_overwritten) busy_trees_.erase(tree);
  jobs_.erase(job);
}

bool Reservations::Overlaps(const Job& job, const Slice& smallest, const Slice& largest) const {
  const bool before = user_comparator_->Compare(job.largest, smallest) < 0;
  const bool after = user_comparator_->Compare(job.smallest, largest) > 0;
  return !before && !after;
}

bool Reservations::OutputOverlaps(int level, const Slice& smallest, const Slice& largest) const {
  for (const auto& [ticket, job] : jobs_) {
    if (job.output_level == level && Overlaps(job, smallest, largest)) return true;
  }
  return false;
}

int Reservations::FilesLeaving(int level) const {
  size_t files = 0;
  for (const auto& [ticket, job] : jobs_) {
    if (job.level == level) files += job.leaving.size();
  }
  return static_cast<int>(files);
}

uint64_t Reservations::BytesLeaving(int level) const {
  uint64_t bytes = 0;
  for (const auto& [ticket, job] : jobs_) {
    if (job.level == level) bytes += TotalBytes(job.leaving);
  }
  return bytes;
}

bool Reservations::CompactsFrom(int level) const {
  for (const auto& [ticket, job] : jobs_) {
    if (job.level == level) return true;
  }
  return false;
}

bool Reservations::TreeIsBusy(uint64_t number) const {
  return busy_trees_.count(number) > 0;
}

bool Reservations::IsLeaving(uint64_t number) const {
  const auto found = busy_trees_.find(number);
  return found != busy_trees_.end() && found->second;
}

bool Reservations::TreesOverlap(int level, const Slice& smallest, const Slice& largest) const {
  for (const auto& [ticket, job] : jobs_) {
    if (job.tree_output_level == level && Overlaps(job, smallest, largest)) return true;
  }
  return false;
}

bool Reservations::MergesFrom(int level) const {
  for (const auto& [ticket, job] : jobs_) {
    if (job.merge_level == level) return true;
  }
  return false;
}

}  // namespace leveldb
