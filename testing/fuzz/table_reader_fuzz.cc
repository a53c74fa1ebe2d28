// Fuzzes the table reader. Whatever a file holds, opening, iterating and searching end, nothing
// outside the file is read, and memory is not allocated for lengths that are merely claimed.
//
// Input: options (1: keys have trailers, 2: a filter policy, 4: paranoid, 8: verify checksums, 16:
// a block cache, 32: the file is mapped, 64: the rest is blocks: four strings, compressed or not,
// that become a data block, a filter, a metaindex and an index, with valid checksums), the rest.
#include <memory>
#include <string>

#include "entry/internal_key.h"
#include "leveldb/cache.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/options.h"
#include "table/block_handle.h"
#include "table/table_reader.h"
#include "testing/fuzz/fuzz_input.h"
#include "util/coding.h"
#include "util/crc32c.h"

namespace leveldb {
namespace fuzz {
namespace {

// An index can lead to the same block again and again, so even a small file can be long.
constexpr int kStepsMax = 2000;

class StringFile final : public RandomAccessFile {
 public:
  StringFile(const Slice& bytes, bool is_mapped) : bytes_(bytes), is_mapped_(is_mapped) {}

  Status Read(uint64_t offset, size_t n, Slice* result, char* scratch) const override {
    Require(offset <= bytes_.size() && n <= bytes_.size() - offset, "reads stay in the file");
    *result = Slice(bytes_.data() + offset, n);
    if (!is_mapped_) {
      std::copy(result->data(), result->data() + n, scratch);
      *result = Slice(scratch, n);
    }
    return Status::OK();
  }

 private:
  const Slice bytes_;
  const bool is_mapped_;
};

BlockHandle AppendBlock(FuzzInput* input, std::string* file) {
  const char type = static_cast<char>(input->Byte() % 4);
  const Slice contents = input->String();
  BlockHandle handle;
  handle.offset = file->size();
  handle.size = contents.size();
  file->append(contents.data(), contents.size());
  file->push_back(type);
  AppendFixed32(file,
                crc32c::Mask(crc32c::Value(file->data() + handle.offset, contents.size() + 1)));
  return handle;
}

// Makes a file of four blocks. Index and metaindex, which are bytes of the input, can refer to the
// others by their offsets: the data block is at 0, the filter after it.
std::string AssembleFile(FuzzInput* input) {
  std::string file;
  AppendBlock(input, &file);
  AppendBlock(input, &file);
  Footer footer;
  footer.metaindex = AppendBlock(input, &file);
  footer.index = AppendBlock(input, &file);
  footer.AppendTo(&file);
  return file;
}

void Walk(Iterator* iterator) {
  iterator->SeekToFirst();
  for (int i = 0; i < kStepsMax && iterator->Valid(); ++i) iterator->Next();
  iterator->SeekToLast();
  for (int i = 0; i < kStepsMax && iterator->Valid(); ++i) {
    // Each step backwards parses a run of entries.
    if (i < 200 || i % 16 == 0) {
      const std::string key = iterator->key().ToString();
      const std::string value = iterator->value().ToString();
      Require(key.size() < (1 << 28) && value.size() < (1 << 28), "sizes are sane");
    }
    iterator->Prev();
  }
}

void Search(const TableReader& reader, Iterator* iterator, const ReadOptions& options,
            const Slice& key) {
  iterator->Seek(key);
  for (int i = 0; i < 4 && iterator->Valid(); ++i) iterator->Prev();
  iterator->Seek(key);
  for (int i = 0; i < 4 && iterator->Valid(); ++i) iterator->Next();
  int found = 0;
  const Status status = reader.Get(options, key, &found, [](void* arg, const Slice&, const Slice&) {
    ++*static_cast<int*>(arg);
  });
  Require(found <= (status.ok() ? 1 : 0), "one entry is found, or none");
  reader.ApproximateOffsetOf(key);
}

void Use(const TableReader& reader, const ReadOptions& options, bool has_trailers) {
  const std::unique_ptr<Iterator> iterator(reader.NewIterator(options));
  Walk(iterator.get());
  std::string key;
  iterator->SeekToFirst();
  for (int i = 0; i < 20 && iterator->Valid(); ++i) {
    key = iterator->key().ToString();
    Search(reader, iterator.get(), options, key);
    iterator->Seek(key);
    if (iterator->Valid()) iterator->Next();
  }
  for (const char* word : {"", "a", "key000015", "\xff\xff\xff"}) {
    key = word;
    if (has_trailers) AppendFixed64(&key, PackTrailer(kMaxSequenceNumber, kTypeValue));
    Search(reader, iterator.get(), options, key);
  }
}

}  // namespace
}  // namespace fuzz
}  // namespace leveldb

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace leveldb;
  using namespace leveldb::fuzz;
  static const FilterPolicy* const policy = NewBloomFilterPolicy(10);
  static const InternalKeyComparator* const internal =
      new InternalKeyComparator(BytewiseComparator());
  FuzzInput input(data, size);
  const uint8_t flags = input.Byte();
  const bool has_trailers = (flags & 1) != 0;
  std::unique_ptr<Cache> cache((flags & 16) != 0 ? NewLRUCache(1 << 20) : nullptr);
  Options options;
  options.filter_policy = (flags & 2) != 0 ? policy : nullptr;
  options.paranoid_checks = (flags & 4) != 0;
  options.block_cache = cache.get();
  ReadOptions read_options;
  read_options.verify_checksums = (flags & 8) != 0;
  const std::string file_bytes = (flags & 64) != 0 ? AssembleFile(&input) : input.Rest().ToString();
  StringFile file(file_bytes, (flags & 32) != 0);

  std::unique_ptr<TableReader> reader;
  const KeyOrder order =
      has_trailers ? KeyOrder(internal, 8, true) : KeyOrder(BytewiseComparator());
  if (!TableReader::Open(options, order, &file, nullptr, file_bytes.size(), "", &reader).ok()) {
    return 0;
  }
  Use(*reader, read_options, has_trailers);
  return 0;
}
