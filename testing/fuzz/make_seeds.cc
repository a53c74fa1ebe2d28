// make_seeds DIRECTORY: writes the inputs that fuzzing starts with, DIRECTORY/TARGET/seed-NAME. The
// corpus has them already; this program documents them, and makes them again if a format changes.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/files/filename.h"
#include "db/open/pmem_file.h"
#include "db/version/version_edit.h"
#include "entry/compact_batch.h"
#include "entry/internal_key.h"
#include "filelog/log_reader.h"
#include "filelog/log_writer.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/helpers/memenv.h"
#include "leveldb/options.h"
#include "leveldb/table_builder.h"
#include "pmem/bptree/leaf_builder.h"
#include "pmem/wal/wal_record.h"
#include "testing/dice.h"
#include "testing/temp_dir.h"
#include "util/coding.h"
#include "util/hash64.h"

namespace leveldb {
namespace {

std::string directory;

void Write(const std::string& target, const std::string& name, const std::string& bytes) {
  std::filesystem::create_directories(directory + "/" + target);
  testkit::WriteFile(directory + "/" + target + "/seed-" + name, bytes);
}

std::string Byte(int value) {
  return std::string(1, static_cast<char>(value));
}
std::string Short(size_t value) {
  return Byte(static_cast<int>(value & 255)) + Byte(static_cast<int>(value >> 8));
}
std::string WithLength(const Slice& bytes) {
  return Short(bytes.size()) + bytes.ToString();
}
std::string WithShortLength(const std::string& bytes) {
  return Byte(static_cast<int>(bytes.size())) + bytes;
}
std::string Key(int number) {
  return "key" + std::to_string(100000 + number);
}

// Returns the contents that `write` puts into a new file.
template <typename Function>
std::string FileOf(const Function& write) {
  const std::unique_ptr<Env> env(NewMemEnv(Env::Default()));
  WritableFile* opened = nullptr;
  std::string bytes;
  if (env->NewWritableFile("/file", &opened).ok()) {
    const std::unique_ptr<WritableFile> file(opened);
    write(file.get());
  }
  if (!ReadFileToString(env.get(), "/file", &bytes).ok()) bytes.clear();
  return bytes;
}

std::string LogOf(const std::vector<std::string>& records) {
  return FileOf([&records](WritableFile* file) {
    LogWriter writer(file);
    for (const std::string& record : records) {
      if (!writer.AddRecord(record).ok()) std::abort();
    }
  });
}

void LogSeeds() {
  const std::string options = Short(50000);
  const std::string small = LogOf({"", "a", "some bytes", std::string(300, 'x')});
  const std::string large = LogOf({std::string(32740, 'x'), "behind", std::string(100, 'y')});
  for (int flags = 0; flags < 4; ++flags) {
    Write("log_reader", "small-" + std::to_string(flags), Byte(flags) + options + small);
  }
  Write("log_reader", "two-blocks", Byte(3) + options + large);
  Write("log_reader", "torn", Byte(1) + Short(5) + small.substr(0, small.size() - 200));
}

std::string EncodedEdit() {
  VersionEdit edit;
  edit.SetComparatorName("leveldb.BytewiseComparator");
  edit.SetLogNumber(9);
  edit.SetPrevLogNumber(0);
  edit.SetNextFile(12);
  edit.SetLastSequence(100);
  const InternalKey first(Key(1), 9, kTypeValue);
  const InternalKey last(Key(9), 1, kTypeDeletion);
  edit.SetCompactPointer(1, first);
  edit.RemoveFile(0, 4);
  edit.AddFile(2, 7, 1000, first, last);
  std::string bytes;
  edit.EncodeTo(&bytes);
  return bytes;
}

std::string EncodedTierEdit() {
  VersionEdit edit;
  edit.pmem().SetTier({PoolId(), 4});
  edit.pmem().SetGroupPointer(1, InternalKey(Key(3), 5, kTypeValue));
  edit.pmem().RemoveTree(0, 3);
  TreeRecord tree;
  tree.number = 8;
  tree.footer_offset = 65536;
  tree.footer_bytes = 200;
  tree.entries = 10;
  tree.smallest = InternalKey(Key(1), 9, kTypeValue);
  tree.largest = InternalKey(Key(9), 1, kTypeValue);
  edit.pmem().AddTree(1, tree, nullptr);
  std::string bytes;
  edit.EncodeTo(&bytes);
  return bytes;
}

void ManifestSeeds() {
  Write("manifest", "edit", Byte(0) + EncodedEdit());
  Write("manifest", "tier-edit", Byte(0) + EncodedTierEdit());
  Write("manifest", "edits", Byte(2) + WithLength(EncodedEdit()));
  Write("manifest", "tier-edits",
        Byte(2) + WithLength(EncodedEdit()) + WithLength(EncodedTierEdit()));
  VersionEdit edit;
  edit.SetLogNumber(4);
  edit.SetNextFile(8);
  edit.SetLastSequence(30);
  edit.AddFile(0, 5, 400, InternalKey("key10", 1, kTypeValue),
               InternalKey("key25", 16, kTypeValue));
  std::string bytes;
  edit.EncodeTo(&bytes);
  Write("manifest", "own", Byte(2) + WithLength(bytes));
  Write("manifest", "file", Byte(1) + LogOf({EncodedEdit(), bytes}));
  Write("manifest", "current", Byte(3) + "MANIFEST-000002\n");
  Write("manifest", "current-outside", Byte(3) + "../db/MANIFEST-000002\n");
}

std::string TableOf(CompressionType compression, bool with_filter, bool with_trailers) {
  const std::unique_ptr<const FilterPolicy> policy(NewBloomFilterPolicy(10));
  Options options;
  options.compression = compression;
  options.block_size = 200;
  options.block_restart_interval = 4;
  if (with_filter) options.filter_policy = policy.get();
  return FileOf([&](WritableFile* file) {
    TableBuilder builder(options, file);
    for (int i = 0; i < 40; ++i) {
      std::string key = Key(i);
      if (with_trailers) AppendFixed64(&key, PackTrailer(7, kTypeValue));
      builder.Add(key, std::string(static_cast<size_t>(i % 20), 'v'));
    }
    if (!builder.Finish().ok()) std::abort();
  });
}

std::string BlockOf(const std::string& key, const std::string& value) {
  std::string block = Byte(0) + WithShortLength(key);
  block.insert(2, WithShortLength(value).substr(0, 1));
  block += value;
  AppendFixed32(&block, 0);
  AppendFixed32(&block, 1);
  return block;
}

void TableSeeds() {
  Write("table_reader", "plain", Byte(32) + TableOf(kNoCompression, false, false));
  Write("table_reader", "snappy", Byte(16 + 4) + TableOf(kSnappyCompression, true, false));
  Write("table_reader", "zstd", Byte(2 + 8) + TableOf(kZstdCompression, true, false));
  Write("table_reader", "trailers", Byte(1 + 2) + TableOf(kSnappyCompression, true, true));
  const auto block = [](const std::string& contents) { return Byte(0) + WithLength(contents); };
  const std::string data = BlockOf(Key(1), "value");
  std::string handle;
  AppendVarint64(&handle, 0);
  AppendVarint64(&handle, data.size());
  const std::string filter = std::string(10, '\x55') + Byte(4) + std::string(8, '\0') + Byte(11);
  std::string filter_handle;
  AppendVarint64(&filter_handle, data.size() + 5);
  AppendVarint64(&filter_handle, filter.size());
  Write("table_reader", "blocks",
        Byte(64 + 2) + block(data) + block(filter) +
            block(BlockOf("filter.leveldb.BuiltinBloomFilter2", filter_handle)) +
            block(BlockOf(Key(2), handle)));
}

void BatchSeeds() {
  std::string batch(12, '\0');
  batch[8] = 3;
  batch += Byte(1) + WithShortLength(Key(1)) + WithShortLength("value");
  batch += Byte(0) + WithShortLength(Key(2));
  batch += Byte(1) + WithShortLength("") + WithShortLength("");
  Write("write_batch", "batch", Byte(0) + batch);
  CompactBatchBuilder builder;
  builder.Start(10, 1);
  builder.Put(Key(1), "value");
  builder.Delete(Key(2));
  builder.Put(Key(3), ValueRef{70000, false, 300, 5});
  Write("write_batch", "payload",
        Byte(1) + Byte(1) + std::string(7, '\0') + builder.bytes().ToString());
  Write("write_batch", "calls",
        Byte(2) + Short(1) + Byte(0) + Byte(3) + WithShortLength("key") + WithShortLength("value") +
            Byte(2) + WithShortLength("key") + Byte(1) + Byte(0));
  Write("pool_log", "whole", Byte(4) + Byte(2) + WithLength(builder.bytes()));
  Write("pool_log", "pieces",
        Byte(0) + Byte(3) + WithLength("a") + Byte(4) + WithLength("b") + Byte(7) +
            WithLength("n") + Byte(5) + WithLength("c") + Byte(2) + WithLength(builder.bytes()));
  Write("pool_log", "values-and-seal",
        Byte(1) + Byte(6) + WithLength("v") + Byte(2) + WithLength(builder.bytes()) + Byte(8) +
            WithLength(std::string(8, '\1')));
  Write("pool_log", "torn",
        Byte(0) + Byte(2 + 16) + WithLength("torn") + Byte(2) + WithLength(builder.bytes()));
}

std::string SmallLeaf() {
  LeafBuilder builder(/*is_bytewise=*/true);
  for (int i = 0; i < 12; ++i) {
    const std::string key = Key(i);
    const std::string reference(kValueRefSize, '\1');
    const ValueType type = i % 4 == 3 ? kTypeDeletion : i % 4 == 2 ? kTypeValueRef : kTypeValue;
    const std::string value = i % 4 == 3 ? "" : i % 4 == 2 ? reference : "value";
    builder.Add({key, static_cast<SequenceNumber>(50 + i), type}, value, HashKey64(key), 4096);
  }
  size_t used = 0;
  const std::string leaf = builder.Finish(&used).ToString();
  return leaf.substr(0, used);
}

void LeafSeeds() {
  const std::string leaf = SmallLeaf();
  Write("leaf", "leaf", Byte(0) + WithShortLength(Key(3)) + std::string(8, '\1') + leaf);
  const auto tree = [&leaf](int leaves, const std::string& index) {
    return Byte(1) + Short(11) + Short(512) + Short(200) + WithShortLength(Key(0)) +
           WithShortLength(Key(11)) + Short(static_cast<size_t>(leaves)) + Byte(0) + Byte(0) +
           Short(0) + Byte(0) + WithLength(leaf) + index;
  };
  // No value extents; one leaf of two units in the first run, 200 bytes; no filters.
  const std::string spot = Byte(2 << 1 | 1) + Byte(100);
  Write("leaf", "tree", tree(1, Byte(0) + spot + Byte(0)));
  // A second leaf after a separator that has seven bytes in common with the first key.
  const std::string separator = Byte(0) + Byte(9 << 1) + Key(6);
  Write("leaf", "two-leaves",
        tree(2, Byte(0) + spot + separator + Byte(2 << 1) + Byte(50) + Byte(0)));
}

void PoolSeeds() {
  PmemFile file;
  file.pool = "/mnt/pmem/db.set";
  file.id = std::string(32, 'a');
  file.size = 1 << 30;
  file.state = PmemFile::kUsed;
  Write("pool_open", "pmem-file", Byte(0) + EncodePmemFile(file));
  Write("pool_open", "sound", Byte(1));
  Write("pool_open", "sound-killed", Byte(7));
  const auto change = [](int which, int how, size_t at, const std::string& rest) {
    return Byte(which) + Byte(how) + Short(at & 0xffff) + Short(at >> 16) + rest;
  };
  const std::string flip = WithShortLength(Byte(1));
  Write("pool_open", "header", Byte(1) + change(0, 1, 16, flip));
  Write("pool_open", "root", Byte(1) + change(0, 1, 0x3c0550, flip));
  Write("pool_open", "cut", Byte(3) + change(0, 2, 5 << 20, ""));
  Write("pool_open", "moved", Byte(5) + change(0, 3, 0x420000, Short(0x4300)));
  Write("pool_open", "other-file", Byte(5) + change(3, 0, 20, flip) + change(5, 1, 9, flip));
}

void CallSeeds() {
  for (int seed = 0; seed < 6; ++seed) {
    testkit::Dice dice(static_cast<uint64_t>(seed));
    Write("c_api", "calls-" + std::to_string(seed), Byte(seed * 3) + dice.Bytes(400));
  }
}

void TextSeeds() {
  const std::string workload =
      "# comment\nrecordcount=1000\noperationcount=100\nworkload=CoreWorkload\n"
      "readproportion=0.5\nupdateproportion=0.2\nscanproportion=0.1\ninsertproportion=0.1\n"
      "readmodifywriteproportion=0.1\nrequestdistribution=zipfian\nzipfianvalue=0.8\n"
      "fieldcount=10\nfieldlength=100\nminfieldlength=8\nfieldlengthdistribution=uniform\n"
      "insertstart=0\ninsertcount=1000\nmaxscanlength=10\nminscanlength=1\n"
      "scanlengthdistribution=uniform\ninsertorder=hashed\nzeropadding=1\nreadallfields=true\n"
      "writeallfields=0\nleveldb.pm_size=64M\nleveldb.gc_ratio=0.5\nleveldb.spill_start=0.8\n"
      "leveldb.bloom_bits=10\nleveldb.compression=zstd\nrocksdb.background_jobs=2\n"
      "lmdb.map_size=1G\nwiredtiger.cache_size=8M\n";
  Write("ycsb_properties", "file", Byte(0) + workload);
  const std::string zero(1, '\0');
  std::string arguments;
  for (const char* word : {"-load", "-run", "-dbpath", "/tmp/x", "-threads", "4", "-p",
                           "recordcount=10", "-p", "operationcount=10", "-seed", "7"}) {
    arguments += word + zero;
  }
  Write("ycsb_properties", "arguments", Byte(1) + arguments);
  Write("db_bench_flags", "all",
        "benchmarks=fillseq,readrandom\nnum=1000\nreads=-1\nthreads=2\nvalue_size=100\n"
        "key_prefix=0\ncompression_ratio=0.5\nhistogram=1\nwrite_batch=1\nwrite_buffer_size=0\n"
        "max_file_size=0\nblock_size=4096\ncache_size=-1\nopen_files=0\nbloom_bits=10\n"
        "compression=snappy\nseed=301\nverify=true\nuse_pm=true\npm_path=/tmp\npm_size=64M\n"
        "wal_persist_bytes=4K\nvalue_separation_bytes=256\ngc_ratio=0.5\ndynamic_tree=0\n"
        "flush_ssd=1\nspill_start=0.8\nspill_stop=0.7\nbucket_nums=3\n");
}

}  // namespace
}  // namespace leveldb

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_seeds DIRECTORY\n");
    return 1;
  }
  leveldb::directory = argv[1];
  leveldb::LogSeeds();
  leveldb::ManifestSeeds();
  leveldb::TableSeeds();
  leveldb::BatchSeeds();
  leveldb::LeafSeeds();
  leveldb::PoolSeeds();
  leveldb::CallSeeds();
  leveldb::TextSeeds();
  return 0;
}
