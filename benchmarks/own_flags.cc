#include "benchmarks/own_flags.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>

namespace leveldb::bench {

namespace {

bool WantsHelp() {
  std::string value;
  return gflags::GetCommandLineOption("help", &value) && value == "true";
}

}  // namespace

std::vector<gflags::CommandLineFlagInfo> FlagsOf(const char* source_file) {
  std::vector<gflags::CommandLineFlagInfo> all;
  gflags::GetAllFlags(&all);
  std::vector<gflags::CommandLineFlagInfo> own;
  std::copy_if(all.begin(), all.end(), std::back_inserter(own),
               [source_file](const gflags::CommandLineFlagInfo& flag) {
                 return flag.filename == source_file;
               });
  return own;
}

void ReadFlags(int* argc, char*** argv, std::string (*help)()) {
  gflags::ParseCommandLineNonHelpFlags(argc, argv, true);
  if (WantsHelp()) {
    std::fputs(help().c_str(), stdout);
    std::exit(0);
  }
  gflags::HandleCommandLineHelpFlags();
}

}  // namespace leveldb::bench
