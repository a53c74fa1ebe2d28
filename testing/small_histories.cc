#include "testing/small_histories.h"

#include <array>
#include <atomic>
#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "leveldb/write_batch.h"
#include "testing/dice.h"
#include "testing/linearizability.h"
#include "testing/threads.h"

namespace leveldb {
namespace testkit {

namespace {

constexpr size_t kThreads = 3;
constexpr int kCallsOfEach = 14;
constexpr int kKeys = 3;
static_assert(kThreads * kCallsOfEach <= kCallsMax);

std::string Key(int round, int key) {
  char text[32];
  std::snprintf(text, sizeof(text), "%08d-%d", round, key);
  return text;
}

// Returns a value that holds a number and is short, or long enough to be separated from its key.
std::string ValueOf(int number) {
  std::string value = std::to_string(number) + ";";
  value.resize(number % 3 == 0 ? 600 : 20, 'v');
  return value;
}
int NumberOf(const std::string& value) {
  const int number = std::atoi(value.c_str());
  return value == ValueOf(number) ? number : -1;
}

class Histories {
 public:
  Histories(DB* db, uint64_t seed, int rounds) : db_(db), seed_(seed), rounds_(rounds) {}

  std::string Run() {
    std::barrier<> meeting(kThreads);
    Threads threads;
    for (size_t thread = 0; thread < kThreads; ++thread) {
      threads.Run([this, thread, &meeting] {
        Dice dice(seed_ + thread);
        for (int round = 0; round < rounds_; ++round) {
          meeting.arrive_and_wait();  // the previous round has been checked
          calls_[thread].clear();
          for (int i = 0; i < kCallsOfEach; ++i) {
            const int number = static_cast<int>(thread) * kCallsOfEach + i + 1;
            calls_[thread].push_back(MakeCall(round, number, &dice));
          }
          meeting.arrive_and_wait();
          if (thread == 0) CheckRound(round);
        }
      });
    }
    threads.Join();
    return problem_;
  }

 private:
  uint64_t Ticket() { return tickets_.fetch_add(1); }

  TimedCall MakeCall(int round, int number, Dice* dice) {
    if (dice->OneIn(4)) std::this_thread::yield();
    const int key = static_cast<int>(dice->Below(kKeys));
    const uint64_t kind = dice->Below(20);
    if (kind < 6) return Write(round, {{key, number}}, dice);
    if (kind < 8) return Write(round, {{key, 0}}, dice);
    if (kind < 11)
      return Write(round, {{key, number}, {(key + 1) % kKeys, dice->OneIn(3) ? 0 : number}}, dice);
    if (kind < 15) return Get(round, key);
    if (kind < 18) return ReadSnapshot(round);
    return Walk(round, dice->OneIn(2));
  }

  TimedCall Write(int round, std::vector<Cell> cells, Dice* dice) {
    WriteBatch batch;
    for (const Cell& cell : cells) {
      if (cell.value == 0) {
        batch.Delete(Key(round, cell.key));
      } else {
        batch.Put(Key(round, cell.key), ValueOf(cell.value));
      }
    }
    WriteOptions options;
    options.sync = dice->OneIn(10);
    const uint64_t begin = Ticket();
    const Status status = cells.size() > 1 || dice->OneIn(4)
                              ? db_->Write(options, &batch)
                              : WriteOne(options, Key(round, cells[0].key), cells[0].value);
    const uint64_t end = Ticket();
    Note(status.ToString(), status.ok());
    return {true, std::move(cells), begin, end};
  }

  Status WriteOne(const WriteOptions& options, const std::string& key, int number) {
    return number == 0 ? db_->Delete(options, key) : db_->Put(options, key, ValueOf(number));
  }

  int GetNumber(const ReadOptions& options, const std::string& key) {
    std::string value;
    const Status status = db_->Get(options, key, &value);
    if (status.IsNotFound()) return 0;
    Note(status.ToString(), status.ok());
    return NumberOf(value);
  }

  TimedCall Get(int round, int key) {
    const uint64_t begin = Ticket();
    const int number = GetNumber(ReadOptions(), Key(round, key));
    return {false, {{key, number}}, begin, Ticket()};
  }

  // A snapshot sees one moment during the call that takes it.
  TimedCall ReadSnapshot(int round) {
    const uint64_t begin = Ticket();
    const Snapshot* const snapshot = db_->GetSnapshot();
    const uint64_t end = Ticket();
    ReadOptions options;
    options.snapshot = snapshot;
    std::vector<Cell> cells;
    for (int key = 0; key < kKeys; ++key) {
      cells.push_back({key, GetNumber(options, Key(round, key))});
    }
    db_->ReleaseSnapshot(snapshot);
    return {false, std::move(cells), begin, end};
  }

  // An iterator sees one moment during the call that makes it.
  TimedCall Walk(int round, bool backwards) {
    const uint64_t begin = Ticket();
    const std::unique_ptr<Iterator> iterator(db_->NewIterator(ReadOptions()));
    const uint64_t end = Ticket();
    std::vector<Cell> cells;
    for (int key = 0; key < kKeys; ++key) cells.push_back({key, 0});
    const std::string prefix = Key(round, 0).substr(0, 9);
    iterator->Seek(backwards ? Key(round, kKeys) : Key(round, 0));
    if (backwards && iterator->Valid()) {
      iterator->Prev();
    } else if (backwards) {
      iterator->SeekToLast();
    }
    for (; iterator->Valid() && iterator->key().starts_with(prefix);
         backwards ? iterator->Prev() : iterator->Next()) {
      const int key = iterator->key()[9] - '0';
      cells[static_cast<size_t>(key)].value = NumberOf(iterator->value().ToString());
    }
    Note(iterator->status().ToString(), iterator->status().ok());
    return {false, std::move(cells), begin, end};
  }

  void CheckRound(int round) {
    std::vector<TimedCall> history;
    for (const std::vector<TimedCall>& calls : calls_) {
      history.insert(history.end(), calls.begin(), calls.end());
    }
    Note("round " + std::to_string(round) + "\n" + HistoryText(history),
         IsLinearizable(history, kKeys));
  }

  // Keeps the first problem.
  void Note(const std::string& text, bool is_well) {
    if (is_well) return;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (problem_.empty()) problem_ = text;
  }

  DB* const db_;
  const uint64_t seed_;
  const int rounds_;
  std::atomic<uint64_t> tickets_{1};
  std::array<std::vector<TimedCall>, kThreads> calls_;
  std::mutex mutex_;
  std::string problem_;
};

}  // namespace

std::string FirstBadHistory(DB* db, uint64_t seed, int histories) {
  return Histories(db, seed, histories).Run();
}

}  // namespace testkit
}  // namespace leveldb
