#include "db/open/salvage_output.h"

#include <cassert>

#include "util/text.h"

namespace leveldb {

Status SalvageOutput::Add(const Slice& key, const Slice& value) {
  ParsedKey parsed;
  if (!ParseTableKey(key, &parsed)) return Status::Corruption("bad internal key", Escaped(key));
  const bool is_older_version = has_last_user_key_ && context_->comparator().CompareUserKeys(
                                                          last_user_key_, parsed.user_key) == 0;
  if (is_older_version) return Status::OK();
  last_user_key_.assign(parsed.user_key.data(), parsed.user_key.size());
  has_last_user_key_ = true;

  if (output_ == nullptr) {
    const Status status =
        TableOutput::Open(context_->options(), context_->dbname(), context_->NewFileNumber(),
                          context_->table_cache, &output_);
    if (!status.ok()) return status;
    sequences_ = SequenceRange();
  }
  sequences_.Add(parsed.sequence);
  output_->Add(key, value);
  const bool is_full = output_->size() >= context_->options().max_file_size;
  return is_full ? FinishTable() : output_->status();
}

Status SalvageOutput::Finish() {
  return output_ == nullptr ? Status::OK() : FinishTable();
}

Status SalvageOutput::FinishTable() {
  const std::unique_ptr<TableOutput> output = std::move(output_);
  const Status status = output->Finish();
  if (!status.ok()) return status;

  SalvagedTable table;
  table.number = output->number();
  table.size = output->size();
  table.entries = output->entries();
  table.sequences = sequences_;
  table.is_new = true;
  const bool has_bounds =
      table.smallest.DecodeFrom(output->smallest()) && table.largest.DecodeFrom(output->largest());
  assert(has_bounds);
  static_cast<void>(has_bounds);
  tables_->push_back(std::move(table));
  return Status::OK();
}

}  // namespace leveldb
