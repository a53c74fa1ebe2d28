// Fuzzes write batches, as any bytes and as calls, and the compact form that they have in a log in
// the pool.
//
// Input: the mode (0: the rest is a batch, 1: a payload of a log in the pool, 2: calls), the rest.
#include <string>
#include <utility>
#include <vector>

#include "db/mem/batch_insert.h"
#include "db/mem/memtable.h"
#include "db/write/write_batch_access.h"
#include "entry/compact_batch.h"
#include "leveldb/comparator.h"
#include "testing/fuzz/fuzz_input.h"

namespace leveldb {
namespace fuzz {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

constexpr char kDeleted[] = "(deleted)";

class Collector final : public WriteBatch::Handler {
 public:
  explicit Collector(Entries* entries) : entries_(entries) {}
  void Put(const Slice& key, const Slice& value) override {
    entries_->emplace_back(key.ToString(), value.ToString());
  }
  void Delete(const Slice& key) override { entries_->emplace_back(key.ToString(), kDeleted); }

 private:
  Entries* const entries_;
};

void TakeAsBatch(const Slice& bytes) {
  if (bytes.size() < kBatchHeaderSize) {
    BatchCursor cursor(bytes);
    Require(!cursor.Next() && !cursor.status().ok(), "too short a batch is damage");
    return;
  }
  WriteBatch batch;
  WriteBatchAccess::SetBytes(&batch, bytes);
  Entries entries;
  Collector collector(&entries);
  const Status status = batch.Iterate(&collector);
  if (!status.ok()) return;
  Require(entries.size() == WriteBatchAccess::Count(batch), "all entries are there");

  // The contents of a batch can be written again, and are the same then.
  WriteBatch again;
  for (const auto& [key, value] : entries) again.Put(key, value);
  Entries same;
  Collector second(&same);
  Require(again.Iterate(&second).ok() && same == entries, "a batch keeps what is put into it");

  const InternalKeyComparator comparator(BytewiseComparator());
  MemTable memtable(&comparator);
  WriteBatchAccess::SetSequence(&batch, 1);
  Require(InsertBatch(WriteBatchAccess::Bytes(batch), &memtable).ok(), "it can be inserted");
  Require(memtable.num_entries() == entries.size(), "all of it");
}

void TakeAsPayload(FuzzInput* input) {
  const SequenceNumber first = input->Long();
  const Slice payload = input->Rest();
  CompactBatchCursor cursor(payload, first);
  size_t bytes = 0;
  SequenceNumber last = 0;
  while (cursor.Next()) {
    Require(cursor.sequence() <= kMaxSequenceNumber, "sequence numbers are in range");
    Require(bytes == 0 || cursor.sequence() == last + 1, "sequence numbers follow each other");
    last = cursor.sequence();
    bytes += 1 + cursor.key().size() + cursor.value().size();
    Require(bytes <= payload.size(), "entries lie in the payload");
    ValueRef reference;
    if (cursor.type() == kTypeValueRef && DecodeValueRef(cursor.value(), &reference)) {
      char encoded[kValueRefSize];
      EncodeValueRef(reference, encoded);
      Require(Slice(encoded, sizeof(encoded)) == cursor.value(), "a reference has one form");
    }
  }
}

void MakeCalls(FuzzInput* input) {
  WriteBatch batch;
  Entries expected;
  CompactBatchBuilder builder;
  const SequenceNumber first = 1 + input->Short();
  builder.Start(first + input->Byte(), first);
  while (!input->empty() && batch.ApproximateSize() < (1 << 20)) {
    const uint8_t call = input->Byte() % 8;
    if (call == 0) {
      batch.Clear();
      expected.clear();
      builder.Start(first, first);
    } else if (call == 1 && expected.size() < 1000) {
      WriteBatch copy = batch;
      batch.Append(copy);
      const Entries half = expected;
      for (const auto& [key, value] : half) {
        expected.emplace_back(key, value);
        builder.Put(key, value);
      }
    } else if (call == 2) {
      const std::string key = input->ShortString().ToString();
      batch.Delete(key);
      builder.Delete(key);
      expected.emplace_back(key, kDeleted);
    } else {
      const std::string key = input->ShortString().ToString();
      const std::string value = input->ShortString().ToString();
      batch.Put(key, value);
      builder.Put(key, value);
      expected.emplace_back(key, value);
    }
  }
  Entries found;
  Collector collector(&found);
  Require(batch.Iterate(&collector).ok() && found == expected, "a batch is what was called for");
  CompactBatchCursor cursor(builder.bytes(), first);
  size_t count = 0;
  for (; cursor.Next(); ++count) {
    Require(count < expected.size() && cursor.key() == Slice(expected[count].first),
            "the compact form has the same keys");
  }
  Require(count == expected.size(), "the compact form has all of them");
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  leveldb::fuzz::FuzzInput input(data, size);
  switch (input.Byte() % 3) {
    case 0:
      leveldb::fuzz::TakeAsBatch(input.Rest());
      break;
    case 1:
      leveldb::fuzz::TakeAsPayload(&input);
      break;
    default:
      leveldb::fuzz::MakeCalls(&input);
      break;
  }
  return 0;
}
