// PairOptions are the options of a run of pair_bench.
#ifndef BUSHSTORE_BENCHMARKS_PAIRS_PAIR_OPTIONS_H_
#define BUSHSTORE_BENCHMARKS_PAIRS_PAIR_OPTIONS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "benchmarks/pairs/loaded_library.h"

namespace leveldb::bench {

enum class PairWorkload {
  kFillSeq,
  kFillRandom,
  kReadRandom,
  kReadMissing,
  kReadWhileWriting,  // kReadRandom, with a concurrent writer
  kReadSeq,           // reads keys, and sizes of values
  kReadSeqValues,     // reads every byte
  kReadReverse,       // as kReadSeq, from the last key to the first
  kReadReverseValues,
  kSeekOnce,          // a seek of a new iterator, without a step: key and value's size
  kSeekRandom,        // a seek and the 100 entries from there on: keys, and sizes of values
  kSeekRandomValues,  // reads every byte
};

struct PairOptions {
  std::array<std::string, 2> libraries;
  PairWorkload workload;
  uint64_t num;         // keys
  uint64_t operations;  // of each library, at least
  uint64_t turn;        // consecutive operations
  size_t value_size;
  uint64_t seed;
  int rest_seconds;     // between the fill and the reads
  std::string db;       // directory for the databases, which are removed at the end
  std::string pm_path;  // directory for the pools; empty: no tier
  std::string pm_size;  // bytes of a pool, as LEVELDB_PMEM_SIZE takes it
  LoadedDatabase::Settings settings;
};

// Reads the flags of the command line (gflags). A flag that gflags does not know ends the process
// with a sentence and exit code 1, --help prints help and ends it with 0. Returns any other error
// as a sentence without a full stop, or "".
std::string ParsePairCommandLine(int argc, char** argv, PairOptions* options);

// Returns a name such as "fillrandom".
const char* NameOf(PairWorkload workload);

}  // namespace leveldb::bench

#endif  // BUSHSTORE_BENCHMARKS_PAIRS_PAIR_OPTIONS_H_
