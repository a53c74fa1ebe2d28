#include "testing/corruption/piece.h"

#include <cstddef>

namespace leveldb {
namespace testkit {

namespace {

const char* const kNames[kStructures] = {
    "current",        "manifest",        "pmem-file",     "log-file",     "table-data",
    "table-filter",   "table-metaindex", "table-index",   "table-footer", "directory",
    "pool-header",    "pool-heap",       "root-identity", "root-words",   "root-slabs",
    "root-log-slots", "log-extent",      "value-extent",  "tree-run",     "pool-log",
    "leaf",           "tree-footer",     "tree-index",    "tree-filter",  "value",
    "chunk-list",     "unused-room"};

}  // namespace

const char* StructureName(Structure structure) {
  return kNames[static_cast<size_t>(structure)];
}

bool StructureOf(const std::string& name, Structure* structure) {
  for (int i = 0; i < kStructures; ++i) {
    if (name == kNames[i]) {
      *structure = static_cast<Structure>(i);
      return true;
    }
  }
  return false;
}

bool IsInPool(Structure structure) {
  return structure >= Structure::kPoolHeader;
}

void Piece::Start(const std::string& name, uint64_t begin, uint64_t size, bool is_checked) {
  fields.clear();
  fields.push_back(Field{name, begin, size, is_checked});
}

void Piece::Add(const std::string& name, uint64_t size, bool is_checked) {
  if (size > 0) {
    fields.push_back(Field{name, end(), size, is_checked});
  }
}

}  // namespace testkit
}  // namespace leveldb
