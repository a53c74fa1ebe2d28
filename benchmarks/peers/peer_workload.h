// PeerWorkload is one of db_bench's workloads, on the common interface of all stores.
#ifndef BUSHSTORE_BENCHMARKS_PEERS_PEER_WORKLOAD_H_
#define BUSHSTORE_BENCHMARKS_PEERS_PEER_WORKLOAD_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/failure.h"
#include "benchmarks/key_ledger.h"
#include "benchmarks/thread_stats.h"
#include "benchmarks/value_codec.h"
#include "benchmarks/verifier.h"
#include "util/random.h"
#include "ycsbc/store.h"

namespace leveldb::peers {

struct PeerPhase;

struct PeerWorkload {
  const char* name;
  void (*run)(PeerPhase* phase);
  bool writes;
  bool fresh;              // begins with an empty store
  uint64_t latency_count;  // how many operations one latency covers
  uint64_t timed_one_in;   // one in this many operations is timed
  bool is_default;         // runs if no workloads are chosen
};

// Returns all workloads, in the order in which they should run.
const std::vector<PeerWorkload>& AllWorkloads();

// Returns null if there is no workload of that name.
const PeerWorkload* FindWorkload(const std::string& name);

// PeerPhase is one run of one workload, with its arguments. The pointers are not owned.
struct PeerPhase {
  const PeerWorkload* workload;
  ycsbc::StoreSession* session;
  const bench::ValuePool* pool;
  const bench::Verifier* verifier;
  bench::Failure* failure;
  bench::ThreadStats* stats;
  bench::Generation generation;  // of what it writes; 0 if it does not
  uint64_t num;
  uint64_t reads;
  uint64_t seeks;
  uint64_t value_size;
  Random random;
  bench::KeyLedger::Written written{};                              // its writes, for the ledger
  std::optional<std::chrono::steady_clock::time_point> deadline{};  // none: all operations are done

  // Reports a failure if the store answered with an error. Returns false for an error.
  bool Check(const Status& status) const;

  // Returns whether the time limit of the workload has passed.
  bool IsOver() const {
    return deadline.has_value() && std::chrono::steady_clock::now() >= *deadline;
  }
};

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_PEER_WORKLOAD_H_
