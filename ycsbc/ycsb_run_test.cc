// Tests whole runs in this process, on a correct store and on a faulty one, whose every fault must
// be detected.
#include "ycsbc/ycsb_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "testing/seed.h"
#include "ycsbc/memory_store.h"

namespace leveldb::ycsbc {
namespace {

// Removed when ycsbc removes a store.
constexpr char kStoreIsHere[] = "memory_store";

class YcsbRunTest : public testing::Test {
 protected:
  ~YcsbRunTest() override { std::filesystem::remove_all(directory_); }

  RunOptions Options(const std::vector<std::string>& more) const {
    std::vector<const char*> arguments = {"ycsbc",           "-dbpath", directory_.c_str(),   "-p",
                                          "recordcount=500", "-p",      "operationcount=3000"};
    for (const std::string& argument : more) arguments.push_back(argument.c_str());
    RunOptions options;
    bool wants_help = false;
    EXPECT_EQ("", ParseCommandLine(static_cast<int>(arguments.size()), arguments.data(), &options,
                                   &wants_help));
    return options;
  }

  ExitCode Run(const std::vector<std::string>& more) {
    YcsbRun run(Options(more), [this](const StoreOptions& options, std::unique_ptr<Store>* store) {
      opened_with_.push_back(options);
      const bool goes_on = std::filesystem::exists(directory_ + "/" + kStoreIsHere);
      if (options.create && !goes_on) disk_.entries.clear();
      std::ofstream(directory_ + "/" + kStoreIsHere) << "x";
      *store = std::make_unique<MemoryStore>(&disk_);
      return Status::OK();
    });
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const ExitCode code = run.Run();
    output_ = testing::internal::GetCapturedStdout();
    errors_ = testing::internal::GetCapturedStderr();
    report_ = run.report();
    return code;
  }

  static std::vector<std::string> Mix(const std::string& mix, const std::string& more = "") {
    std::vector<std::string> arguments = {"-p", "readproportion=0", "-p", "updateproportion=0"};
    const auto add = [&arguments](const std::string& assignment) {
      if (assignment.empty()) return;
      arguments.push_back("-p");
      arguments.push_back(assignment);
    };
    add(mix);
    add(more);
    return arguments;
  }

  static std::vector<std::string> With(std::vector<std::string> arguments,
                                       const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  // Loads, makes the store faulty, and runs: the fault must be reported with these words.
  void ExpectFoundOut(const std::function<void()>& spoil, const std::vector<std::string>& run,
                      const std::string& words) {
    ASSERT_EQ(ExitCode::kSuccess, Run({"-load"})) << errors_;
    spoil();
    EXPECT_EQ(ExitCode::kWrongData, Run(With(run, {"-run"}))) << output_;
    EXPECT_NE(std::string::npos, errors_.find("wrong data: key user")) << errors_;
    EXPECT_NE(std::string::npos, errors_.find(words)) << errors_;
    EXPECT_EQ(1, std::count(errors_.begin(), errors_.end(), '\n')) << errors_;
  }

  const std::string directory_ = testing::TempDir() + "/ycsb_run_test." + std::to_string(getpid());
  MemoryDisk disk_;
  std::vector<StoreOptions> opened_with_;
  YcsbReport report_;
  std::string output_;
  std::string errors_;
};

const char* const kEveryMix[] = {"readproportion=1", "updateproportion=1", "insertproportion=1",
                                 "scanproportion=1", "readmodifywriteproportion=1"};

TEST_F(YcsbRunTest, EveryOperationOnARightStore) {
  const int operations = testkit::Scaled(3000);
  const std::vector<std::string> whole = {"-p", "operationcount=" + std::to_string(operations),
                                          "-load", "-run", "-latency"};
  for (const char* mix : kEveryMix) {
    for (const char* more :
         {"requestdistribution=uniform", "requestdistribution=zipfian",
          "requestdistribution=latest", "writeallfields=true", "readallfields=false",
          "insertorder=ordered", "zeropadding=25", "field_len_dist=zipfian", "fieldcount=1",
          "zipfianvalue=1.1", "maxscanlength=600", "scanlengthdistribution=zipfian"}) {
      EXPECT_EQ(ExitCode::kSuccess, Run(With(Mix(mix, more), whole)))
          << mix << " " << more << ": " << errors_;
      ASSERT_EQ(2u, report_.phases.size());
      EXPECT_EQ(500u, report_.phases[0].operations);
      EXPECT_EQ(static_cast<uint64_t>(operations), report_.phases[1].operations);
    }
  }
}

TEST_F(YcsbRunTest, ARunEndsWhenItsTimeHasPassedAndALoadDoesNot) {
  ASSERT_EQ(ExitCode::kSuccess, Run({"-load", "-run", "-p", "maxexecutiontime=1e-9"})) << errors_;
  ASSERT_EQ(2u, report_.phases.size());
  EXPECT_EQ(500u, report_.phases[0].operations);
  EXPECT_EQ(0u, report_.phases[1].operations);
  ASSERT_EQ(ExitCode::kSuccess, Run({"-run", "-p", "maxexecutiontime=100000"})) << errors_;
  EXPECT_EQ(3000u, report_.phases[0].operations);
}

TEST_F(YcsbRunTest, PhasesDoNotLeakIntoEachOther) {
  const std::vector<std::string> mix = {"-latency", "-p", "requestdistribution=zipfian"};
  EXPECT_EQ(ExitCode::kSuccess, Run(With(mix, {"-load", "-run"})));
  const std::vector<PhaseResult> together = report_.phases;
  ASSERT_EQ(2u, together.size());
  EXPECT_EQ(2u, opened_with_.size());
  EXPECT_TRUE(opened_with_[0].create);
  EXPECT_FALSE(opened_with_[1].create);
  const MemoryDisk& disk = disk_;
  const std::map<std::string, std::string> entries = disk.entries;

  EXPECT_EQ(ExitCode::kSuccess, Run(With(mix, {"-load"})));
  const PhaseResult load = report_.phases.at(0);
  EXPECT_EQ(ExitCode::kSuccess, Run(With(mix, {"-run"})));
  const PhaseResult run = report_.phases.at(0);
  EXPECT_EQ(entries, disk.entries) << "the same operations in the same order";

  const auto inserts = static_cast<size_t>(Operation::kInsert);
  for (size_t i = 0; i < kOperations; ++i) {
    EXPECT_EQ(load.by_operation[i].operations, together[0].by_operation[i].operations);
    EXPECT_EQ(run.by_operation[i].operations, together[1].by_operation[i].operations);
    EXPECT_EQ(run.by_operation[i].latency.has_value(),
              together[1].by_operation[i].latency.has_value());
    EXPECT_EQ(i == inserts, together[0].by_operation[i].latency.has_value());
    if (!together[1].by_operation[i].latency.has_value()) continue;
    EXPECT_EQ(together[1].by_operation[i].operations, together[1].by_operation[i].latency->Count());
  }
  EXPECT_EQ(together[1].operations, run.operations);
  EXPECT_EQ(together[1].bytes, run.bytes);
  EXPECT_EQ(500u, together[0].by_operation[inserts].latency->Count());
}

TEST_F(YcsbRunTest, AnotherSeedDoesOtherThings) {
  const std::vector<std::string> phases = {"-load", "-run", "-p", "requestdistribution=zipfian"};
  EXPECT_EQ(ExitCode::kSuccess, Run(phases));
  const std::map<std::string, std::string> first = disk_.entries;
  EXPECT_EQ(ExitCode::kSuccess, Run(phases));
  EXPECT_EQ(first, disk_.entries);
  EXPECT_EQ(ExitCode::kSuccess, Run(With(phases, {"-seed", "2"})));
  EXPECT_NE(first, disk_.entries);
}

TEST_F(YcsbRunTest, InsertsOfEarlierRunsAreKnownLater) {
  EXPECT_EQ(ExitCode::kSuccess, Run({"-load"}));
  for (int i = 1; i <= 3; ++i) {
    EXPECT_EQ(ExitCode::kSuccess, Run(With(Mix("insertproportion=1"), {"-run"}))) << errors_;
    EXPECT_EQ(500u + 3000u * static_cast<size_t>(i), disk_.entries.size());
  }
  EXPECT_EQ(ExitCode::kSuccess, Run(With(Mix("scanproportion=1"), {"-run"}))) << errors_;
}

TEST_F(YcsbRunTest, LoadingInParts) {
  EXPECT_EQ(ExitCode::kSuccess, Run({"-load", "-p", "insertcount=200"}));
  EXPECT_EQ(ExitCode::kBadUsage, Run({"-run"}));
  EXPECT_NE(std::string::npos, errors_.find("recordcount is 500, but the records in")) << errors_;
  EXPECT_EQ(ExitCode::kBadUsage, Run({"-load", "-p", "insertstart=300"}));
  EXPECT_NE(std::string::npos, errors_.find("insertstart is 300, but the records")) << errors_;
  EXPECT_EQ(ExitCode::kSuccess, Run({"-load", "-p", "insertstart=200"})) << errors_;
  EXPECT_EQ(500u, disk_.entries.size());
  EXPECT_EQ(ExitCode::kSuccess, Run({"-run"})) << errors_;
}

TEST_F(YcsbRunTest, AnotherShapeOrStoreIsTold) {
  EXPECT_EQ(ExitCode::kSuccess, Run({"-load"}));
  EXPECT_EQ(ExitCode::kBadUsage, Run({"-run", "-p", "fieldcount=3"}));
  EXPECT_NE(std::string::npos, errors_.find(" was loaded with fieldcount=10 ")) << errors_;
}

TEST_F(YcsbRunTest, FilesOfOthersAreLeftAlone) {
  std::filesystem::create_directories(directory_ + "/precious");
  EXPECT_EQ(ExitCode::kBadUsage, Run({"-load"}));
  EXPECT_NE(std::string::npos, errors_.find("holds files that are not ycsbc's")) << errors_;
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/precious"));
}

TEST_F(YcsbRunTest, ALostRecord) {
  for (const char* mix :
       {"readproportion=1", "updateproportion=1", "readmodifywriteproportion=1"}) {
    ExpectFoundOut([this] { disk_.entries.erase(std::next(disk_.entries.begin(), 250)); }, Mix(mix),
                   "it was not found, though version 1 had been acknowledged");
  }
  ExpectFoundOut([this] { disk_.entries.erase(std::next(disk_.entries.begin(), 250)); },
                 Mix("scanproportion=1"), "a scan passed it over");
}

TEST_F(YcsbRunTest, AWrongByte) {
  const auto spoil = [this] { std::next(disk_.entries.begin(), 250)->second[577] ^= 4; };
  for (const char* mix : kEveryMix) {
    if (mix == std::string("insertproportion=1")) continue;
    ExpectFoundOut(spoil, Mix(mix), ": field 5 has 0x");
  }
}

TEST_F(YcsbRunTest, AnotherRecordsValue) {
  ExpectFoundOut([this] { disk_.entries.begin()->second = disk_.entries.rbegin()->second; },
                 Mix("readproportion=1"), ": field 0 has the stamp ");
}

TEST_F(YcsbRunTest, AValueCutOff) {
  ExpectFoundOut([this] { disk_.entries.begin()->second.resize(999); }, Mix("readproportion=1"),
                 ": the value is cut off in field 9: it has 999 bytes");
}

TEST_F(YcsbRunTest, AnOldValue) {
  std::map<std::string, std::string> old;
  ASSERT_EQ(ExitCode::kSuccess, Run({"-load"}));
  old = disk_.entries;
  ASSERT_EQ(ExitCode::kSuccess, Run(With(Mix("updateproportion=1"), {"-run"}))) << errors_;
  disk_.entries = old;
  EXPECT_EQ(ExitCode::kWrongData, Run(With(Mix("readproportion=1"), {"-run"})));
  EXPECT_NE(std::string::npos, errors_.find("it is in version 1, though version ")) << errors_;
}

TEST_F(YcsbRunTest, AnUpdateThatNeverCame) {
  ExpectFoundOut(
      [this] {
        disk_.instead_of_put = [this, writes = 0](const std::string& key,
                                                  const std::string& value) mutable {
          if (++writes != 100) disk_.entries[key] = value;
          return Status::OK();
        };
      },
      Mix("updateproportion=1", "requestdistribution=zipfian"), "though version ");
}

TEST_F(YcsbRunTest, AWriteThatIsTorn) {
  ExpectFoundOut(
      [this] {
        disk_.instead_of_put = [this, writes = 0](const std::string& key,
                                                  const std::string& value) mutable {
          std::string& entry = disk_.entries[key];
          entry = ++writes == 100 ? value.substr(0, 500) + entry.substr(500) : value;
          return Status::OK();
        };
      },
      Mix("updateproportion=1", "requestdistribution=zipfian"), ": field ");
}

TEST_F(YcsbRunTest, AnInsertThatNeverCame) {
  std::vector<std::string> mix = Mix("insertproportion=0.5", "requestdistribution=latest");
  ExpectFoundOut(
      [this] {
        disk_.instead_of_put = [this, writes = 0](const std::string& key,
                                                  const std::string& value) mutable {
          if (++writes % 10 != 0) disk_.entries[key] = value;
          return Status::OK();
        };
      },
      With(mix, {"-p", "readproportion=0.5"}), "it was not found");
}

// A check finds faults of records that no operation reads.
TEST_F(YcsbRunTest, ACheckReadsEveryRecord) {
  ASSERT_EQ(ExitCode::kSuccess, Run({"-load", "-run", "-check", "-threads", "3"})) << errors_;
  ASSERT_EQ(3u, report_.phases.size());
  EXPECT_EQ(500u, report_.phases[2].by_operation[0].operations);
  EXPECT_EQ(500u, report_.phases[2].operations);
  disk_.instead_of_put = [this, writes = 0](const std::string& key,
                                            const std::string& value) mutable {
    if (++writes != 100) disk_.entries[key] = value;
    return Status::OK();
  };
  EXPECT_EQ(ExitCode::kSuccess, Run(With(Mix("insertproportion=1"), {"-run"}))) << errors_;
  EXPECT_EQ(ExitCode::kWrongData, Run({"-check"}));
  EXPECT_NE(std::string::npos, errors_.find("(record 599): it was not found")) << errors_;
}

TEST_F(YcsbRunTest, AScanThatEndsEarly) {
  ExpectFoundOut([this] { disk_.scan_ends_after = 1; }, Mix("scanproportion=1", "minscanlength=2"),
                 "ended before it");
}

TEST_F(YcsbRunTest, AStoreThatFailsIsNoWrongStore) {
  ASSERT_EQ(ExitCode::kSuccess, Run({"-load"}));
  disk_.instead_of_put = [](const std::string&, const std::string&) {
    return Status::IOError("disk", "full");
  };
  EXPECT_EQ(ExitCode::kStoreFailed, Run({"-run", "-threads", "4"}));
  EXPECT_EQ(0u, errors_.find("ycsbc: a write of key user")) << errors_;
  EXPECT_NE(std::string::npos, errors_.find("failed: IO error: disk: full.")) << errors_;
}

// A run that did not end leaves unknown versions; contents and presence are checked.
TEST_F(YcsbRunTest, AfterAKilledRunVersionsAreLearned) {
  ASSERT_EQ(ExitCode::kSuccess, Run({"-load"}));
  const std::map<std::string, std::string> old = disk_.entries;
  disk_.instead_of_put = [this, writes = 0](const std::string& key,
                                            const std::string& value) mutable {
    if (++writes == 1000) return Status::IOError("disk", "full");
    disk_.entries[key] = value;
    return Status::OK();
  };
  EXPECT_EQ(ExitCode::kStoreFailed, Run(With(Mix("updateproportion=1"), {"-run"})));
  disk_.instead_of_put = nullptr;
  for (const char* mix : kEveryMix) {
    EXPECT_EQ(ExitCode::kSuccess, Run(With(Mix(mix), {"-run"}))) << mix << errors_;
    EXPECT_FALSE(report_.knows_versions);
  }
  EXPECT_EQ(ExitCode::kSuccess,
            Run(With(Mix("updateproportion=1", "writeallfields=true"), {"-run"})));
  EXPECT_NE(std::string::npos, output_.find("versions from their first sight on")) << output_;
  disk_.entries.erase(old.begin()->first);
  EXPECT_EQ(ExitCode::kWrongData, Run(With(Mix("readproportion=1"), {"-run"})));
  EXPECT_EQ(ExitCode::kSuccess, Run({"-load", "-run"})) << "a load begins anew";
}

}  // namespace
}  // namespace leveldb::ycsbc
