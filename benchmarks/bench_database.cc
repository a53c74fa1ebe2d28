#include "benchmarks/bench_database.h"

#include <atomic>
#include <chrono>

#include "benchmarks/tier_database.h"

namespace leveldb::bench {

// CountingComparator counts the calls of the bytewise order (--comparisons). Thread-safe.
class CountingComparator final : public Comparator {
 public:
  int Compare(const Slice& a, const Slice& b) const override {
    count_.fetch_add(1, std::memory_order_relaxed);
    return bytewise_->Compare(a, b);
  }
  const char* Name() const override { return bytewise_->Name(); }
  void FindShortestSeparator(std::string* start, const Slice& limit) const override {
    bytewise_->FindShortestSeparator(start, limit);
  }
  void FindShortSuccessor(std::string* key) const override { bytewise_->FindShortSuccessor(key); }

  uint64_t Take() { return count_.exchange(0, std::memory_order_relaxed); }

 private:
  const Comparator* const bytewise_ = BytewiseComparator();
  mutable std::atomic<uint64_t> count_{0};
};

BenchDatabase::BenchDatabase(const BenchOptions& options) : options_(options) {
  if (options.cache_size >= 0) {
    cache_.reset(NewLRUCache(static_cast<size_t>(options.cache_size)));
  }
  if (options.bloom_bits >= 0) filter_.reset(NewBloomFilterPolicy(options.bloom_bits));
  if (options.comparisons) comparator_ = std::make_unique<CountingComparator>();
}

BenchDatabase::~BenchDatabase() {
  Close();
}

Options BenchDatabase::MakeOptions() const {
  Options options;
  options.create_if_missing = !options_.use_existing_db;
  options.write_buffer_size = static_cast<size_t>(options_.write_buffer_size);
  options.max_file_size = static_cast<size_t>(options_.max_file_size);
  options.block_size = static_cast<size_t>(options_.block_size);
  options.max_open_files = options_.open_files;
  options.reuse_logs = options_.reuse_logs;
  options.compression = options_.compression;
  options.block_cache = cache_.get();
  options.filter_policy = filter_.get();
  if (comparator_ != nullptr) options.comparator = comparator_.get();
  return options;
}

Status BenchDatabase::OpenPlain() {
  DB* db = nullptr;
  const Status status = DB::Open(MakeOptions(), options_.db, &db);
  db_.reset(db);
  return status;
}

Status BenchDatabase::OpenWithTier() {
  DB* db = nullptr;
  const Status status =
      bench::OpenWithTier(MakeOptions(), options_.tier.pmem, options_.db, "--use_pm", &db);
  db_.reset(db);
  return status;
}

Status BenchDatabase::Open() {
  using Clock = std::chrono::steady_clock;
  Close();
  const Clock::time_point began = Clock::now();
  const Status status = options_.tier.use_pm ? OpenWithTier() : OpenPlain();
  open_seconds_ = std::chrono::duration<double>(Clock::now() - began).count();
  return status;
}

Status BenchDatabase::OpenEmpty() {
  Close();
  const Status status = DestroyDB(options_.db, MakeOptions());
  return status.ok() ? Open() : status;
}

void BenchDatabase::Close() {
  db_.reset();
}

uint64_t BenchDatabase::TakeComparisons() {
  return comparator_ == nullptr ? 0 : comparator_->Take();
}

}  // namespace leveldb::bench
