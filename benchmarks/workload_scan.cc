#include <cstdint>
#include <memory>

#include "benchmarks/bench_thread.h"
#include "benchmarks/key_codec.h"
#include "benchmarks/workloads.h"
#include "leveldb/iterator.h"

namespace leveldb::bench {

namespace {

enum class Values { kRead, kLeft };

// One step of a scan is one operation: to the next entry, its key, the size of its value and,
// depending on `values`, the value's bytes. (The check reads them; it is not part of a latency, but
// of the total time.)
void Scan(BenchThread& thread, bool forward, Values values) {
  const Verifier& verifier = *thread.phase().verifier;
  Verifier::ScanPosition position = verifier.BeginScan(forward);
  ThreadStats& stats = thread.stats();
  const std::unique_ptr<Iterator> iterator(thread.db()->NewIterator(ReadOptions()));

  int64_t done = 0;
  stats.BeginOperation();
  forward ? iterator->SeekToFirst() : iterator->SeekToLast();
  while (iterator->Valid() && done < thread.phase().operations && !thread.MustStop()) {
    const Slice key = iterator->key();
    const Slice value = iterator->value();
    stats.EndOperation();
    stats.AddBytes(key.size() + value.size());
    const bool right = values == Values::kRead ? verifier.ScanEntry(&position, key, value)
                                               : verifier.ScanKey(&position, key);
    if (!right) return;
    ++done;
    stats.BeginOperation();
    forward ? iterator->Next() : iterator->Prev();
  }
  if (!thread.CheckStatus("a scan", iterator->status()) || iterator->Valid()) return;
  verifier.EndScan(position);
}

// Returns false if the run has to stop.
bool Seek(BenchThread& thread, Iterator* iterator, const Slice& key, uint64_t number) {
  iterator->Seek(key);
  const bool found = iterator->Valid() && iterator->key() == key;
  thread.stats().EndOperation();
  if (found) thread.stats().AddFound();
  return thread.CheckStatus("a seek", iterator->status()) &&
         thread.phase().verifier->Landed(number, *iterator);
}

}  // namespace

void ReadForward(BenchThread& thread) {
  Scan(thread, true, Values::kRead);
}
void ReadBackward(BenchThread& thread) {
  Scan(thread, false, Values::kRead);
}
void ScanKeys(BenchThread& thread) {
  Scan(thread, true, Values::kLeft);
}

void SeekAtRandom(BenchThread& thread) {
  KeyBuffer key(static_cast<size_t>(thread.options().key_prefix));
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    const uint64_t number = thread.RandomKey();
    key.Set(number);
    thread.stats().BeginOperation();
    const std::unique_ptr<Iterator> iterator(thread.db()->NewIterator(ReadOptions()));
    if (!Seek(thread, iterator.get(), key.key(), number)) return;
  }
}

void SeekInOrder(BenchThread& thread) {
  constexpr uint64_t kStepMax = 100;
  KeyBuffer key(static_cast<size_t>(thread.options().key_prefix));
  const std::unique_ptr<Iterator> iterator(thread.db()->NewIterator(ReadOptions()));
  uint64_t number = 0;
  for (int64_t i = 0; i < thread.phase().operations && !thread.MustStop(); ++i) {
    number += thread.random().Uniform(kStepMax);
    number %= static_cast<uint64_t>(thread.options().num);
    key.Set(number);
    thread.stats().BeginOperation();
    if (!Seek(thread, iterator.get(), key.key(), number)) return;
  }
}

}  // namespace leveldb::bench
