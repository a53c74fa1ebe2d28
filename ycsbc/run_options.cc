#include "ycsbc/run_options.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "util/text.h"
#include "ycsbc/bindings.h"
#include "ycsbc/properties.h"
#include "ycsbc/property_reader.h"

namespace leveldb::ycsbc {

namespace {

constexpr uint64_t kThreadsMax = 1024;

// The arguments, sorted by their use.
struct Arguments {
  std::vector<std::string> files;        // -P
  std::vector<std::string> assignments;  // -p
  std::string threads;
  std::string seed;
  std::string pmpath;
  bool says_what_to_do = false;  // one of -load, -run and -check was given
};

// Options of YCSB-C and of stores that were measured with it, which have no effect here.
constexpr const char* kMeaningless[] = {
    "-dboption", "-dbwaitforbalance", "-flushssd", "-host", "-port", "-slaves"};

constexpr const char* kYes[] = {"true", "1", "yes", "y", "on"};
constexpr const char* kNo[] = {"false", "0", "no", "n", "off"};

bool IsOneOf(const char* const* begin, const char* const* end, const char* word) {
  return std::any_of(begin, end, [word](const char* one) { return strcmp(one, word) == 0; });
}

bool SaysYes(const char* word) {
  return IsOneOf(std::begin(kYes), std::end(kYes), word);
}

// Returns whether argument i is a value of the flag before it.
bool TakesValue(int argc, const char* const* argv, int i) {
  return i < argc && (SaysYes(argv[i]) || IsOneOf(std::begin(kNo), std::end(kNo), argv[i]));
}

std::string TakeNumber(const char* option, const std::string& text, uint64_t least, uint64_t most,
                       uint64_t* number) {
  if (text.empty()) return "";
  Slice rest(text);
  uint64_t parsed = 0;
  if (ConsumeDecimal(&rest, &parsed) && rest.empty() && parsed >= least && parsed <= most) {
    *number = parsed;
    return "";
  }
  return std::string(option) + " must be a whole number from " + std::to_string(least) + " to " +
         std::to_string(most) + ", and is \"" + Escaped(text) + "\"";
}

std::string SplitArguments(int argc, const char* const* argv, RunOptions* options,
                           Arguments* arguments, bool* wants_help) {
  // Published command lines give values to these flags.
  const struct {
    const char* name;
    bool* flag;
  } flags[] = {{"-load", &options->load},
               {"-run", &options->run},
               {"-check", &options->check},
               {"-dbstatistics", &options->statistics},
               {"-timeseries", &options->time_series},
               {"-latency", &options->latency},
               {"-h", wants_help},
               {"-help", wants_help}};
  const struct {
    const char* name;
    std::string* value;                // the last counts,
    std::vector<std::string>* values;  // or each
  } settings[] = {{"-db", &options->binding, nullptr},
                  {"-dbpath", &options->store.path, nullptr},
                  {"-dbfilename", &options->store.path, nullptr},
                  {"-path", &options->store.path, nullptr},
                  {"-pmpath", &arguments->pmpath, nullptr},
                  {"-threads", &arguments->threads, nullptr},
                  {"-json", &options->json, nullptr},
                  {"-deviceaccount", &options->device_account, nullptr},
                  {"-seed", &arguments->seed, nullptr},
                  {"-P", nullptr, &arguments->files},
                  {"-p", nullptr, &arguments->assignments}};
  const bool* const phases[] = {&options->load, &options->run, &options->check};
  for (int i = 1; i < argc; ++i) {
    std::string name = argv[i];
    if (name.rfind("--", 0) == 0) name.erase(0, 1);
    const auto has_name = [&name](const auto& option) { return name == option.name; };
    if (const auto* flag = std::find_if(std::begin(flags), std::end(flags), has_name);
        flag != std::end(flags)) {
      *flag->flag = TakesValue(argc, argv, i + 1) ? SaysYes(argv[++i]) : true;
      arguments->says_what_to_do |=
          std::find(std::begin(phases), std::end(phases), flag->flag) != std::end(phases);
      continue;
    }
    if (std::find(std::begin(kMeaningless), std::end(kMeaningless), name) !=
        std::end(kMeaningless)) {
      if (++i == argc) return name + " needs a value after it";
      options->ignored.push_back(name);
      continue;
    }
    const auto* setting = std::find_if(std::begin(settings), std::end(settings), has_name);
    if (setting == std::end(settings)) {
      return "there is no option \"" + Escaped(Slice(argv[i])) + "\"; -h lists them";
    }
    if (++i == argc || *argv[i] == '\0') return name + " needs a value after it";
    if (setting->value != nullptr) {
      *setting->value = argv[i];
    } else {
      setting->values->push_back(argv[i]);
    }
  }
  return "";
}

// Sets the options for a command line without an action, as those of YCSB-C: it loads and runs.
// Without a path it uses a new directory, which is made at the end of parsing.
void LoadAndRun(RunOptions* options) {
  options->load = true;
  options->run = true;
  options->is_temporary = options->store.path.empty();
  if (!options->is_temporary) return;
  const char* const parent = std::getenv("TMPDIR");
  options->store.path =
      std::string(parent != nullptr && *parent != '\0' ? parent : "/tmp") + "/ycsbc-XXXXXX";
}

// Makes a directory that no other program uses, since it is removed with its contents.
std::string MakeTemporary(std::string* path) {
  if (mkdtemp(path->data()) != nullptr) return "";
  return "cannot make the directory " + *path + ": " + strerror(errno) +
         "; say with -dbpath where the store is to be";
}

std::string ReadProperties(const Arguments& arguments, Properties* properties) {
  for (const std::string& file : arguments.files) {
    const std::string mistake = properties->AddFile(file);
    if (!mistake.empty()) return mistake;
  }
  for (const std::string& assignment : arguments.assignments) {
    const std::string mistake = properties->AddArgument(assignment);
    if (!mistake.empty()) return mistake;
  }
  return "";
}

void ReadThreads(PropertyReader* reader, uint64_t* threads) {
  reader->Read("threadcount", threads, 1, kThreadsMax);
}

std::string ReadAllProperties(const Properties& properties, const std::string& pmpath,
                              RunOptions* options) {
  PropertyReader reader(properties);
  options->workload = ReadCoreWorkload(&reader);
  auto threads = static_cast<uint64_t>(options->threads);
  ReadThreads(&reader, &threads);
  const std::string path = options->store.path;
  options->store = ReadStoreOptions(options->binding, pmpath, &reader);
  options->store.path = path;
  options->threads = static_cast<int>(threads);
  options->properties = PropertiesThatCount(reader, options->binding, options->store);
  const std::string unknown = reader.FindUnknown();
  return unknown.empty() ? reader.mistake() : unknown;
}

std::string FindMistake(const RunOptions& options) {
  if (!options.load && !options.run && !options.check) {
    return "nothing to do: give -load, -run or -check a true, or none of them to load and run";
  }
  const std::string bad_store =
      FindStoreMistake(options.binding, options.store, "-", "dbpath", "pmpath");
  if (!bad_store.empty()) return bad_store;
  if (options.run && options.workload.operation_count == 0) {
    return "operationcount is missing: say how many operations -run does, as in "
           "-p operationcount=1000";
  }
  return "";
}

}  // namespace

std::string ParseCommandLine(int argc, const char* const* argv, RunOptions* options,
                             bool* wants_help) {
  *wants_help = false;
  Arguments arguments;
  Properties properties;
  std::string mistake = SplitArguments(argc, argv, options, &arguments, wants_help);
  if (*wants_help) return "";
  if (!arguments.says_what_to_do) LoadAndRun(options);
  if (mistake.empty()) mistake = ReadProperties(arguments, &properties);
  if (mistake.empty()) mistake = ReadAllProperties(properties, arguments.pmpath, options);
  auto threads = static_cast<uint64_t>(options->threads);
  if (mistake.empty()) {
    mistake = TakeNumber("-threads", arguments.threads, 1, kThreadsMax, &threads);
  }
  options->threads = static_cast<int>(threads);
  if (mistake.empty()) {
    mistake = TakeNumber("-seed", arguments.seed, 0, UINT64_MAX, &options->seed);
  }
  if (mistake.empty()) mistake = FindMistake(*options);
  if (mistake.empty() && options->is_temporary) mistake = MakeTemporary(&options->store.path);
  return mistake;
}

std::string HelpText() {
  std::string text =
      "ycsbc runs the core workloads of YCSB on a key-value store, and checks every read.\n"
      "\n"
      "usage: ycsbc [-dbpath DIR] [-load] [-run] [-check] [option ...]\n"
      "       ycsbc FILE\n"
      "\n"
      "FILE holds command lines: before each the number of its words, at the end a 0.\n"
      "\n"
      "  -db NAME        the store:" +
      BindingWords() +
      "; default leveldb\n"
      "  -dbpath DIR     where it is, also -path and -dbfilename (default: a new directory, which\n"
      "                  is removed at the end; of a run that does nothing but load and run)\n"
      "  -pmpath PATH    give leveldb a tier on persistent memory, its pool there: a directory, a\n"
      "                  file or a /dev/dax device\n"
      "  -load           load the records; with insertstart=0 into an empty store\n"
      "  -run            do the operations; after -load, with the store opened again\n"
      "  -check          after that, read every record once, in the order of their numbers;\n"
      "                  without any of the three: -load -run\n"
      "  -threads N      clients at a time (default 1)\n"
      "  -P FILE         read properties from a file; may be repeated\n"
      "  -p NAME=VALUE   set a property; counts before files\n"
      "  -latency        time every operation, and print percentiles\n"
      "  -timeseries     print a line each second\n"
      "  -dbstatistics   print what the store says of itself\n"
      "  -json FILE      write all figures as JSON\n"
      "  -deviceaccount FILE\n"
      "                  count device reads by this file of a control group: io.stat, or\n"
      "                  blkio.throttle.io_serviced\n"
      "  -seed N         what all random numbers follow from (default 1)\n"
      "\n"
      "Flags may be followed by true or false. -dboption, -host, -port, -slaves, -flushssd and\n"
      "-dbwaitforbalance, with a value each, are accepted and mean nothing here: published\n"
      "command lines have them.\n"
      "\n"
      "  -h              this\n"
      "\n"
      "Properties and their defaults (docs/benchmarking.md tells what they mean):\n";
  const Properties none;
  PropertyReader reader(none);
  ReadCoreWorkload(&reader);
  uint64_t threads = 1;
  ReadThreads(&reader, &threads);
  ReadStoreOptions("", "", &reader);
  for (const auto& [name, value] : reader.values()) {
    const bool is_left_to_the_user =
        name == "recordcount" || name == "operationcount" || name == "insertcount";
    text += "  " + name + (is_left_to_the_user ? "" : "=" + value) + "\n";
  }
  return text +
         "\nExit code: 0; 1 when the store reported an error; 2 when the command line or a "
         "property is wrong;\n3 when the store gave wrong data.\n";
}

}  // namespace leveldb::ycsbc
