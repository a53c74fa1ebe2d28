#include <cstdint>
#include <string>
#include <utility>

#include "benchmarks/bench_thread.h"
#include "benchmarks/key_codec.h"
#include "benchmarks/workloads.h"

namespace leveldb::bench {

namespace {

// PointReader gets keys and checks the answers.
class PointReader {
 public:
  explicit PointReader(BenchThread* thread)
      : thread_(thread), key_(static_cast<size_t>(thread->options().key_prefix)) {}

  // Returns false if the run has to stop.
  bool Read(uint64_t number) {
    const Verifier& verifier = *thread_->phase().verifier;
    key_.Set(number);
    const KeyLedger::Entry expected = verifier.Expect(number);
    const Status status = Get(key_.key());
    if (status.IsNotFound()) return verifier.NotFound(number, expected);
    if (!thread_->CheckStatus("a read", status)) return false;
    thread_->stats().AddFound();
    return verifier.Found(number, expected, Slice(value_));
  }

  bool ReadNearMiss(uint64_t number) {
    key_.Set(number);
    const Status status = Get(key_.NearMiss());
    if (status.IsNotFound()) return true;
    if (!thread_->CheckStatus("a read", status)) return false;
    thread_->stats().AddFound();
    return thread_->phase().verifier->FoundNearMiss(number);
  }

 private:
  Status Get(const Slice& key) {
    thread_->stats().BeginOperation();
    Status status = thread_->db()->Get(read_options_, key, &value_);
    thread_->stats().EndOperation();
    return status;
  }

  BenchThread* const thread_;
  KeyBuffer key_;
  ReadOptions read_options_;
  std::string value_;
};

}  // namespace

// The ledger entry of a key is prefetched one read ahead: with a concurrent writer the line is in
// the cache of another processor.
void ReadAtRandom(BenchThread& thread) {
  PointReader reader(&thread);
  uint64_t next = thread.RandomKey();
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    const uint64_t number = std::exchange(next, thread.RandomKey());
    thread.phase().ledger->Prefetch(next);
    if (!reader.Read(number)) return;
  }
}

void ReadMissing(BenchThread& thread) {
  PointReader reader(&thread);
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    if (!reader.ReadNearMiss(thread.RandomKey())) return;
  }
}

void ReadHot(BenchThread& thread) {
  PointReader reader(&thread);
  const uint64_t hot_keys = (static_cast<uint64_t>(thread.options().num) + 99) / 100;
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    if (!reader.Read(thread.random().Uniform(hot_keys))) return;
  }
}

void ReadWhileWriting(BenchThread& thread) {
  if (thread.is_writer()) {
    WriteWhileOthersRead(thread);
  } else {
    ReadAtRandom(thread);
  }
}

}  // namespace leveldb::bench
