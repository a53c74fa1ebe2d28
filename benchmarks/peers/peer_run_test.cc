// Tests whole runs in this process, on a correct store and on a faulty one, whose every fault must
// be detected.
#include "benchmarks/peers/peer_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "ycsbc/memory_store.h"

namespace leveldb::peers {
namespace {

using ycsbc::ExitCode;

class PeerRunTest : public testing::Test {
 protected:
  ExitCode Run(const std::string& workloads, const std::string& more = "--seed=301") {
    const std::string path =
        "--path=" + testing::TempDir() + "/peer_run_test." + std::to_string(getpid());
    const std::string list = "--workloads=" + workloads;
    const char* const arguments[] = {"peer_bench", path.c_str(),       list.c_str(),
                                     "--num=1000", "--value_size=100", "--rest_millis=0",
                                     more.c_str()};
    PeerOptions options;
    bool wants_help = false;
    EXPECT_EQ("", ParseCommandLine(static_cast<int>(std::size(arguments)), arguments, &options,
                                   &wants_help));
    PeerRun run(options, [this](const ycsbc::StoreOptions& store_options,
                                std::unique_ptr<ycsbc::Store>* store) {
      EXPECT_TRUE(store_options.create);
      disk_.entries.clear();
      *store = std::make_unique<ycsbc::MemoryStore>(&disk_);
      return Status::OK();
    });
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    const ExitCode code = run.Run();
    testing::internal::GetCapturedStdout();
    errors_ = testing::internal::GetCapturedStderr();
    report_ = run.report();
    return code;
  }

  // Calls `write` instead of a write, from the 200th one on.
  void SpoilWrites(const std::function<void(const std::string&, const std::string&)>& write) {
    disk_.instead_of_put = [this, write, writes = 0](const std::string& key,
                                                     const std::string& value) mutable {
      if (++writes < 200) {
        disk_.entries[key] = value;
      } else {
        write(key, value);
      }
      return Status::OK();
    };
  }

  void ExpectFoundOut(const std::string& workloads, const std::string& words) {
    EXPECT_EQ(ExitCode::kWrongData, Run(workloads)) << workloads;
    EXPECT_EQ(0u, errors_.find("peer_bench: wrong data: ")) << errors_;
    EXPECT_NE(std::string::npos, errors_.find(words)) << workloads << ": " << errors_;
  }

  ycsbc::MemoryDisk disk_;
  PeerReport report_;
  std::string errors_;
};

const char* const kEveryRead[] = {"readrandom",  "readseq",    "readseq_values",
                                  "readreverse", "seekrandom", "seekrandom_values",
                                  "seekordered"};

TEST_F(PeerRunTest, ARightStoreDoesEverything) {
  std::string all;
  size_t count = 0;
  for (const PeerWorkload& workload : AllWorkloads()) {
    if (!workload.is_default) continue;
    all += (all.empty() ? "" : ",") + std::string(workload.name);
    count++;
  }
  ASSERT_EQ(ExitCode::kSuccess, Run(all)) << errors_;
  ASSERT_EQ(count, report_.results.size());
  for (const PeerResult& result : report_.results) {
    const PeerWorkload& workload = *FindWorkload(result.figures.name);
    const bool is_seek = result.figures.name.rfind("seek", 0) == 0;
    const bool is_scan = workload.latency_count > 1;
    EXPECT_EQ(is_seek ? 50u : is_scan ? disk_.entries.size() : 1000u, result.figures.operations);
    const uint64_t latencies = is_scan ? (disk_.entries.size() + 99) / 100
                                       : (1000 + workload.timed_one_in - 1) / workload.timed_one_in;
    EXPECT_EQ(is_seek ? 50u : latencies, result.figures.latency->Count()) << workload.name;
    EXPECT_EQ(workload.writes, result.rest_seconds.has_value());
    EXPECT_TRUE(!workload.writes || result.timed_one_in == 1) << workload.name;
  }
  EXPECT_EQ(3u * 1000 * 116, report_.user_bytes);
  EXPECT_EQ(disk_.entries.size() * 116, report_.live_bytes);
  EXPECT_TRUE(report_.written_bytes.has_value());
}

TEST_F(PeerRunTest, ARightStoreDoesWhatMustBeAskedFor) {
  ASSERT_EQ(ExitCode::kSuccess, Run("fillbatch,readhot,readreverse,seekordered,deleterandom"))
      << errors_;
  const std::vector<PeerResult>& results = report_.results;
  ASSERT_EQ(5u, results.size());
  const uint64_t operations[] = {1000, 1000, 1000, 50, 1000};
  const uint64_t latencies[] = {1, 125, 10, 50, 1000};
  for (size_t i = 0; i < results.size(); i++) {
    EXPECT_EQ(operations[i], results[i].figures.operations) << results[i].figures.name;
    EXPECT_EQ(latencies[i], results[i].figures.latency->Count()) << results[i].figures.name;
  }
  EXPECT_EQ(1000u * 116 + 1000u * 16, report_.user_bytes);
  EXPECT_LT(0u, disk_.entries.size());
  EXPECT_GT(1000u, disk_.entries.size());
  EXPECT_EQ(disk_.entries.size() * 116, report_.live_bytes);
}

TEST_F(PeerRunTest, EachKeyIsWrittenOnceInRandomOrder) {
  ASSERT_EQ(ExitCode::kSuccess, Run("fillseq,readrandom"));
  const size_t keys = disk_.entries.size();
  std::vector<std::string> order;
  disk_.instead_of_put = [this, &order](const std::string& key, const std::string& value) {
    disk_.entries[key] = value;
    order.push_back(key);
    return Status::OK();
  };
  ASSERT_EQ(ExitCode::kSuccess, Run("filluniquerandom,readrandom,readmissing,readseq_values"))
      << errors_;
  EXPECT_EQ(keys, order.size());
  EXPECT_EQ(keys, disk_.entries.size());
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
}

TEST_F(PeerRunTest, ReadsEndWhenTheirTimeHasPassed) {
  ASSERT_EQ(ExitCode::kSuccess,
            Run("fillseq,readrandom,readmissing,readseq,seekrandom", "--max_seconds=1e-9"))
      << errors_;
  ASSERT_EQ(5u, report_.results.size());
  const uint64_t operations[] = {1000, 0, 0, 100, 0};  // a scan reads the clock only so often
  for (size_t i = 0; i < report_.results.size(); i++) {
    EXPECT_EQ(operations[i], report_.results[i].figures.operations);
  }
}

TEST_F(PeerRunTest, NothingIsReadOfAFillWhoseTimeHasPassed) {
  ASSERT_EQ(ExitCode::kSuccess, Run("fillrandom,readrandom", "--max_fill_seconds=1e-9")) << errors_;
  ASSERT_EQ(1u, report_.results.size());
  EXPECT_EQ(0u, report_.results[0].figures.operations);
  ASSERT_EQ(ExitCode::kSuccess, Run("fillrandom,readrandom", "--max_fill_seconds=100000"));
  EXPECT_EQ(2u, report_.results.size());
}

TEST_F(PeerRunTest, DeviceReadsAreThoseOfTheAccount) {
  const std::string account =
      testing::TempDir() + "/peer_run_test.account." + std::to_string(getpid());
  std::ofstream(account) << "254:0 Read 7\nTotal 7\n";
  ASSERT_EQ(ExitCode::kSuccess, Run("fillseq,readseq", "--device_account=" + account));
  EXPECT_EQ(0u, report_.results[1].device.reads);
  ASSERT_EQ(ExitCode::kSuccess, Run("fillseq,readseq"));
  EXPECT_EQ(std::nullopt, report_.results[1].device.reads);
  std::filesystem::remove(account);
}

TEST_F(PeerRunTest, WhatHasBeenDeletedIsGone) {
  ASSERT_EQ(ExitCode::kSuccess, Run("fillseq,deleterandom,readrandom,readreverse,seekrandom"));
  ASSERT_EQ(ExitCode::kSuccess, Run("fillseq,deleteseq,readrandom,readseq,overwrite,readrandom"));
  EXPECT_EQ(0u, report_.results[2].figures.found.value_or(0));
  EXPECT_EQ(0u, report_.results[3].figures.operations);
  EXPECT_LT(0u, report_.results[5].figures.found.value_or(0));
}

TEST_F(PeerRunTest, ADeleteThatNeverCame) {
  disk_.instead_of_delete = [](const std::string&) { return Status::OK(); };
  for (const char* deletes : {"deleterandom", "deleteseq"}) {
    for (const char* read : {"readrandom", "readhot", "readseq", "readreverse", "seekordered"}) {
      ExpectFoundOut("fillbatch," + std::string(deletes) + "," + read, "though it was deleted");
    }
  }
}

TEST_F(PeerRunTest, TheSameRunWritesTheSame) {
  ASSERT_EQ(ExitCode::kSuccess, Run("fillrandom"));
  const auto first = disk_.entries;
  ASSERT_EQ(ExitCode::kSuccess, Run("fillrandom"));
  EXPECT_EQ(first, disk_.entries);
}

TEST_F(PeerRunTest, ALostWrite) {
  SpoilWrites([](const std::string&, const std::string&) {});
  for (const char* read : kEveryRead) {
    ExpectFoundOut(std::string("fillseq,") + read, "was written and ");
    ExpectFoundOut(std::string("fillbatch,") + read, "was written and ");
  }
}

TEST_F(PeerRunTest, AWrongByte) {
  SpoilWrites([this](const std::string& key, std::string value) {
    value[77] ^= 1;
    disk_.entries[key] = value;
  });
  for (const char* read : {"readrandom", "readseq_values", "seekrandom_values"}) {
    ExpectFoundOut(std::string("fillseq,") + read, "has a wrong value");
  }
}

TEST_F(PeerRunTest, AWrongSizeIsSeenWithoutReadingValues) {
  SpoilWrites([this](const std::string& key, const std::string& value) {
    disk_.entries[key] = value.substr(1);
  });
  for (const char* read : {"readseq", "readreverse", "seekrandom", "seekordered"}) {
    ExpectFoundOut(std::string("fillseq,") + read, "a scan gave a value of 99 bytes");
  }
}

TEST_F(PeerRunTest, AnOverwriteThatNeverCame) {
  SpoilWrites([this](const std::string& key, const std::string& value) {
    disk_.entries.emplace(key, value);
  });
  ExpectFoundOut("fillseq,overwrite,readrandom", "overwrote it");
}

TEST_F(PeerRunTest, AScanThatEndsEarly) {
  disk_.scan_ends_after = 90;
  for (const char* read :
       {"readseq", "readseq_values", "readreverse", "seekrandom", "seekrandom_values"}) {
    ExpectFoundOut(std::string("fillseq,") + read, "an iterator passed over it");
  }
}

TEST_F(PeerRunTest, AKeyThatWasNeverWritten) {
  disk_.lie_to_get = [](const std::string&, Status* status, std::string*) {
    *status = Status::OK();
  };
  ExpectFoundOut("fillseq,readmissing", "was found and never written");
}

TEST_F(PeerRunTest, AStoreThatFailsIsNoWrongStore) {
  disk_.instead_of_put = [](const std::string&, const std::string&) {
    return Status::IOError("disk", "full");
  };
  EXPECT_EQ(ExitCode::kStoreFailed, Run("fillrandom"));
  EXPECT_EQ("peer_bench: fillrandom failed: IO error: disk: full.\n", errors_);
}

}  // namespace
}  // namespace leveldb::peers
