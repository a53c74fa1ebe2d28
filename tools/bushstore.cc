// bushstore: a command-line tool that inspects pools of persistent memory and the databases that
// use them, and moves databases out of them.

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "leveldb/comparator.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"
#include "tools/read_only_env.h"
#include "tools/report.h"
#include "tools/stats_report.h"
#include "tools/stored_order.h"

namespace leveldb {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitFailure = 1;
constexpr int kExitUsage = 2;
constexpr int kExitFindings = 3;

constexpr char kUsage[] =
    "usage: bushstore COMMAND ARGUMENTS [--json]\n"
    "\n"
    "About pools of persistent memory\n"
    "  info PATH                  what is at PATH, a directory with pools, a pool, or a device: "
    "its\n"
    "                             size, its database, the device behind it and its health\n"
    "  gc PATH [--remove]         the pools in directory PATH whose databases do not name them "
    "any\n"
    "                             more, and those that a repair has set aside; with --remove they\n"
    "                             are removed (where a database was moved to is known once it has\n"
    "                             been opened there)\n"
    "\n"
    "About databases (which no program may have open)\n"
    "  stats DB                   the state of the tier and of the tables\n"
    "  check DB                   read everything: every tree, extent, table and reference\n"
    "  dump DB                    all keys and values, a line each, in the order of the keys\n"
    "  drain DB                   move everything into tables and remove the pool: from then on "
    "any\n"
    "                             LevelDB can open DB\n"
    "  backup DB DIR              write a drained copy to DIR; DB stays as it is\n"
    "  repair DB                  make a plain database of what can be read, in the pool as well\n"
    "  repair DB --without-pool   the same without the pool, and tell what is lost with it\n"
    "\n"
    "  --json                     results as JSON (dump: an object a line)\n"
    "  --                         what follows is a path, also if it begins with a dash\n"
    "  --help, --version\n"
    "\n"
    "stats, check, dump and drain finish what an interrupted write has left, as every open does.\n"
    "Where DB may not be written to, stats, check, dump and backup do so in memory; with a pool\n"
    "they cannot. dump prints a database with another order of keys as it is stored.\n"
    "A plain database stays plain, also where LEVELDB_PMEM_CONVERT is set.\n"
    "Otherwise only the default order of keys is known.\n"
    "\n"
    "Exit code: 0 done, 1 something failed or could not be read (the reason is on standard\n"
    "error), 2 wrong usage, 3 check has found damage, info a pool that can't be opened, or\n"
    "repair nothing that could be saved.\n";

// The parsed command line.
struct Words {
  std::string command;
  std::vector<std::string> arguments;
  bool json = false;
  bool remove = false;
  bool without_pool = false;
};

int Fail(const Status& status) {
  fprintf(stderr, "bushstore: %s\n", status.ToString().c_str());
  return kExitFailure;
}

// Prints a result. Returns the exit code: `code` if printing succeeded.
int Show(const Words& words, const Report& report, int code = kExitOk) {
  const std::string text = words.json ? report.Json() + "\n" : report.Text();
  const bool written =
      fwrite(text.data(), 1, text.size(), stdout) == text.size() && fflush(stdout) == 0;
  return written ? code : Fail(Status::IOError("standard output", strerror(errno)));
}

// Returns options that open a database for reading without changing whether it has a tier. (main
// removes the environment variable that converts plain databases.)
PmemOptions AsItIs() {
  PmemOptions options;
  options.require = false;
  return options;
}

// A database that is only read. If nothing may be written to its directory, the tables that an open
// makes from logs stay in memory.
class Opened {
 public:
  explicit Opened(const std::string& name) : name_(name) {
    if (IsReadOnlyDirectory(name)) env_ = std::make_unique<ReadOnlyEnv>(Env::Default(), name);
  }

  // Returns options for a function that opens the database.
  Options options() const {
    Options options;
    if (env_ != nullptr) options.env = env_.get();
    return options;
  }

  // Returns an error for a database with a pool if nothing may be written: opening a pool changes
  // its root.
  Status CheckPlain() const {
    if (env_ == nullptr || !Env::Default()->FileExists(name_ + "/PMEM")) return Status::OK();
    return Status::NotSupported(name_,
                                "may not be written to, and has its newest data in a pool, "
                                "which an open has to write to: mount it writable");
  }

  Status Open() {
    Status status = CheckPlain();
    if (!status.ok()) return status;
    PmemDB* opened = nullptr;
    status = PmemOpen(options(), AsItIs(), name_, &opened);
    db_.reset(opened);
    return status;
  }

  PmemDB* operator->() const { return db_.get(); }

 private:
  const std::string name_;
  std::unique_ptr<ReadOnlyEnv> env_;
  std::unique_ptr<PmemDB> db_;
};

// ---- pools -------------------------------------------------------------------------------------

Report Describe(const PmemPoolInfo& pool) {
  Report report;
  report.Add("pool", pool.path);
  report.Add("problem", pool.problem);
  report.Add("id", pool.id);
  report.Add("database", pool.database);
  report.Add("device", pool.device);
  report.Add("health", pool.health);
  if (pool.size > 0) {
    report.Add("bytes", pool.size);
    report.Add("ceiling", pool.ceiling);
    report.Add("extent bytes", pool.extent_size);
    report.Add("epoch", pool.epoch);
    report.Add("closed in order", pool.was_closed);
  }
  report.Add("set aside", pool.is_set_aside);
  report.Add("orphan", pool.is_orphan);
  report.Add("orphan because", pool.orphan_because);
  std::vector<Report> bad_ranges;
  for (const PmemBadRange& bad : pool.bad_ranges) {
    Report one;
    one.Add("offset", bad.offset);
    one.Add("bytes", bad.bytes);
    one.Add("contents", bad.contents);
    bad_ranges.push_back(one);
  }
  report.Add("bad ranges", bad_ranges);
  return report;
}

Report Describe(const PmemDeviceInfo& device) {
  Report report;
  report.Add("path", device.path);
  report.Add("file_system", device.file_system);
  report.Add("block_device", device.block_device);
  report.Add("dax", device.dax);
  report.Add("namespace", device.namespace_name);
  report.Add("mode", device.namespace_mode);
  report.Add("health", device.health);
  report.Add("bad_blocks", device.bad_blocks);
  report.Add("persistence_domain", device.persistence_domain);
  report.Add("medium", device.medium);
  report.Add("medium_text", device.medium_text);
  return report;
}

int Info(const Words& words) {
  PmemDeviceInfo device;
  Status status = DescribePmemDevice(words.arguments[0], &device);
  if (!status.ok()) return Fail(status);
  std::vector<PmemPoolInfo> pools;
  status = DescribePools(words.arguments[0], &pools);
  std::vector<Report> list;
  bool is_sound = status.ok();
  for (const PmemPoolInfo& pool : pools) {
    list.push_back(Describe(pool));
    is_sound &= pool.problem.empty();
  }
  Report report;
  report.Add("path", words.arguments[0]);
  report.Add("device", Describe(device));
  if (!status.ok()) report.Add("problem", status.ToString());
  report.Add("number of pools", static_cast<uint64_t>(list.size()));
  report.Add("pools", list);
  return Show(words, report, is_sound ? kExitOk : kExitFindings);
}

int CollectGarbage(const Words& words) {
  std::vector<PmemPoolInfo> pools;
  const Status status = DescribePools(words.arguments[0], &pools);
  if (!status.ok()) return Fail(status);
  std::vector<Report> list;
  std::vector<Report> unreadable;
  int code = kExitOk;
  for (const PmemPoolInfo& pool : pools) {
    if (!pool.problem.empty() && !pool.is_set_aside) unreadable.push_back(Describe(pool));
    if (!pool.is_orphan && !pool.is_set_aside) continue;
    Report found = Describe(pool);
    if (words.remove) {
      const Status removed = RemoveOrphanPool(pool);
      found.Add("removed", removed.ok());
      if (!removed.ok()) code = Fail(removed);
    }
    list.push_back(found);
  }
  Report report;
  report.Add("number of orphans", static_cast<uint64_t>(list.size()));
  report.Add("orphans", list);
  // It is not known which databases these pools belong to: they are not removed here.
  report.Add("number of unreadable pools", static_cast<uint64_t>(unreadable.size()));
  report.Add("unreadable pools", unreadable);
  return Show(words, report, code);
}

// ---- databases ---------------------------------------------------------------------------------

int Stats(const Words& words) {
  Opened db(words.arguments[0]);
  const Status status = db.Open();
  if (!status.ok()) return Fail(status);
  Report report;
  report.Add("database", words.arguments[0]);
  std::string text;
  const bool has_tier = db->GetProperty("leveldb.pmem", &text);
  report.Add("has tier", has_tier);
  if (has_tier) {
    Report tier;
    std::vector<PmemPoolInfo> pools;
    const Status described = DescribePools(words.arguments[0], &pools);
    if (!described.ok()) return Fail(described);
    tier.Add("pool", pools[0].path);
    tier.Add("id", pools[0].id);
    AddTierMetrics(text, &tier);
    report.Add("tier", tier);
  }
  if (db->GetProperty("leveldb.stats", &text)) report.Add("tables", TableMetrics(text));
  for (int level = 0; level < 7; level++) {
    const std::string property = "leveldb.num-files-at-level" + std::to_string(level);
    if (db->GetProperty(property, &text)) {
      report.AddFigure("files at level " + std::to_string(level), text);
    }
  }
  return Show(words, report);
}

int Check(const Words& words) {
  std::string text;
  const Opened db(words.arguments[0]);
  Status status = db.CheckPlain();
  if (status.ok()) status = CheckDB(words.arguments[0], db.options(), AsItIs(), &text);
  // If the report is empty, the database could not be opened and nothing was checked.
  if (!status.ok() && text.empty()) return Fail(status);
  Report report;
  report.Add("database", words.arguments[0]);
  report.Add("sound", status.ok());
  if (!status.ok()) report.Add(status.IsIOError() ? "unreadable" : "damage", status.ToString());
  report.Add("report", Lines(text));
  if (status.IsIOError()) {
    // Data that was not read may be sound.
    const int shown = Show(words, report, kExitFailure);
    static_cast<void>(Fail(status));
    return shown;
  }
  return Show(words, report, status.ok() ? kExitOk : kExitFindings);
}

int EndOfOutput() {
  if (fflush(stdout) == 0 && ferror(stdout) == 0) return kExitOk;
  return Fail(Status::IOError("standard output", strerror(errno)));
}

// Prints the entries of a database whose order of keys is not known, in the order in which they are
// stored.
int DumpStored(const Words& words, const std::string& comparator) {
  const std::string& name = words.arguments[0];
  fprintf(stderr,
          "bushstore: %s is ordered by the comparator %s, which is not known here: its entries are "
          "printed as they are stored, table by table and then log by log, with older versions and "
          "deletions.\n",
          name.c_str(), PlainText(comparator).c_str());
  const Status status = ReadStoredEntries(Env::Default(), name, [&words](const StoredEntry& entry) {
    const std::string sequence = std::to_string(entry.sequence);
    std::string line;
    if (words.json) {
      line = "{\"file\": " + JsonString(entry.file) + ", \"sequence\": " + sequence +
             ", \"key\": " + JsonString(entry.key) +
             (entry.is_deletion ? ", \"deleted\": true}\n"
                                : ", \"value\": " + JsonString(entry.value) + "}\n");
    } else {
      line = entry.file + " @ " + sequence + ": " + PlainText(entry.key) +
             (entry.is_deletion ? " is deleted\n" : " => " + PlainText(entry.value) + "\n");
    }
    return fwrite(line.data(), 1, line.size(), stdout) == line.size();
  });
  return status.ok() ? EndOfOutput() : Fail(status);
}

int Dump(const Words& words) {
  std::string comparator;
  Status status = ReadComparatorName(Env::Default(), words.arguments[0], &comparator);
  if (status.ok() && !comparator.empty() && comparator != BytewiseComparator()->Name()) {
    return DumpStored(words, comparator);
  }
  // If there is any problem with the manifest, the open reports it.
  Opened db(words.arguments[0]);
  status = db.Open();
  if (!status.ok()) return Fail(status);
  ReadOptions options;
  options.verify_checksums = true;
  options.fill_cache = false;
  const std::unique_ptr<Iterator> entries(db->NewIterator(options));
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    const std::string line =
        words.json ? "{\"key\": " + JsonString(entries->key()) +
                         ", \"value\": " + JsonString(entries->value()) + "}\n"
                   : PlainText(entries->key()) + " => " + PlainText(entries->value()) + "\n";
    if (fwrite(line.data(), 1, line.size(), stdout) != line.size()) break;
  }
  if (!entries->status().ok()) return Fail(entries->status());
  return EndOfOutput();
}

int Drain(const Words& words) {
  const Status status = DrainDB(words.arguments[0], Options(), AsItIs());
  if (!status.ok()) return Fail(status);
  Report report;
  report.Add("drained", words.arguments[0]);
  return Show(words, report);
}

int Backup(const Words& words) {
  const Opened db(words.arguments[0]);
  Status status = db.CheckPlain();
  if (status.ok()) {
    status = BackupDB(words.arguments[0], db.options(), AsItIs(), words.arguments[1]);
  }
  if (!status.ok()) return Fail(status);
  Report report;
  report.Add("database", words.arguments[0]);
  report.Add("copy", words.arguments[1]);
  return Show(words, report);
}

int Repair(const Words& words) {
  RepairReport repair;
  const Status status =
      RepairDBAndReport(words.arguments[0], Options(), words.without_pool, &repair);
  if (!status.ok()) return Fail(status);
  Report report;
  if (repair.lost_everything) {
    report.Add("database", words.arguments[0]);
    report.Add("repaired", false);
    report.Add("lost everything", true);
  } else {
    report.Add("repaired", words.arguments[0]);
  }
  report.Add("entries", repair.entries);
  report.Add("report", Lines(repair.text));
  report.Add("details in", words.arguments[0] + "/LOG");
  return Show(words, report, repair.lost_everything ? kExitFindings : kExitOk);
}

// ---- the command line --------------------------------------------------------------------------

struct Command {
  const char* name;
  size_t arguments;
  const char* switch_name;  // the switch that it accepts besides --json; may be null
  int (*run)(const Words& words);
};

constexpr Command kCommands[] = {
    {"info", 1, nullptr, Info},     {"gc", 1, "--remove", CollectGarbage},
    {"stats", 1, nullptr, Stats},   {"check", 1, nullptr, Check},
    {"dump", 1, nullptr, Dump},     {"drain", 1, nullptr, Drain},
    {"backup", 2, nullptr, Backup}, {"repair", 1, "--without-pool", Repair},
};

int ReportWrongUsage(const std::string& what) {
  fprintf(stderr, "bushstore: %s\n\n%s", what.c_str(), kUsage);
  return kExitUsage;
}

int ShowUsage() {
  fputs(kUsage, stdout);
  return kExitOk;
}

bool AsksForHelp(const std::string& word) {
  return word == "--help" || word == "-h";
}

int Run(const Command& command, const std::vector<std::string>& rest, bool json) {
  Words words;
  words.command = command.name;
  words.json = json;
  bool only_paths = false;  // after "--"
  for (const std::string& word : rest) {
    if (only_paths || word.substr(0, 1) != "-") {
      words.arguments.push_back(word);
    } else if (word == "--") {
      only_paths = true;
    } else if (AsksForHelp(word)) {
      return ShowUsage();
    } else if (word == "--json") {
      words.json = true;
    } else if (command.switch_name != nullptr && word == command.switch_name) {
      words.remove = words.without_pool = true;
    } else {
      return ReportWrongUsage(words.command + ": no such option: " + word);
    }
  }
  if (words.arguments.size() == command.arguments) return command.run(words);
  return ReportWrongUsage(words.command + ": takes " + std::to_string(command.arguments) +
                          (command.arguments == 1 ? " path" : " paths"));
}

int Main(const std::vector<std::string>& words) {
  // A plain database that is inspected stays plain, whatever the environment requests for other
  // programs.
  unsetenv("LEVELDB_PMEM_CONVERT");
  // The command is the first word that is not --json.
  size_t first = 0;
  while (first < words.size() && words[first] == "--json") first++;
  if (first == words.size()) return ReportWrongUsage("which command?");
  const std::string& name = words[first];
  if (AsksForHelp(name) || name == "help") return ShowUsage();
  if (name == "--version") {
    printf("bushstore for LevelDB %d.%d\n", kMajorVersion, kMinorVersion);
    return kExitOk;
  }
  for (const Command& command : kCommands) {
    if (name != command.name) continue;
    const auto rest = words.begin() + static_cast<ptrdiff_t>(first) + 1;
    return Run(command, std::vector<std::string>(rest, words.end()), first > 0);
  }
  return ReportWrongUsage("no such command: " + name);
}

}  // namespace
}  // namespace leveldb

int main(int argc, char** argv) {
  return leveldb::Main(std::vector<std::string>(argv + 1, argv + argc));
}
