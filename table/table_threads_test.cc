// Reads one table in many threads. A separate program, because it also runs under ThreadSanitizer.

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/cache.h"
#include "leveldb/filter_policy.h"
#include "table/table_reader.h"
#include "table/table_testing.h"
#include "util/random.h"
#include "util/text.h"

namespace leveldb {

namespace {

TEST(Table, ManyThreadsReadAtOnce) {
  const std::unique_ptr<const FilterPolicy> bloom(NewBloomFilterPolicy(10));
  const std::unique_ptr<Cache> cache(NewLRUCache(30000));
  Options options;
  options.filter_policy = bloom.get();
  options.block_cache = cache.get();
  const Entries entries = NumberedEntries(2000, 50);
  for (const CompressionType compression : {kNoCompression, kSnappyCompression, kZstdCompression}) {
    options.compression = compression;
    StringSource file(BuildTable(options, entries), compression == kSnappyCompression);
    std::unique_ptr<TableReader> reader;
    ASSERT_TRUE(TableReader::Open(options, &file, file.contents().size(), &reader).ok());
    std::vector<std::thread> threads;
    for (uint64_t thread = 0; thread < 4; thread++) {
      threads.emplace_back([&, thread] {
        Random random(thread);
        for (int i = 0; i < 500; i++) {
          const auto& entry = entries[random.Uniform(entries.size())];
          Entries found;
          ASSERT_TRUE(reader->Get(ReadOptions(), entry.first, &found, &NoteFound).ok());
          ASSERT_EQ(found.size(), 1u);
          ASSERT_EQ(found[0], entry);
        }
        const std::unique_ptr<Iterator> iterator(reader->NewIterator(ReadOptions()));
        WalkAtRandom(iterator.get(), entries, BytewiseComparator(), 100, &random,
                     [&] { return "key00" + NumberToString(random.Uniform(10000)); });
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
}

}  // namespace

}  // namespace leveldb
