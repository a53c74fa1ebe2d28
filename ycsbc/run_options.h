// What a run of ycsbc was asked to do: its command line and properties.
#ifndef BUSHSTORE_YCSBC_RUN_OPTIONS_H_
#define BUSHSTORE_YCSBC_RUN_OPTIONS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ycsbc/core_workload.h"
#include "ycsbc/store_options.h"

namespace leveldb::ycsbc {

struct RunOptions {
  std::string binding = "leveldb";
  bool load = false;
  bool run = false;
  bool check = false;  // read every record at the end
  int threads = 1;
  bool statistics = false;           // print what the store says of itself
  bool time_series = false;          // print a line each second
  bool latency = false;              // time every operation
  std::string json;                  // file name; empty: no report
  std::string device_account;        // of the control group; empty: device reads are not counted
  bool is_temporary = false;         // the store's path is a new one, to be removed after the run
  std::vector<std::string> ignored;  // options of other programs that mean nothing here
  uint64_t seed = 1;
  CoreWorkload workload;
  StoreOptions store;  // path and use_pm included

  // The workload's properties and the binding's, as they count in this run.
  std::map<std::string, std::string> properties;
};

// Reads the command line. Returns what is wrong as a sentence without a full stop, or "".
// *wants_help means that nothing else was looked at.
std::string ParseCommandLine(int argc, const char* const* argv, RunOptions* options,
                             bool* wants_help);

// All options and properties with their meaning.
std::string HelpText();

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RUN_OPTIONS_H_
