// Implements the public class Table with a TableReader.

#include "leveldb/table.h"

#include <memory>
#include <utility>

#include "leveldb/env.h"
#include "leveldb/options.h"
#include "table/table_reader.h"

namespace leveldb {

struct Table::Rep {
  std::unique_ptr<TableReader> reader;
};

Status Table::Open(const Options& options, RandomAccessFile* file, uint64_t file_size,
                   Table** table) {
  *table = nullptr;
  std::unique_ptr<TableReader> reader;
  const Status status = TableReader::Open(options, file, file_size, &reader);
  if (status.ok()) *table = new Table(new Rep{std::move(reader)});
  return status;
}

Table::~Table() {
  delete rep_;
}

Iterator* Table::NewIterator(const ReadOptions& options) const {
  return rep_->reader->NewIterator(options);
}

uint64_t Table::ApproximateOffsetOf(const Slice& key) const {
  return rep_->reader->ApproximateOffsetOf(key);
}

}  // namespace leveldb
