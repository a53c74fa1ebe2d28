// db_bench's workloads over the interface that all stores have.
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
  uint64_t latency_count;  // operations of which the latency is that of all together
  uint64_t timed_one_in;   // of so many operations one is timed
  bool is_default;         // is run where none is chosen
};

// In the order in which they make sense.
const std::vector<PeerWorkload>& AllWorkloads();

// Null if there is none of that name.
const PeerWorkload* FindWorkload(const std::string& name);

// One run of one workload, and what it works with. The pointers are not owned.
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
  bench::KeyLedger::Written written{};  // what it wrote, for the ledger
  std::optional<std::chrono::steady_clock::time_point> deadline{};  // none: it does everything

  // Tells the failure that the store answered with an error. Returns false for an error.
  bool Check(const Status& status) const;

  // Whether the time has passed that the workload may take.
  bool IsOver() const {
    return deadline.has_value() && std::chrono::steady_clock::now() >= *deadline;
  }
};

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_PEER_WORKLOAD_H_
