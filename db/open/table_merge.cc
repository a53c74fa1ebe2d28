// The inputs are opened one by one, when the merge reaches their first key, and closed after their
// last: so only tables that overlap at one key are open at the same time, however many there are.

#include "db/open/table_merge.h"

#include <algorithm>
#include <utility>

namespace leveldb {

namespace {

std::vector<SalvagedTable> BySmallestKey(const InternalKeyComparator& comparator,
                                         std::vector<SalvagedTable> tables) {
  std::sort(tables.begin(), tables.end(),
            [&comparator](const SalvagedTable& a, const SalvagedTable& b) {
              return comparator.Compare(a.smallest, b.smallest) < 0;
            });
  return tables;
}

}  // namespace

TableMerge::TableMerge(const RepairContext* context, std::vector<SalvagedTable> inputs)
    : context_(context), inputs_(BySmallestKey(context->comparator(), std::move(inputs))) {}

Status TableMerge::Run(const Visit& visit) {
  const LeastKeyFirst order{context_->comparator()};
  while (true) {
    Status status = OpenTablesUpToHere();
    if (!status.ok() || sources_.empty()) return status;
    std::pop_heap(sources_.begin(), sources_.end(), order);
    Source source = std::move(sources_.back());
    sources_.pop_back();
    status = visit(*source.table, source.entries->key(), source.entries->value());
    if (!status.ok()) return status;
    source.entries->Next();
    status = Advance(std::move(source));
    if (!status.ok()) return status;
  }
}

// Opens the tables that begin at or before the least key among the open ones.
Status TableMerge::OpenTablesUpToHere() {
  ReadOptions read_options;
  read_options.verify_checksums = true;
  read_options.fill_cache = false;
  while (next_input_ < inputs_.size()) {
    const SalvagedTable& table = inputs_[next_input_];
    if (!sources_.empty() && context_->comparator().Compare(table.smallest.Encode(),
                                                            sources_.front().entries->key()) > 0) {
      break;
    }
    next_input_++;
    Source source{&table, std::unique_ptr<Iterator>(context_->table_cache->NewIterator(
                              read_options, table.number, table.size))};
    source.entries->SeekToFirst();
    const Status status = Advance(std::move(source));
    if (!status.ok()) return status;
  }
  return Status::OK();
}

// Inserts `source` into the heap, or closes it if it has ended.
Status TableMerge::Advance(Source source) {
  if (!source.entries->Valid()) return source.entries->status();
  sources_.push_back(std::move(source));
  std::push_heap(sources_.begin(), sources_.end(), LeastKeyFirst{context_->comparator()});
  return Status::OK();
}

}  // namespace leveldb
