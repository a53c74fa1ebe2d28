#include "db/read/read_sampler.h"

#include <atomic>

#include "db/version/level_search.h"
#include "util/random.h"

namespace leveldb {

namespace {

// The sink may be busy with other tables when it is notified, so it is notified again.
constexpr int kSeeksUntilReminder = 50;

constexpr size_t kMeanSamplePeriodBytes = size_t{1} << 20;

}  // namespace

void ChargeSeek(const FileMetaPtr& file, int level, SeekCompactionSink* sink) {
  // Two concurrent readers may count as one; that costs less than contending for the cache line.
  const int left = file->allowed_seeks.load(std::memory_order_relaxed) - 1;
  file->allowed_seeks.store(left > 0 ? left : kSeeksUntilReminder, std::memory_order_relaxed);
  if (left <= 0) sink->OnSeeksExhausted(file, level);
}

ReadSampler::ReadSampler(const Version* version, SeekCompactionSink* sink)
    : version_(version), sink_(sink), random_(reinterpret_cast<uintptr_t>(this)) {
  StartPeriod();
}

// The length of periods varies, so that the samples are not synchronised with the data.
void ReadSampler::StartPeriod() {
  Random random(random_);
  random_ = random.Next();
  until_sample_ = random_ % (2 * kMeanSamplePeriodBytes);
}

void ReadSampler::Sample(const Slice& internal_key) {
  StartPeriod();
  const InternalKeyComparator& comparator = *version_->comparator();
  const Slice user_key = ExtractUserKey(internal_key);
  FileMetaPtr first;
  int first_level = 0;
  for (int level = 0; level < kNumLevels; level++) {
    for (const FileMetaPtr& file : version_->OverlappingUserRange(level, &user_key, &user_key)) {
      if (!FileOverlapsRange(comparator.user_comparator(), *file, &user_key, &user_key)) continue;
      if (first != nullptr) {
        ChargeSeek(first, first_level, sink_);
        return;
      }
      first = file;
      first_level = level;
    }
  }
}

}  // namespace leveldb
