// RunOptions are the command line and the properties of a run of ycsbc.
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
  bool statistics = false;           // print the store's own statistics
  bool time_series = false;          // print a line each second
  bool latency = false;              // time every operation
  std::string json;                  // file name; empty: no report
  std::string device_account;        // a control group's account; empty: reads are not counted
  bool is_temporary = false;         // the store's path is a new one, to be removed after the run
  std::vector<std::string> ignored;  // options of other programs that have no effect here
  uint64_t seed = 1;
  CoreWorkload workload;
  StoreOptions store;  // path and use_pm included

  // The properties of the workload and of the binding, as used in this run.
  std::map<std::string, std::string> properties;
};

// Reads the command line. Returns an error as a sentence without a full stop, or "". If *wants_help
// is set, nothing else was checked.
std::string ParseCommandLine(int argc, const char* const* argv, RunOptions* options,
                             bool* wants_help);

// Returns all options and properties with their meaning.
std::string HelpText();

}  // namespace leveldb::ycsbc

#endif  // BUSHSTORE_YCSBC_RUN_OPTIONS_H_
