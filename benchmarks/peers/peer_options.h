// PeerOptions are the options of a run of peer_bench.
#ifndef BUSHSTORE_BENCHMARKS_PEERS_PEER_OPTIONS_H_
#define BUSHSTORE_BENCHMARKS_PEERS_PEER_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/peers/peer_workload.h"
#include "ycsbc/store_options.h"

namespace leveldb::peers {

struct PeerOptions {
  std::string binding = "leveldb";
  std::vector<const PeerWorkload*> workloads;
  uint64_t num = 1'000'000;
  uint64_t reads = 0;  // 0: as many as num
  uint64_t seeks = 0;  // 0: a twentieth of num
  uint64_t value_size = 1024;
  uint64_t seed = 301;
  uint64_t rest_millis = 1000;
  double max_seconds = 0;       // time limit of a workload that reads; 0: none
  double max_fill_seconds = 0;  // the same for one that writes
  bool settle = false;          // after writes, sync the file system to the device
  std::string device_account;   // the control group's file; empty: no number of reads
  std::string json;             // file name; empty: no report
  ycsbc::StoreOptions store;

  // The properties of the binding, as used in this run.
  std::map<std::string, std::string> properties;
};

// Reads the command line: --NAME=VALUE, each a property. Returns an error as a sentence without a
// full stop, or "". If *wants_help is set, nothing else was checked.
std::string ParseCommandLine(int argc, const char* const* argv, PeerOptions* options,
                             bool* wants_help);

std::string HelpText();

}  // namespace leveldb::peers

#endif  // BUSHSTORE_BENCHMARKS_PEERS_PEER_OPTIONS_H_
