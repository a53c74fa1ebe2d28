#include "benchmarks/peers/peer_options.h"

#include <algorithm>
#include <sstream>

#include "benchmarks/value_codec.h"
#include "util/text.h"
#include "ycsbc/bindings.h"
#include "ycsbc/properties.h"
#include "ycsbc/property_reader.h"

namespace leveldb::peers {

namespace {

using ycsbc::Properties;
using ycsbc::PropertyReader;

// The ledger takes a byte of memory per key.
constexpr uint64_t kNumMax = 2'000'000'000;
constexpr uint64_t kValueSizeMax = uint64_t{1} << 30;
constexpr uint64_t kRestMillisMax = 60'000;
constexpr double kSecondsMax = 1e6;
constexpr uint64_t kSeeksShare = 20;

std::string TakeArguments(int argc, const char* const* argv, Properties* properties,
                          bool* wants_help) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    *wants_help = argument == "--help" || argument == "-h";
    if (*wants_help) return "";
    if (argument.rfind("--", 0) != 0 || argument.find('=') == std::string::npos) {
      return "options look like --name=value, and \"" + Escaped(argument) +
             "\" does not; --help lists them";
    }
    const std::string mistake = properties->AddArgument(argument.substr(2));
    if (!mistake.empty()) return mistake;
  }
  return "";
}

// Returns the names of the default workloads, or of the others.
std::string WorkloadNames(bool are_default) {
  std::string names;
  for (const PeerWorkload& workload : AllWorkloads()) {
    if (workload.is_default != are_default) continue;
    names += (names.empty() ? "" : ",") + std::string(workload.name);
  }
  return names;
}

std::string FindWorkloads(const std::string& names, std::vector<const PeerWorkload*>* workloads) {
  std::istringstream rest(names);
  std::string name;
  while (std::getline(rest, name, ',')) {
    const PeerWorkload* const workload = FindWorkload(name);
    if (workload == nullptr) {
      return "there is no workload \"" + Escaped(name) + "\"; there are " + WorkloadNames(true) +
             "," + WorkloadNames(false);
    }
    workloads->push_back(workload);
  }
  if (!workloads->empty() && workloads->front()->fresh) return "";
  return "the workloads must begin with a fill: the store is empty";
}

// Reads all properties, each with its default.
std::string ReadAll(PropertyReader* reader, PeerOptions* options, std::string* workloads,
                    std::string* pool_path) {
  *workloads = WorkloadNames(/*are_default=*/true);
  reader->Read("db", &options->binding);
  reader->Read("workloads", workloads);
  reader->Read("num", &options->num, 1, kNumMax);
  reader->Read("reads", &options->reads, 0, kNumMax);
  reader->Read("seeks", &options->seeks, 0, kNumMax);
  reader->ReadSize("value_size", &options->value_size, bench::kValueHeaderSize, kValueSizeMax);
  reader->Read("seed", &options->seed, 0, UINT64_MAX);
  reader->Read("rest_millis", &options->rest_millis, 0, kRestMillisMax);
  reader->Read("max_seconds", &options->max_seconds, 0, kSecondsMax);
  reader->Read("max_fill_seconds", &options->max_fill_seconds, 0, kSecondsMax);
  reader->Read("settle", &options->settle);
  reader->Read("device_account", &options->device_account);
  reader->Read("json", &options->json);
  std::string path;
  reader->Read("path", &path);
  reader->Read("pm_path", pool_path);
  options->store = ycsbc::ReadStoreOptions(options->binding, *pool_path, reader);
  options->store.path = path;
  options->properties = ycsbc::PropertiesThatCount(*reader, options->binding, options->store);
  for (const char* own :
       {"db", "workloads", "num", "reads", "seeks", "value_size", "seed", "rest_millis",
        "max_seconds", "max_fill_seconds", "settle", "device_account", "json", "path", "pm_path"}) {
    options->properties.erase(own);
  }
  const std::string unknown = reader->FindUnknown();
  return unknown.empty() ? reader->mistake() : unknown;
}

}  // namespace

std::string ParseCommandLine(int argc, const char* const* argv, PeerOptions* options,
                             bool* wants_help) {
  *wants_help = false;
  Properties properties;
  std::string mistake = TakeArguments(argc, argv, &properties, wants_help);
  if (*wants_help || !mistake.empty()) return mistake;
  PropertyReader reader(properties);
  std::string workloads;
  std::string pool_path;
  mistake = ReadAll(&reader, options, &workloads, &pool_path);
  if (mistake.empty()) mistake = FindWorkloads(workloads, &options->workloads);
  if (options->reads == 0) options->reads = options->num;
  if (options->seeks == 0) options->seeks = std::max<uint64_t>(1, options->num / kSeeksShare);
  if (!mistake.empty()) return mistake;
  return ycsbc::FindStoreMistake(options->binding, options->store, "--", "path", "pm_path");
}

std::string HelpText() {
  std::string text =
      "peer_bench runs db_bench's workloads on one store, and checks every read.\n"
      "\n"
      "usage: peer_bench --path=DIR [--name=value ...]\n"
      "\n"
      "  --db=NAME         the store:" +
      ycsbc::BindingWords() +
      "; default leveldb\n"
      "  --path=DIR        where it is made: a new or empty directory\n"
      "  --pm_path=PATH    give leveldb a tier on persistent memory, its pool there\n"
      "  --num=N           keys (default 1000000)\n"
      "  --value_size=N    bytes of a value (default 1024)\n"
      "  --reads=N         point reads (default: num)\n"
      "  --seeks=N         seeks, each with the next 100 entries (default: num / 20)\n"
      "  --seed=N          what all random numbers follow from (default 301)\n"
      "  --rest_millis=N   after writes, wait until the store has written nothing for so long\n"
      "                    (default 1000)\n"
      "  --max_seconds=S   end a workload that reads after so many seconds (default 0: do all)\n"
      "  --max_fill_seconds=S\n"
      "                    end one that writes, and the run with it (default 0: do all)\n"
      "  --settle=true     after writes, wait until the file system has them on the device\n"
      "  --device_account=FILE\n"
      "                    count device reads by this file of a control group: io.stat, or\n"
      "                    blkio.throttle.io_serviced\n"
      "  --json=FILE       write all figures as JSON\n"
      "  --workloads=LIST  separated by commas; the default is\n"
      "                    ";
  text += WorkloadNames(/*are_default=*/true) +
          "\n                    and there are\n                    " +
          WorkloadNames(/*are_default=*/false) + "\n\nThe store's options and their defaults:\n";
  const Properties none;
  PropertyReader reader(none);
  ycsbc::ReadStoreOptions("", "", &reader);
  for (const auto& [name, value] : reader.values()) text += "  --" + name + "=" + value + "\n";
  return text +
         "\nExit code: 0; 1 when the store reported an error; 2 when the command line is wrong;\n"
         "3 when the store gave wrong data.\n";
}

}  // namespace leveldb::peers
