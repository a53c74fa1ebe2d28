// power_writer: verifies a database after a power failure, and then writes to it until the next.
//
//   power_writer NAME OPTION=VALUE...
//
//   page     the file with the acknowledgement page, and
//   slot     the slot of this database in it
//   db       the database's directory
//   pool     where its pool is made; without it the database has no tier
//   promise  `every` acknowledged write survives a power failure, or those that are `synced` and
//            all before them
//   seed, threads (3), size (of the pool, in MiB), spill_percent (85)
//   assume   1: assume_pmem; guard 1: guard_faults
//   seconds  how long it writes; without it, until the power fails
//
// Each line that it prints begins with NAME. If something is wrong it prints that, sets the slot's
// state accordingly, and exits with 1.

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/db.h"
#include "leveldb/options.h"
#include "leveldb/pmem.h"
#include "leveldb/status.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/threads.h"
#include "testing/vm/acknowledgement_page.h"
#include "testing/vm/numbered_writes.h"

namespace leveldb {
namespace testkit {
namespace {

class PowerWriter {
 public:
  PowerWriter(int count, char** words)
      : name_(words[1]),
        words_(ReadWords(count, words)),
        threads_(Number("threads", 3)),
        page_(Word("page"), Number("slot", 0), threads_),
        every_write_is_durable_(Word("promise") != "synced") {
    options_.create_if_missing = true;
    options_.write_buffer_size = 128 << 10;
    options_.max_file_size = 1 << 20;
    pmem_.path = Word("pool");
    pmem_.size = static_cast<uint64_t>(Number("size", 16)) << 20;
    pmem_.assume_pmem = Number("assume", 0) != 0;
    pmem_.guard_faults = Number("guard", 0) != 0;
    pmem_.gc_ratio = 0.25;
    pmem_.spill_start = 0.01 * Number("spill_percent", 85);
    pmem_.spill_stop = 0.7 * pmem_.spill_start;
  }

  void Run() {
    if (!page_.problem().empty()) {
      Fail(page_.problem());
    }
    page_.SetJobs(0, 0, 0);
    page_.SetState(SlotState::kVerifying);
    for (int thread = 0; thread < threads_; ++thread) {
      // A database that has promised something must exist.
      options_.create_if_missing = options_.create_if_missing && page_.Durable(thread) == 0;
    }
    // Sometimes the check, sometimes the store is the first to open the database after the power
    // failure.
    const bool is_new = options_.create_if_missing;
    const bool check_first = Dice(Seed() + page_.openings()).OneIn(2);
    if (check_first && !is_new) {
      Check();
    }
    Open();
    Verify();
    if (!check_first) {
      db_.reset();
      Check();
      Open();
    }
    page_.SetState(SlotState::kWriting);
    Say("writing");
    Write();
    db_.reset();
    page_.SetState(SlotState::kDone);
    Say("done");
  }

 private:
  static std::map<std::string, std::string> ReadWords(int count, char** words) {
    std::map<std::string, std::string> read;
    for (int i = 2; i < count; ++i) {
      const std::string word = words[i];
      const size_t equals = word.find('=');
      if (equals == std::string::npos) {
        std::fprintf(stderr, "power_writer: an option is NAME=VALUE, not \"%s\"\n", words[i]);
        std::exit(2);
      }
      read[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return read;
  }

  std::string Word(const std::string& name) const {
    const auto found = words_.find(name);
    return found == words_.end() ? "" : found->second;
  }
  int Number(const std::string& name, int otherwise) const {
    const std::string word = Word(name);
    return word.empty() ? otherwise : std::atoi(word.c_str());
  }
  uint64_t Seed() const { return std::strtoull(Word("seed").c_str(), nullptr, 10); }

  // Writes in one call, so that lines of several writers on one console stay whole.
  void Say(const std::string& text) const {
    const std::string line = name_ + ": " + text + "\n";
    (void)!::write(STDOUT_FILENO, line.data(), line.size());
  }

  [[noreturn]] void Fail(const std::string& text) {
    Say("WRONG " + text);
    if (page_.problem().empty()) {
      page_.SetState(SlotState::kWrong);
    }
    std::_Exit(1);
  }

  void Open() {
    Status status;
    if (pmem_.path.empty()) {
      DB* opened = nullptr;
      status = DB::Open(options_, Word("db"), &opened);
      db_.reset(opened);
    } else {
      PmemDB* opened = nullptr;
      status = PmemOpen(options_, pmem_, Word("db"), &opened);
      db_.reset(opened);
    }
    if (!status.ok()) {
      Fail("open: " + status.ToString());
    }
  }

  void Check() {
    std::string report;
    const Status status = CheckDB(Word("db"), options_, pmem_, &report);
    if (!status.ok()) {
      Fail("check: " + status.ToString() + "\n" + report);
    }
  }

  void Verify() {
    std::vector<NumberedWrites> writes;
    for (int thread = 0; thread < threads_; ++thread) {
      writes.emplace_back(Seed(), thread);
    }
    Contents contents;
    const Status status = ReadContents(db_.get(), &contents);
    if (!status.ok()) {
      Fail("read: " + status.ToString());
    }
    std::string wrong;
    for (const auto& [key, value] : contents) {
      const auto thread = static_cast<size_t>(key.empty() ? 0xff : key[0] - 'a');
      if (thread >= writes.size() || !writes[thread].IsOwnKey(key)) {
        wrong += "wrong: the key " + key + " is of no thread\n";
        continue;
      }
      const std::string problem =
          writes[thread].Found(key, value, page_.Begun(static_cast<int>(thread)));
      wrong += problem.empty() ? "" : problem + "\n";
    }
    std::vector<uint64_t> found;
    std::string ranges;
    for (int thread = 0; thread < threads_; ++thread) {
      const uint64_t durable = page_.Durable(thread);
      const uint64_t begun = page_.Begun(thread);
      uint64_t number = 0;
      writes[static_cast<size_t>(thread)].FindNumber(durable, begun, &number, &wrong);
      found.push_back(number);
      ranges += " " + std::to_string(durable) + "<=" + std::to_string(number) +
                "<=" + std::to_string(begun);
    }
    if (!wrong.empty()) {
      Fail("contents:" + ranges + "\n" + wrong);
    }
    page_.RestartAt(found);
    Say("verified" + ranges + ", keys " + std::to_string(contents.size()));
  }

  void Write() {
    const int seconds = Number("seconds", 0);
    if (seconds > 0) {
      deadline_ = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    }
    Threads threads;
    for (int thread = 0; thread < threads_; ++thread) {
      threads.Run([this, thread] { WriteAs(thread); });
    }
    auto dice = std::make_shared<Dice>(Seed() ^ page_.openings());
    threads.Repeat([this, dice] { Disturb(dice.get()); });
  }

  void WriteAs(int thread) {
    const NumberedWrites writes(Seed(), thread);
    for (uint64_t number = page_.Begun(thread) + 1; std::chrono::steady_clock::now() < deadline_;
         ++number) {
      WriteBatch batch = writes.Batch(number);
      WriteOptions options;
      options.sync = Dice(Seed() + number).OneIn(every_write_is_durable_ ? 4 : 2);
      std::vector<uint64_t> durable = page_.AcknowledgedByAll();
      page_.Begin(thread, number);
      const Status status = db_->Write(options, &batch);
      if (!status.ok()) {
        Fail("write: " + status.ToString());
      }
      if (options.sync || every_write_is_durable_) {
        durable[static_cast<size_t>(thread)] = number;
        page_.RaiseDurable(durable);
      }
      page_.Acknowledge(thread, number);
    }
  }

  // Returns 0 without a tier.
  uint64_t Metric(const std::string& name) {
    std::string text;
    return db_->GetProperty("leveldb.pmem." + name, &text)
               ? std::strtoull(text.c_str(), nullptr, 10)
               : 0;
  }

  // Does what else users do, and compacts ranges that nothing else would choose.
  void Disturb(Dice* dice) {
    std::this_thread::sleep_for(std::chrono::milliseconds(dice->Between(10, 200)));
    page_.SetJobs(Metric("merges"), Metric("gc-jobs"), Metric("spills"));
    const std::string begin(1, static_cast<char>('a' + dice->Below(4)));
    const std::string end = begin + "/" + std::to_string(dice->Below(10));
    const Slice from(begin);
    const Slice to(end);
    switch (dice->Below(6)) {
      case 0:
        db_->CompactRange(&from, &to);
        break;
      case 1: {
        std::unique_ptr<Iterator> scan(db_->NewIterator(ReadOptions()));
        int steps = 0;
        for (scan->Seek(from); scan->Valid() && steps < 200; scan->Next()) ++steps;
        if (!scan->status().ok()) {
          Fail("scan: " + scan->status().ToString());
        }
        break;
      }
      default: {
        std::string value;
        const Status status = db_->Get(ReadOptions(), end, &value);
        if (!status.ok() && !status.IsNotFound()) {
          Fail("read: " + status.ToString());
        }
        break;
      }
    }
  }

  const std::string name_;
  const std::map<std::string, std::string> words_;
  const int threads_;
  AcknowledgementPage page_;
  const bool every_write_is_durable_;
  Options options_;
  PmemOptions pmem_;
  std::unique_ptr<DB> db_;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace
}  // namespace testkit
}  // namespace leveldb

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: power_writer NAME OPTION=VALUE...\n");
    return 2;
  }
  leveldb::testkit::PowerWriter(argc, argv).Run();
  return 0;
}
