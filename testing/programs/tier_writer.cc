// tier_writer: writes a history to a database with the persistent-memory tier until it is killed.
//
//   tier_writer DB POOLS OPTION=VALUE...
//
// Options: seed, value_bytes (the greatest), size (of the pool), assume (1: assume_pmem),
// wal_persist_bytes, gc_percent, spill_start_percent, sync_every (0: never), last (batch).
// It continues after the batch that the database is at, and prints "open at K" and then "at K" for
// each batch that has been acknowledged. A second thread reads, compacts and gets properties at the
// same time. It exits with 1 and a message if anything is wrong.

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "leveldb/db.h"
#include "leveldb/pmem.h"
#include "testing/contents.h"
#include "testing/dice.h"
#include "testing/history.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {
namespace {

void Say(const std::string& line) {
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void Require(const Status& status, const std::string& what) {
  if (!status.ok()) {
    Say("tier_writer: " + what + ": " + status.ToString());
    std::_Exit(1);
  }
}

class TierWriter {
 public:
  TierWriter(int count, char** words) : path_(words[1]) {
    pmem_.path = words[2];
    for (int i = 3; i < count; ++i) {
      const std::string word = words[i];
      const size_t equals = word.find('=');
      numbers_[word.substr(0, equals)] = std::strtoull(word.c_str() + equals + 1, nullptr, 10);
    }
  }

  void Run() {
    Options options;
    options.create_if_missing = true;
    options.write_buffer_size = 64 << 10;
    pmem_.size = Number("size", 8 << 20);
    pmem_.assume_pmem = pmem_.assume_pmem_anywhere = Number("assume", 0) != 0;
    pmem_.wal_persist_bytes = Number("wal_persist_bytes", 0);
    pmem_.gc_ratio = 0.01 * static_cast<double>(Number("gc_percent", 50));
    pmem_.spill_start = 0.01 * static_cast<double>(Number("spill_start_percent", 85));
    PmemDB* opened = nullptr;
    Require(PmemOpen(options, pmem_, path_, &opened), "open");
    db_.reset(opened);
    const uint64_t at = Progress();
    Say("open at " + std::to_string(at));
    {
      Threads threads;
      threads.Run([this, at] { Write(at); });
      threads.Repeat([this, dice = std::make_shared<Dice>(at)] { Disturb(dice.get()); });
    }
    db_.reset();
  }

 private:
  uint64_t Number(const std::string& name, uint64_t otherwise) const {
    const auto found = numbers_.find(name);
    return found == numbers_.end() ? otherwise : found->second;
  }

  uint64_t Progress() {
    std::string value;
    const Status status = db_->Get(ReadOptions(), kProgressKey, &value);
    Require(status.IsNotFound() ? Status::OK() : status, "read the progress");
    return status.ok() ? std::stoull(value) : 0;
  }

  void Write(uint64_t at) {
    History history(Number("seed", 1), Number("value_bytes", 1000));
    const uint64_t sync_every = Number("sync_every", 0);
    const uint64_t last = Number("last", ~uint64_t{0});
    history.ExtendTo(at);
    while (history.size() < last) {
      history.Extend();
      const uint64_t number = history.size();
      WriteOptions options;
      options.sync = sync_every != 0 && number % sync_every == 0;
      WriteBatch batch = history.Batch(number);
      Require(db_->Write(options, &batch), "write");
      Say("at " + std::to_string(number));
    }
  }

  void Disturb(Dice* dice) {
    switch (dice->Below(8)) {
      case 0: {
        const Slice beyond("\xff");
        db_->CompactRange(&beyond, &beyond);
        break;
      }
      case 1:
        db_->CompactRange(nullptr, nullptr);
        break;
      case 2: {
        Contents contents;
        Require(ReadContents(db_.get(), &contents), "read everything");
        break;
      }
      default:
        Progress();
        break;
    }
  }

  const std::string path_;
  PmemOptions pmem_;
  std::map<std::string, uint64_t> numbers_;
  std::unique_ptr<PmemDB> db_;
};

}  // namespace
}  // namespace testkit
}  // namespace leveldb

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: tier_writer DB POOLS OPTION=VALUE...\n");
    return 2;
  }
  leveldb::testkit::TierWriter(argc, argv).Run();
  return 0;
}
