// leveldbutil: a command-line tool that dumps database files and repairs databases.

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/dumpfile.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"

namespace leveldb {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;

constexpr char kUsage[] =
    "usage: leveldbutil COMMAND ARGUMENTS\n"
    "\n"
    "  leveldbutil dump FILE...   print logs (NNNNNN.log), manifests (MANIFEST-NNNNNN) and tables\n"
    "                             (NNNNNN.ldb, NNNNNN.sst) as text; damage is shown in the text\n"
    "  leveldbutil repair DIR     make the damaged database in DIR openable again; what was saved\n"
    "                             and what was lost is told in DIR/LOG, and files that were taken\n"
    "                             out are in DIR/lost (only for the default order of keys)\n"
    "  leveldbutil --help         print this\n"
    "  leveldbutil --version      print the release of LevelDB that this is compatible with\n"
    "\n"
    "Exit code: 0 done, 1 something failed (the reason is on standard error), 2 wrong usage.\n";

// Writes to standard output, which it does not close.
class StandardOutput final : public WritableFile {
 public:
  Status Append(const Slice& data) override {
    return Check(fwrite(data.data(), 1, data.size(), stdout) == data.size());
  }
  Status Close() override { return Flush(); }
  Status Flush() override { return Check(fflush(stdout) == 0); }
  Status Sync() override { return Flush(); }

 private:
  static Status Check(bool succeeded) {
    return succeeded ? Status::OK() : Status::IOError("standard output", strerror(errno));
  }
};

// Prints a failure. Returns the exit code.
int Report(const Status& status) {
  if (status.ok()) return kExitOk;
  fprintf(stderr, "leveldbutil: %s\n", status.ToString().c_str());
  return kExitFailure;
}

int ReportWrongUsage(const std::string& what) {
  fprintf(stderr, "leveldbutil: %s\n\n%s", what.c_str(), kUsage);
  return kExitUsage;
}

// Dumps all files, including those after one that cannot be read.
int Dump(const std::vector<std::string>& files) {
  if (files.empty()) return ReportWrongUsage("dump: which files?");
  int exit_code = kExitOk;
  StandardOutput output;
  for (const std::string& file : files) {
    if (files.size() > 1) printf("=== %s\n", file.c_str());
    Status status = DumpFile(Env::Default(), file, &output);
    const Status flushed = output.Flush();
    if (status.ok()) status = flushed;
    if (Report(status) != kExitOk) exit_code = kExitFailure;
  }
  return exit_code;
}

int Repair(const std::vector<std::string>& directories) {
  if (directories.size() != 1) return ReportWrongUsage("repair: which one database?");
  RepairReport repair;
  const int exit_code =
      Report(RepairDBAndReport(directories[0], Options(), /*without_pool=*/false, &repair));
  if (exit_code != kExitOk || !repair.lost_everything) return exit_code;
  fprintf(stderr, "leveldbutil: nothing could be saved of %s, which is an empty database now:\n%s",
          directories[0].c_str(), repair.text.c_str());
  return kExitFailure;
}

int Main(const std::vector<std::string>& words) {
  if (words.empty()) return ReportWrongUsage("which command?");
  const std::string& command = words[0];
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  if (command == "--help" || command == "-h" || command == "help") {
    fputs(kUsage, stdout);
    return kExitOk;
  }
  if (command == "--version") {
    printf("leveldbutil %d.%d\n", kMajorVersion, kMinorVersion);
    return kExitOk;
  }
  if (command == "dump") return Dump(arguments);
  if (command == "repair") return Repair(arguments);
  return ReportWrongUsage("unknown command: " + command);
}

}  // namespace
}  // namespace leveldb

int main(int argc, char** argv) {
  return leveldb::Main(std::vector<std::string>(argv + 1, argv + argc));
}
