// ycsbc runs the core workloads of YCSB on LevelDB and on other stores, and checks what it reads.
// docs/benchmarking.md explains its use.
//
// It only uses the public interface of the libraries it measures: the same binary runs with any
// libleveldb of the same binary interface (LD_LIBRARY_PATH). From command line to result:
//
//   RunOptions (Properties -> CoreWorkload, StoreOptions) -> YcsbRun -> for load, run and check: a
//   Phase -> Clients, each with a StoreSession, generators and a RecordChecker -> PhaseResult ->
//   YcsbReport
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "ycsbc/command_file.h"
#include "ycsbc/run_failure.h"
#include "ycsbc/run_options.h"
#include "ycsbc/ycsb_run.h"

namespace {

using leveldb::ycsbc::ExitCode;

// Runs one command line.
ExitCode RunCommandLine(int argc, const char* const* argv) {
  leveldb::ycsbc::RunOptions options;
  bool wants_help = false;
  const std::string mistake = leveldb::ycsbc::ParseCommandLine(argc, argv, &options, &wants_help);
  if (wants_help) {
    std::fputs(leveldb::ycsbc::HelpText().c_str(), stdout);
    return ExitCode::kSuccess;
  }
  if (!mistake.empty()) {
    std::fprintf(stderr, "ycsbc: %s.\n", mistake.c_str());
    return ExitCode::kBadUsage;
  }
  std::error_code ignored;
  // BushStore's published command lines put both into one directory.
  const bool shares =
      options.store.leveldb.use_pm && options.store.leveldb.pmem.path == options.store.path;
  if (shares) std::filesystem::create_directories(options.store.path, ignored);
  for (const std::string& name : options.ignored) {
    std::fprintf(stderr, "ycsbc: %s means nothing here and is left out.\n", name.c_str());
  }
  const ExitCode code = leveldb::ycsbc::YcsbRun(options).Run();
  if (options.is_temporary) std::filesystem::remove_all(options.store.path, ignored);
  return code;
}

// Runs all command lines of a file, up to the first that fails.
ExitCode RunCommandFile(const char* path) {
  std::vector<std::vector<std::string>> commands;
  const std::string mistake = leveldb::ycsbc::ReadCommandFile(path, &commands);
  if (!mistake.empty()) {
    std::fprintf(stderr, "ycsbc: %s.\n", mistake.c_str());
    return ExitCode::kBadUsage;
  }
  for (const std::vector<std::string>& command : commands) {
    std::vector<const char*> words;
    for (const std::string& word : command) words.push_back(word.c_str());
    const ExitCode code = RunCommandLine(static_cast<int>(words.size()), words.data());
    if (code != ExitCode::kSuccess) return code;
  }
  return ExitCode::kSuccess;
}

}  // namespace

int main(int argc, char** argv) {
  const bool is_file = argc == 2 && argv[1][0] != '-';
  return static_cast<int>(is_file ? RunCommandFile(argv[1]) : RunCommandLine(argc, argv));
}
