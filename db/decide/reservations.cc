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

}  // namespace

uint64_t Reservations::Reserve(const CompactionPlan& plan) {
  SetBusy(plan.inputs[0], true);
  SetBusy(plan.inputs[1], true);
  return Add({plan.level, plan.output_level, plan.smallest_user_key, plan.largest_user_key,
              plan.inputs[0], plan.inputs[1]});
}

uint64_t Reservations::ReserveOutput(int level, const Slice& smallest, const Slice& largest) {
  return Add({kMemtable, level, smallest.ToString(), largest.ToString(), {}, {}});
}

uint64_t Reservations::Add(Job job) {
  assert(job.output_level == 0 || !OutputOverlaps(job.output_level, job.smallest, job.largest));
  const uint64_t ticket = next_ticket_++;
  jobs_.emplace(ticket, std::move(job));
  return ticket;
}

void Reservations::Release(uint64_t ticket) {
  const auto job = jobs_.find(ticket);
  assert(job != jobs_.end());
  SetBusy(job->second.leaving, false);
  SetBusy(job->second.overwritten, false);
  jobs_.erase(job);
}

bool Reservations::OutputOverlaps(int level, const Slice& smallest, const Slice& largest) const {
  for (const auto& [ticket, job] : jobs_) {
    if (job.output_level != level) continue;
    const bool before = user_comparator_->Compare(job.largest, smallest) < 0;
    const bool after = user_comparator_->Compare(job.smallest, largest) > 0;
    if (!before && !after) return true;
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

}  // namespace leveldb
