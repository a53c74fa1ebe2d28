#include "benchmarks/pairs/pair_writer.h"

#include "benchmarks/key_codec.h"
#include "util/random.h"

namespace leveldb::bench {

PairWriter::PairWriter(LoadedDatabase* db, uint64_t keys, const Slice& value, uint64_t seed)
    : thread_(&PairWriter::Run, this, db, keys, value, seed) {
  has_begun_.wait(false);
}

std::string PairWriter::Stop() {
  must_stop_.store(true, std::memory_order_relaxed);
  if (thread_.joinable()) thread_.join();
  return mistake_;
}

void PairWriter::Run(LoadedDatabase* db, uint64_t keys, const Slice& value, uint64_t seed) {
  Random random(seed);
  KeyBuffer key(0);
  do {
    key.Set(random.Uniform(keys));
    mistake_ = db->Put(key.key(), value);
    if (!has_begun_.load(std::memory_order_relaxed)) {
      has_begun_.store(true);
      has_begun_.notify_one();
    }
  } while (mistake_.empty() && !must_stop_.load(std::memory_order_relaxed));
}

}  // namespace leveldb::bench
