// A flush: write the table (no lock) -> choose its level -> one manifest edit names the table and
// gives up the memtable's log -> publish -> the log's file may go.
#include "db/jobs/flush_job.h"

#include <cassert>
#include <memory>
#include <utility>

#include "db/files/table_output.h"

namespace leveldb {

struct FlushJob::Table {
  uint64_t number = 0;
  uint64_t size = 0;
  InternalKey smallest;
  InternalKey largest;
  uint64_t micros = 0;
};

Status FlushJob::WriteTable(const MemTable& memtable, Table* table) {
  DbState* const state = context_.state;
  const uint64_t start_micros = state->env()->NowMicros();
  table->number = state->versions->NewFileNumber();
  std::unique_ptr<TableOutput> output;
  Status status = TableOutput::Open(state->options(), state->dbname(), table->number,
                                    context_.table_cache, &output);
  if (!status.ok()) return status;
  const std::unique_ptr<Iterator> entries(memtable.NewIterator());
  for (entries->SeekToFirst(); entries->Valid() && output->status().ok(); entries->Next()) {
    output->Add(entries->key(), entries->value());
  }
  status = output->Finish();
  if (!status.ok()) return status;
  table->size = output->size();
  table->smallest.DecodeFrom(output->smallest());
  table->largest.DecodeFrom(output->largest());
  table->micros = state->env()->NowMicros() - start_micros;
  Log(state->info_log(), "flushed %llu entries to table #%llu: %llu bytes",
      static_cast<unsigned long long>(output->entries()),
      static_cast<unsigned long long>(table->number), static_cast<unsigned long long>(table->size));
  return status;
}

void FlushJob::Record(int level, const Table& table) {
  LevelWork work;
  work.micros = static_cast<int64_t>(table.micros);
  work.bytes_written = static_cast<int64_t>(table.size);
  context_.state->stats.levels[level].Add(work);
}

Status FlushJob::FlushToLevel0(const MemTable& memtable, VersionEdit* edit) {
  Table table;
  const Status status = WriteTable(memtable, &table);
  if (!status.ok()) return status;
  edit->AddFile(0, table.number, table.size, table.smallest, table.largest);
  MutexLock lock(&context_.state->mutex);
  Record(0, table);
  return status;
}

Status FlushJob::Install(const Table& table, uint64_t log_number) {
  const Slice smallest = table.smallest.user_key();
  const Slice largest = table.largest.user_key();
  const int level = MemtableOutputLevel(*context_.state->versions->current(),
                                        context_.MakePickerOptions(), smallest, largest);
  const uint64_t ticket = context_.running->ReserveOutput(level, smallest, largest);
  VersionEdit edit;
  edit.SetPrevLogNumber(0);
  edit.SetLogNumber(log_number);
  edit.AddFile(level, table.number, table.size, table.smallest, table.largest);
  const Status status = context_.state->versions->LogAndApply(&edit, &context_.state->mutex);
  context_.running->Release(ticket);
  if (status.ok()) Record(level, table);
  return status;
}

void FlushJob::Run() {
  std::shared_ptr<MemTable> memtable;
  uint64_t log_number;  // of the log that begins where the memtable ends
  {
    MutexLock lock(&context_.state->mutex);
    memtable = context_.state->immutable();
    log_number = context_.state->log_numbers.back();
  }
  assert(memtable != nullptr);

  Table table;
  Status status = WriteTable(*memtable, &table);
  {
    MutexLock lock(&context_.state->mutex);
    if (status.ok()) status = Install(table, log_number);
    if (!status.ok()) {
      context_.state->RecordBackgroundError("flushing a memtable", status);
      return;
    }
    const uint64_t kib = memtable->MemoryUsage() / 1024 + 1;
    context_.state->pressure.flush_nanos_per_kib.store(table.micros * 1000 / kib,
                                                       std::memory_order_relaxed);
    context_.state->Publish(context_.state->memtable(), nullptr);
  }
  context_.state->unsynced_logs.DropBelow(log_number);
}

}  // namespace leveldb
