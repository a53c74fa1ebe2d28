// A step of value-log GC: walk one tree -> copy the values that lie in victims -> bulk-load the
// tree with the new references -> one manifest edit replaces the old tree by it -> publish. A
// victim is free when no tree refers to it any more, and no view holds a tree that did.
#include "db/jobs/gc_job.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "db/jobs/input_walk.h"
#include "db/jobs/tree_input.h"
#include "entry/value_ref.h"
#include "pmem/value/value_reader.h"
#include "util/text.h"

namespace leveldb {

namespace {

// Passes entries to the new tree, and moves their values if these lie in victims.
class MovingOutput {
 public:
  static constexpr bool kChecksOrder = TreeOutput::kChecksOrder;

  MovingOutput(ValueLogGc* gc, TreeOutput* output) : gc_(gc), output_(output) {}

  Status Add(const Slice& key, const Slice& value) {
    ParsedKey parsed;
    if (!ParseInternalKey(key, &parsed) || parsed.type != kTypeValueRef) {
      return output_->Add(key, value);
    }
    const Status status = gc_->Move(value, &moved_);
    return status.ok() ? output_->Add(key, moved_) : status;
  }
  Slice last_key() const { return output_->last_key(); }
  Status status() const { return output_->status(); }

 private:
  ValueLogGc* const gc_;
  TreeOutput* const output_;
  std::string moved_;
};

}  // namespace

ValueLogGc::ValueLogGc(PmemTier* tier, uint64_t number, GcVictims victims)
    : tier_(tier),
      victims_(std::move(victims)),
      writer_(tier->pool(), tier->extents()),
      held_(std::make_unique<HeldExtents>(tier->extents())) {
  writer_.SetObject(number);
}

bool ValueLogGc::IsInVictim(const ValuePiece& piece) const {
  const uint64_t extent_size = tier_->pool()->extent_size();
  return victims_.Contains(piece.pool_offset / extent_size * extent_size);
}

Status ValueLogGc::Move(const Slice& encoded, std::string* moved) {
  ValueRef reference;
  if (!DecodeValueRef(encoded, &reference)) {
    return Status::Corruption("a reference that leads nowhere", Escaped(encoded));
  }
  moved->assign(encoded.data(), encoded.size());
  pieces_.clear();
  Status status = ListValuePieces(*tier_->pool(), reference, &pieces_);
  if (!status.ok()) return status;
  const bool stays = std::none_of(pieces_.begin(), pieces_.end(),
                                  [this](const ValuePiece& piece) { return IsInVictim(piece); });
  if (stays) return status;

  Slice value;
  status = ReadValueInPlace(*tier_->pool(), reference, /*verify_checksum=*/true, &value, &scratch_);
  if (!status.ok()) return status;
  opened_.clear();
  status = writer_.Append(value, &reference, &opened_);
  for (const PoolOffset extent : opened_) held_->Adopt(extent);
  extents_opened_ += opened_.size();
  if (status.ok()) EncodeValueRef(reference, moved->data());
  return status;
}

void ValueLogGc::EndStep(bool is_done) {
  if (is_done) extents_filled_ += extents_opened_;
  extents_opened_ = 0;
  auto still_held = std::make_unique<HeldExtents>(tier_->extents());
  if (writer_.current() != kNoPoolOffset) still_held->Share(writer_.current());
  held_ = std::move(still_held);
}

GcVictims LookForGarbage(const JobContext& context, uint64_t free_bytes) {
  DbState* const state = context.state;
  PmemTier* const tier = state->tier();
  TreeGroupPtr group;
  {
    MutexLock lock(&state->mutex);
    group = state->versions->current()->group();
  }
  GcOptions options;
  options.gc_ratio = GcThreshold(tier->options().gc_ratio,
                                 tier->options().FilledBeyondSpillStart(tier->extents()->use()));
  options.extent_bytes = tier->pool()->extent_size();
  options.free_bytes = free_bytes;
  options.references = [tier](PoolOffset extent) { return tier->extents()->references(extent); };
  return PickVictims(*group, options);
}

GcJob::GcJob(const JobContext& context, GcStep step, ValueLogGc* gc, std::function<void()> yield)
    : context_(context),
      tier_(context.state->tier()),
      step_(std::move(step)),
      gc_(gc),
      yield_(std::move(yield)) {}

JobOutcome GcJob::Run() {
  DbState* const state = context_.state;
  const Status status = Rewrite();
  if (status.ok() || state->closing.load(std::memory_order_acquire)) return JobOutcome::kDone;
  // A full disk under the manifest is a different error.
  if (!is_written_ && IsForLackOfRoom(tier_, status)) {
    Log(state->info_log(), "a step of value-log GC found no room: %s", status.ToString().c_str());
    tier_->persist()->Fence();  // before the extents of the copies are reused
    gc_->EndStep(/*is_done=*/false);
    return JobOutcome::kNoRoom;
  }
  MutexLock lock(&state->mutex);
  state->RecordBackgroundError("value-log GC", status);
  return JobOutcome::kDone;
}

Status GcJob::Rewrite() {
  DbState* const state = context_.state;
  const uint64_t values_before = gc_->written_bytes();
  TreeOutput output(context_, tier_, TreeLimits(), /*teach_hints=*/true, yield_);
  MovingOutput moving(gc_, &output);
  std::vector<InternalIterator*> children;
  AppendTreeIterators(step_.level, {step_.tree}, state->comparator(), &children);
  const std::unique_ptr<Iterator> input(children[0]);
  Status status = WalkInput(
      state, input.get(), nullptr, [this](uint64_t) { yield_(); }, &moving);
  if (status.ok()) status = output.Finish();
  tier_->stats()->gc_bytes.Add(output.written_bytes() + gc_->written_bytes() - values_before);
  status = tier_->pool()->CauseOf(status);
  if (!status.ok()) return status;

  is_written_ = true;
  VersionEdit edit;
  edit.pmem().RemoveTree(step_.level, step_.tree->number());
  output.AddTo(step_.level, &edit);
  status = Install(&edit);
  if (!status.ok()) return status;
  gc_->EndStep(/*is_done=*/true);
  return status;
}

Status GcJob::Install(VersionEdit* edit) {
  DbState* const state = context_.state;
  MutexLock lock(&state->mutex);
  const Status status = state->versions->LogAndApply(edit, &state->mutex);
  if (!status.ok()) return status;
  tier_->stats()->gc_jobs.Add(1);
  state->PublishVersion();
  return status;
}

}  // namespace leveldb
